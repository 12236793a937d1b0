// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/truth_page.h"

#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "session/app_context.h"

#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"

using namespace credence;

TruthPage::TruthPage(AppContext& context, ViewBinder& binder, QWidget* parent)
    : QSplitter(Qt::Vertical, parent), m_context(context), m_maps(binder.make("compare_truth", this))
{
    setObjectName(QStringLiteral("truthPage"));
    addWidget(m_maps);
    addWidget(binder.make("truth_boxplots", this));
    setChildrenCollapsible(false);
    setStretchFactor(0, 2);
    setStretchFactor(1, 1);
    setSizes({400, 200});
    connect(&m_maps->chartView()->hand(), &ChartHand::pointClicked, this,
            [this](int, double x, double y) { choose(x, y); });
    connect(&context.selection, &Selection::changed, this, &TruthPage::mark);
    connect(&binder, &ViewBinder::fitted, this, &TruthPage::mark);
}

void TruthPage::choose(double x, double y)
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
void TruthPage::mark()
{
    const auto input = m_context.selection.numbers();
    auto* picture    = m_maps->chartView();
    if (input.empty() || input.size() > 2)
        picture->setMark({});
    else
        picture->setMark(ChartView::Mark{input[0], input.size() == 2 ? std::optional(input[1]) : std::nullopt, true});
}
