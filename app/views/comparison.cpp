// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/comparison.h"

#include "parts/remembered_sizes.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "session/app_context.h"
#include "views/compare_runs.h"
#include "views/prediction_area.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"
#include "work/text.h"

using namespace credence;

QString comparedPlace() { return QStringLiteral("compare_decision_maps"); }

Comparison::Comparison(AppContext& context, ViewBinder& binder, PredictionArea* area)
    : QObject(area), m_context(context), m_binder(binder), m_area(*area)
{
    binder.add(comparedPlace(), area->comparison());
    binder.add({.prefix = comparedPlace(), .show = [this](const QString&, const Chart& chart) {
                    m_chart = chart;
                    mark();
                }});
    connect(area, &PredictionArea::comparisonClosed, this, &Comparison::closed);
    connect(area, &PredictionArea::optionsChanged, this, [this] {
        if (m_area.comparing())
            show(true);
    });
    connect(&context.selection, &Selection::changed, this, [this] {
        if (m_area.comparing() && m_area.comparison()->hasChart())
            mark();
    });
    connect(&context.opener, &RunOpener::opens, this, &Comparison::closed);
}

void Comparison::show(bool on)
{
    m_area.setComparing(on);
    m_context.requests.setComparing(on);
    m_binder.request({QStringLiteral("boxplots")});   // of all compared runs, or of the displayed one
    if (!on)
        return;
    if (auto* panel = m_area.comparison();   // until then the displayed map stays visible, dimmed
        panel->chart().panels.empty() && m_area.picture()->hasChart() && !m_area.showsImages()) {
        panel->setChart(m_area.picture()->sharedChart());
        panel->outdate();
    }
    m_binder.wait(comparedPlace(), tr("Comparing the runs …"));
    m_context.scheduler.submit({m_context.requests.ofComparison(comparedPlace(), tr("the run comparison"))},
                               ViewScheduler::Kind::still);
}

void Comparison::mark()
{
    Chart chart      = m_chart;
    const auto input = m_context.selection.numbers();
    if (input.size() == 2)
        for (auto& panel : chart.panels)
            panel.series.push_back(chosenMark(input[0], input[1]));
    m_area.comparison()->setChart(chart);
}

ReferencePage::ReferencePage(AppContext& context, ViewBinder& binder, QWidget* parent)
    : QSplitter(Qt::Vertical, parent), m_context(context), m_ranking(new ViewPanel(view("compare_distances"), this)),
      m_maps(binder.make("compare_truth", this))
{
    setObjectName(QStringLiteral("truthPage"));
    rank(binder);
    auto* top = new QSplitter(Qt::Horizontal, this);
    top->addWidget(m_ranking);
    top->addWidget(m_maps);
    top->setChildrenCollapsible(false);
    top->setSizes({200, 300});
    addWidget(top);
    addWidget(binder.make("truth_boxplots", this));
    setChildrenCollapsible(false);
    setStretchFactor(0, 2);
    setStretchFactor(1, 1);
    setSizes({400, 200});
    rememberSplitter(*top, QStringLiteral("reference/top"));
    rememberSplitter(*this, QStringLiteral("reference"));
    connect(&m_maps->chartView()->hand(), &ChartHand::pointClicked, this,
            [this](int, double x, double y) { choose(x, y); });
    connect(&context.selection, &Selection::changed, this, &ReferencePage::mark);
    connect(&binder, &ViewBinder::fitted, this, &ReferencePage::mark);
}

/// Shows the numbers of the maps as bars, without computing them again.
void ReferencePage::rank(ViewBinder& binder)
{
    const QString place = toQString(m_ranking->view().id);
    binder.add(place, m_ranking);
    binder.add({.prefix = place, .show = [](const QString&, const Chart&) {}});
    connect(m_maps, &ViewPanel::waits, m_ranking, &ViewPanel::wait);
    connect(m_maps, &ViewPanel::chartShown, this, [this](const Chart& chart) {
        m_ranking->chartView()->setStudyJson(m_maps->chartView()->studyJson());
        m_ranking->setChart(distance_ranking(chart));
    });
}

void ReferencePage::choose(double x, double y)
{
    const auto& experiment = m_context.session.run().experiment;
    if (!experiment || m_maps->chart().panels.empty())
        return;
    switch (experiment->data->training.n_features) {
    case 1: m_context.selection.choosePoint({x}, Selection::By::map); break;
    case 2: m_context.selection.choosePoint({x, y}, Selection::By::map); break;
    default: break;   // no picture of all inputs
    }
}

/// Marks the selected input on every map or band.
void ReferencePage::mark()
{
    const auto input = m_context.selection.numbers();
    auto* picture    = m_maps->chartView();
    if (input.empty() || input.size() > 2)
        picture->setMark({});
    else
        picture->setMark(ChartView::Mark{input[0], input.size() == 2 ? std::optional(input[1]) : std::nullopt, true});
}
