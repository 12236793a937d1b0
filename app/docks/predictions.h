// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/image_rows.h"

#include <QObject>

#include <memory>

class Notifier;
class ViewBinder;
class PredictionArea;
struct AppContext;

/// Selection and drawing in the central area, and their marks: a point of a map, a table row, a
/// grid image.
class Predictions : public QObject {
    Q_OBJECT
public:
    Predictions(AppContext& context, ViewBinder& binder, Notifier& notifier, PredictionArea* area);

private:
    void connectMap();
    void connectImages(Notifier& notifier);
    void fit(const std::shared_ptr<const credence::Experiment>& experiment, bool otherData);
    void chooseImage(credence::ImagePart part, int image);
    void followSelection();
    void mark();
    void showPoints();

    AppContext& m_context;
    ViewBinder& m_binder;
    PredictionArea& m_area;
    bool m_showsPoints = false;   // right now
};
