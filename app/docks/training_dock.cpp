// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/training_dock.h"

#include "docks/chain_selection.h"
#include "docks/curve_control.h"
#include "docks/laws.h"
#include "docks/main_tabs.h"
#include "docks/prediction_area.h"
#include "docks/rows_panel.h"
#include "images/image_area.h"
#include "parts/longest_list.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "session/app_context.h"

#include "views/image_rows.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"

#include <QDockWidget>
#include <QSpinBox>

using namespace credence;

namespace {

constexpr int lowest = 150;   ///< pixels: below it a picture is none

}   // namespace

TrainingDock::TrainingDock(AppContext& context, ViewBinder& binder, MainTabs& centre, QWidget* parent)
    : ViewTabs(binder,
               {{"training_curves", tr("Curves")},
                {"overlay_training_curves", tr("Errors")},
                {"schedule", tr("Steps")},
                {"scores", tr("Scores")},
                {"certainty", tr("Certainty")},
                {"confusion", tr("Confusion")},
                {"roc", tr("ROC")},
                {"calibration", tr("Calibration")},
                {"out_of_distribution", tr("OOD data")},
                {"attack_curve", tr("Attacks")},
                {"attack_arrows", tr("Attack map")},
                {"list_lengths", tr("List lengths")},
                {"bridge_scores", tr("Bridge")},
                {"chain_convergence", tr("Chains")},
                {"chain_traces", tr("Traces")},
                {"chain_functions", tr("Functions")}},
               parent),
      m_mainTabs(centre), m_brush(new ChainSelectionControl(this)), m_rows(new RowsPanel(this))
{
    setMinimumHeight(lowest);
    addRows(context, binder);
    centre.laws().addControls({QStringLiteral("list_lengths")});
    addLongest(context, binder);
    auto* errors = binder.panel(QStringLiteral("overlay_training_curves"));
    errors->addControl(new CurveControl(context.choices, errors));
    connectBrush(context, binder);
    // For images the confusion matrix is that of the grid; a click on a cell leads there.
    auto* confusion = binder.panel(QStringLiteral("confusion"));
    connect(centre.images(), &ImageArea::confusionMade, this,
            [confusion, images = centre.images()](const Chart& chart) {
        confusion->chartView()->setStudyJson(images->confusion()->chartView()->studyJson());
        confusion->setChart(chart);
    });
    connect(&confusion->chartView()->hand(), &ChartHand::pointClicked, this, [&centre](int, double x, double y) {
        if (centre.predictions()->showsImages())
            centre.images()->showCell(x, y);
    });
}

/// The marginals of the selected input, which show one list, follow too.
void TrainingDock::addLongest(AppContext& context, ViewBinder& binder)
{
    auto& choices = context.choices;
    auto* panel   = binder.panel(QStringLiteral("list_lengths"));
    auto* box     = longestListBox(QStringLiteral("listLongest"), choices.options().top_k_longest, panel);
    connect(box, &QSpinBox::valueChanged, &choices, [&choices](int longest) {
        choices.set({QStringLiteral("beta_marginals"), QStringLiteral("list_lengths")},
                    [longest](ViewOptions& options) { options.top_k_longest = longest; });
    });
    panel->addControl(box);
}

/// Placed next to the curves, so that the tab is visible in a small window. Images have their grid
/// instead, and data without a chart of all inputs show the same table in the centre.
void TrainingDock::addRows(AppContext& context, ViewBinder& binder)
{
    m_rows->join(context, binder, QStringLiteral("test_rows"));
    insert(1, m_rows, tr("Test rows"));
    connect(&binder, &ViewBinder::fitted, this, [this](const std::shared_ptr<const Experiment>& experiment) {
        setTabShown(*this, m_rows, !has_images(*experiment) && !m_mainTabs.predictions()->showsRows());
    });
}

void TrainingDock::showRows()
{
    auto* predictions = m_mainTabs.predictions();
    if (predictions->showsRows() || predictions->showsImages()) {
        m_mainTabs.setCurrentWidget(predictions);
        return predictions->showsImages() ? m_mainTabs.images()->pages()->setCurrentIndex(0)
                                          : predictions->rows()->takeFocus();
    }
    setCurrentWidget(m_rows);
    if (auto* dock = qobject_cast<QDockWidget*>(parentWidget())) {
        dock->show();
        dock->raise();
    }
    m_rows->takeFocus();
}

/// One selection for both views: chosen next to the functions, or dragged over the trace.
void TrainingDock::connectBrush(AppContext& context, ViewBinder& binder)
{
    binder.panel(QStringLiteral("chain_functions"))->addControl(m_brush, 0);
    connect(m_brush, &ChainSelectionControl::changed, &context.choices, [this, &choices = context.choices] {
        choices.set({QStringLiteral("chain_functions"), QStringLiteral("chain_traces")},
                    [this](ViewOptions& options) { options.brush = m_brush->brush(); });
    });
    connect(&binder, &ViewBinder::fitted, m_brush,
            [this](const std::shared_ptr<const Experiment>& experiment) { m_brush->fit(*experiment); });
    auto* hand = &binder.panel(QStringLiteral("chain_traces"))->chartView()->hand();
    connect(hand, &ChartHand::pointPressed, this, [this](int, double x, double) {
        m_pressedAt = x;
        m_brushing  = false;
    });
    connect(hand, &ChartHand::pointDragged, this,
            [this](int panel, double, double) { m_brushing = panel == 0; });   // the trace comes first
    connect(hand, &ChartHand::pointReleased, this, [this](int, double x, double) {
        if (std::exchange(m_brushing, false))
            m_brush->chooseSteps(std::lround(std::max(0.0, m_pressedAt)), std::lround(std::max(0.0, x)));
    });
}
