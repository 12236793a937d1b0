// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/points_page.h"

#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "session/app_context.h"

#include "views/points_map.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"

#include <QComboBox>

using namespace credence;

PointsPage::PointsPage(AppContext& context, ViewBinder& binder, QWidget* parent)
    : QObject(parent), m_context(context), m_panel(binder.make("points_map", parent))
{
    auto* colour = new QComboBox(m_panel);
    colour->setObjectName(QStringLiteral("pointsColour"));
    colour->setAccessibleName(tr("Point colours"));
    colour->setToolTip(
        tr("Select the colours: the predicted or true class of each point, or the mean predictive entropy of points "
           "in small cells"));
    colour->addItem(tr("Predicted class"), static_cast<int>(PointsColour::predicted_class));
    colour->addItem(tr("True class"), static_cast<int>(PointsColour::true_class));
    colour->addItem(tr("Predictive entropy"), static_cast<int>(PointsColour::entropy));
    m_panel->addControl(colour);
    connect(colour, &QComboBox::currentIndexChanged, this, [this, colour] {
        m_context.choices.set({QStringLiteral("points_map")}, [colour](ViewOptions& options) {
            options.points_colour = static_cast<PointsColour>(colour->currentData().toInt());
        });
    });
    connect(&m_panel->chartView()->hand(), &ChartHand::pointClicked, this,
            [this](int, double x, double y) { choose(x, y); });
    connect(&binder, &ViewBinder::fitted, this, &PointsPage::mark);
    connect(&context.selection, &Selection::changed, this, &PointsPage::mark);
}

bool PointsPage::applies() const
{
    const auto& experiment = m_context.session.run().experiment;
    return experiment && m_panel->view().applies(*experiment);
}

void PointsPage::choose(double x, double y)
{
    if (applies())
        m_context.selection.chooseRow(
            static_cast<int>(nearest_point(m_context.session.run().experiment->outputs->own, x, y)),
            Selection::By::map);
}

/// Marks the selected row on the points.
void PointsPage::mark()
{
    if (!applies())
        return;
    const auto& own       = m_context.session.run().experiment->outputs->own;
    const std::size_t row = m_context.selection.chosen().row;
    if (row < own.n)
        m_panel->chartView()->setMark(ChartView::Mark{own.inputs[2 * row], own.inputs[2 * row + 1]});
}
