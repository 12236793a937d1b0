// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/image_rows.h"

#include <QObject>

#include <memory>

class Messages;
class PictureDesk;
class PredictionArea;
struct Workspace;

/// Selection and drawing in the central area, and their marks: a point of a map, a table row, a
/// grid image.
class Predictions : public QObject {
    Q_OBJECT
public:
    Predictions(Workspace& workspace, PictureDesk& desk, Messages& messages, PredictionArea* area);

private:
    void connectMap();
    void connectImages(Messages& messages);
    void fit(const std::shared_ptr<const credence::Experiment>& experiment, bool otherData);
    void chooseImage(credence::ImagePart part, int image);
    void followSelection();
    void mark();
    void showPoints();

    Workspace& m_workspace;
    PictureDesk& m_desk;
    PredictionArea& m_area;
    bool m_showsPoints = false;   // right now
};
