// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/image_rows.h"

#include <QObject>
#include <QStringList>

#include <vector>

class ImageArea;
class Notifier;
class ViewBinder;
class PictureStrip;
class QImage;
struct AppContext;

/// The user's own images as inputs: files, a folder, dropped files or the clipboard. Errors are
/// reported in one sentence and change nothing else. Other data close the images.
class OwnPictures : public QObject {
    Q_OBJECT
public:
    OwnPictures(AppContext& context, ViewBinder& binder, Notifier& notifier, ImageArea* images);

    void askForPicture();
    void askForFolder();
    void paste();                          ///< the picture in the clipboard, or the files that were copied
    void take(const QStringList& files);   ///< pictures, and folders of them
    bool busy() const { return m_reading > 0; }

signals:
    void studyDropped(const QString& file);   ///< a figure that carries its Study

private:
    void openDropped(const QStringList& files);
    template <class Read>
    void prepare(Read read);
    void add(std::vector<credence::PictureInput> pictures);
    void choose(int index);
    void invert(bool inverted);
    void putAway();
    void showPictures();
    void followSelection();

    AppContext& m_context;
    Notifier& m_notifier;
    ImageArea& m_images;
    PictureStrip* m_strip;
    std::vector<credence::PictureInput> m_pictures;
    int m_reading = 0;   // times that something is being read
};
