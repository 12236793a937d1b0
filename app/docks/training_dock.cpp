// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/training_dock.h"

#include "docks/centre.h"
#include "docks/laws.h"
#include "docks/picture_desk.h"
#include "docks/prediction_area.h"
#include "docks/view_panel.h"
#include "images/image_area.h"

#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"

using namespace credence;

namespace {

constexpr int lowest = 150;   ///< pixels: below it a picture is none

}   // namespace

TrainingDock::TrainingDock(PictureDesk& desk, Centre& centre, QWidget* parent)
    : ViewTabs(desk,
               {{"training_curves", tr("Curves")},
                {"scores", tr("Scores")},
                {"certainty", tr("Certainty")},
                {"confusion", tr("Confusion")},
                {"roc", tr("ROC")},
                {"calibration", tr("Calibration")},
                {"out_of_distribution", tr("Foreign data")},
                {"list_lengths", tr("List lengths")},
                {"bridge_scores", tr("Bridge")},
                {"chain_convergence", tr("Chains")},
                {"chain_traces", tr("Traces")}},
               parent)
{
    setMinimumHeight(lowest);
    centre.laws().addControls({QStringLiteral("list_lengths")});
    // Of images the confusion matrix is that of the grid, and a click on a cell leads there.
    auto* confusion = desk.panel(QStringLiteral("confusion"));
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
