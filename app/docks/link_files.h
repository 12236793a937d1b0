// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "results/picture_link.h"

#include <QObject>
#include <QString>

#include <optional>

class Messages;
class QWidget;
struct Workspace;

/// Links for slides: saves what is on show as one (Study or run, step, view, chosen input), and brings back what one names. A Study is trained first, and its views
/// stand on the step that is meant as soon as it is recorded.
class LinkFiles : public QObject {
    Q_OBJECT
public:
    LinkFiles(Workspace& workspace, Messages& messages, QWidget* window);

    /// Asks where. What is shown when it is called is saved, whatever happens until the answer. @param view  in front of the window
    void save(const QString& view);
    /// @param words  for undo: "Open slide.credence-link"
    void open(const credence::PictureLink& link, const QString& words);
    bool waiting() const { return m_request.has_value(); }   ///< for a run or for its step

signals:
    void runWanted(const QString& file);                                    ///< a kept run, or outputs from elsewhere
    void studyWanted(const credence::Study& study, const QString& words);   ///< under edit: it is trained next
    void quantityWanted(credence::MapQuantity quantity, int mapClass);      ///< of the decision map
    void viewWanted(const QString& view);                                   ///< empty: where predictions are seen

private:
    /// What is brought back as soon as its run is on show.
    struct Request {
        credence::PictureLink link;
        bool lookedAt = false;   ///< view and input are there, the step is not
    };
    credence::PictureLink linkNow(const QString& view) const;
    void write(const credence::PictureLink& link, const QString& file);
    bool onShow(const credence::PictureLink& link) const;
    void follow();
    void look(const credence::PictureLink& link);
    bool showStep(const credence::PictureLink& link);

    Workspace& m_workspace;
    Messages& m_messages;
    QWidget* m_window;
    std::optional<Request> m_request;
};
