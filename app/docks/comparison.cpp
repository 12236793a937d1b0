// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/comparison.h"

#include "docks/prediction_area.h"
#include "parts/picture_desk.h"
#include "parts/view_panel.h"
#include "session/workspace.h"

using namespace credence;

QString comparedPlace() { return QStringLiteral("compare_decision_maps"); }

Comparison::Comparison(Workspace& workspace, PictureDesk& desk, PredictionArea* area)
    : QObject(area), m_workspace(workspace), m_desk(desk), m_area(*area)
{
    desk.add(comparedPlace(), area->comparison());
    desk.add({.prefix = comparedPlace(), .show = [this](const QString&, const Chart& chart) {
                  m_chart = chart;
                  mark();
              }});
    connect(area, &PredictionArea::comparisonClosed, this, &Comparison::closed);
    connect(area, &PredictionArea::optionsChanged, this, [this] {
        if (m_area.comparing())
            show(true);
    });
    connect(&workspace.selection, &Selection::changed, this, [this] {
        if (m_area.comparing())
            mark();
    });
    connect(&workspace.opener, &RunOpener::opens, this, &Comparison::closed);
}

void Comparison::show(bool on)
{
    m_area.setComparing(on);
    m_workspace.requests.setComparing(on);
    m_desk.request({QStringLiteral("boxplots")});   // of all compared runs, or of the displayed one
    if (!on)
        return;
    m_desk.wait(comparedPlace(), tr("Comparing the runs …"));
    m_workspace.scheduler.submit({m_workspace.requests.ofComparison(comparedPlace(), tr("the run comparison"))},
                                 ViewScheduler::Kind::still);
}

void Comparison::mark()
{
    Chart chart      = m_chart;
    const auto input = m_workspace.selection.numbers();
    if (input.size() == 2)
        for (auto& panel : chart.panels)
            panel.series.push_back(chosenMark(input[0], input[1]));
    m_area.comparison()->setChart(chart);
}
