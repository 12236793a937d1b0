// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QObject>
#include <QSplitter>

class ViewBinder;
class PredictionArea;
struct AppContext;

/// The place (see ViewBinder) of the comparison of ticked runs.
QString comparedPlace();

/// The ticked runs side by side: one quantity on one colour scale, the selected input on every map,
/// and boxplots of all runs.
class Comparison : public QObject {
    Q_OBJECT
public:
    Comparison(AppContext& context, ViewBinder& binder, PredictionArea* area);
    void show(bool on);

signals:
    void closed();

private:
    void mark();

    AppContext& m_context;
    ViewBinder& m_binder;
    PredictionArea& m_area;
    credence::Chart m_chart;   // without the mark of the chosen input
};

class ViewPanel;

/// *Against the reference*: distance of each ticked run from the displayed chains, as bars, and as maps
/// or bands with a table, and boxplots of all of them at the selected input. A click in a map selects
/// the input.
class ReferencePage : public QSplitter {
    Q_OBJECT
public:
    ReferencePage(AppContext& context, ViewBinder& binder, QWidget* parent);
    ViewPanel* maps() const { return m_maps; }

private:
    void rank(ViewBinder& binder);
    void choose(double x, double y);
    void mark();

    AppContext& m_context;
    ViewPanel *m_ranking, *m_maps;
};
