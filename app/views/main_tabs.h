// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/view_area.h"
#include "session/view_scheduler.h"
#include "views/image_rows.h"

#include <QObject>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

class ChangedRow;
class Comparison;
class ImageArea;
class InputRanking;
class LogitSource;
class Notifier;
class OwnPictures;
class PredictionArea;
class QWidget;
class ReferencePage;
class SimplexWorkbench;
class SliceControls;
class ViewBinder;
class ViewPanel;
struct AppContext;

/// Selection and drawing in the central area, and their marks: a point of a map, a table row, a
/// grid image.
class Predictions : public QObject {
    Q_OBJECT
public:
    Predictions(AppContext& context, ViewBinder& binder, Notifier& notifier, InputRanking& ranking, ChangedRow& row,
                PredictionArea* area);

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
    SliceControls* m_slice;
    bool m_showsPoints = false;   // true while drawn points are shown
};

/// The map of points of imported predictions: the colours are selected above it, and a click
/// selects the nearest row.
class PointsPage : public QObject {
    Q_OBJECT
public:
    PointsPage(AppContext& context, ViewBinder& binder, QWidget* parent);
    ViewPanel* panel() const { return m_panel; }
    bool applies() const;   ///< to the displayed run

private:
    void choose(double x, double y);
    void mark();

    AppContext& m_context;
    ViewPanel* m_panel;
};

/// The area in the middle of the window: predictions for all inputs, the simplex, and other large
/// views.
class MainTabs : public ViewArea {
    Q_OBJECT
public:
    MainTabs(AppContext& context, ViewBinder& binder, Notifier& notifier, QWidget* parent);

    PredictionArea* predictions() const { return m_predictions; }
    ImageArea* images() const;
    OwnPictures& pictures() const { return *m_pictures; }
    SimplexWorkbench* simplex() const { return m_simplex; }
    ReferencePage* reference() const { return m_reference; }
    LogitSource& logitSource() const { return *m_logitSource; }
    InputRanking& ranking() const { return *m_ranking; }
    ChangedRow& changedRow() const { return *m_changedRow; }
    Comparison& comparison() const { return *m_comparison; }
    bool busy() const;
    /// Brings *Against the reference* to the front as soon as a run that can serve as reference is
    /// displayed.
    void showReference();

private:
    void addPages();
    void fit(const std::shared_ptr<const credence::Experiment>& experiment, bool otherData);

    PredictionArea* m_predictions;
    InputRanking* m_ranking;
    ChangedRow* m_changedRow;
    SimplexWorkbench* m_simplex;
    LogitSource* m_logitSource;
    ReferencePage* m_reference;
    PointsPage* m_points;
    bool m_referenceRequested = false;
    Comparison* m_comparison  = nullptr;
    OwnPictures* m_pictures   = nullptr;
};
