// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/charts/series_of.h"
#include "views/classification_figures.h"

#include <gmock/gmock.h>

using namespace credence;

namespace {

ClassPredictions calibrated_predictions()
{
    static const std::vector<double> p{0.99, 0.01, 0.2, 0.8, 0.45, 0.55, 0.78, 0.22};
    return class_predictions(SampleView<double>{p, 1, 4, 2});
}

}   // namespace

TEST(CalibrationFigure, ShowsTheNonEmptyBins)
{
    const auto chart = to_chart(calibration(calibrated_predictions(), std::vector<int>{0, 1, 0, 1}));
    ASSERT_EQ(chart.panels.size(), 2u);
    const auto bars = series_of<Bars>(chart.panels[0]).at(0);
    EXPECT_THAT(bars.height, testing::ElementsAre(0, 0.5, 1));   // 0.55 wrong; 0.78 wrong and 0.8 right; 0.99 right
    EXPECT_NEAR(bars.width, 1.0 / 15, 1e-15);
    EXPECT_EQ(series_of<Rule>(chart.panels[0]).at(0).direction, Rule::Direction::diagonal);
    EXPECT_EQ(chart.table->rows.size(), 3u);
    EXPECT_EQ(chart.panels[0].title, "Reliability, ECE 0.2850");   // (0.55 + |1 − 1.58| + 0.01) / 4
}

TEST(CalibrationFigure, RejectionCurveStartsAtTheTotalError)
{
    const auto chart = to_chart(calibration(calibrated_predictions(), std::vector<int>{0, 1, 0, 1}));
    const auto curve = series_of<Line>(chart.panels[1]).at(0);
    EXPECT_THAT(curve.x, testing::ElementsAre(0, 0.25, 0.5, 0.75));
    EXPECT_DOUBLE_EQ(curve.y[0], 0.5);
    EXPECT_DOUBLE_EQ(curve.y.back(), 0);
}

TEST(CalibrationFigure, OfAnEmptyTestSetStatesWhatToDo)
{
    EXPECT_EQ(to_chart(calibration({.n_classes = 2}, {})).message,
              "There are no labelled inputs. Set a test share above 0.");
}
