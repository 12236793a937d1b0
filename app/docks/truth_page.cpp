// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/truth_page.h"

#include "parts/picture_desk.h"
#include "parts/view_panel.h"
#include "session/workspace.h"

#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"

using namespace credence;

TruthPage::TruthPage(Workspace& workspace, PictureDesk& desk, QWidget* parent)
    : QSplitter(Qt::Vertical, parent), m_workspace(workspace), m_maps(desk.make("compare_truth", this))
{
    setObjectName(QStringLiteral("truthPage"));
    addWidget(m_maps);
    addWidget(desk.make("truth_boxplots", this));
    setChildrenCollapsible(false);
    setStretchFactor(0, 2);
    setStretchFactor(1, 1);
    setSizes({400, 200});
    connect(&m_maps->chartView()->hand(), &ChartHand::pointClicked, this,
            [this](int, double x, double y) { choose(x, y); });
    connect(&workspace.selection, &Selection::changed, this, &TruthPage::mark);
    connect(&desk, &PictureDesk::fitted, this, &TruthPage::mark);
}

void TruthPage::choose(double x, double y)
{
    const auto& experiment = m_workspace.session.run().experiment;
    if (!experiment || m_maps->chart().panels.empty())
        return;
    switch (experiment->data->training.n_features) {
    case 1: m_workspace.selection.choosePoint({x}, Selection::By::map); break;
    case 2: m_workspace.selection.choosePoint({x, y}, Selection::By::map); break;
    default: break;   // no picture of all inputs
    }
}

/// Marks the selected input on every map or band.
void TruthPage::mark()
{
    const auto input = m_workspace.selection.numbers();
    auto* picture    = m_maps->chartView();
    if (input.empty() || input.size() > 2)
        picture->setMark({});
    else
        picture->setMark(ChartView::Mark{input[0], input.size() == 2 ? std::optional(input[1]) : std::nullopt, true});
}
