// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/data_rows.h"
#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"
#include "views/classification_figures.h"
#include "views/scores.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

namespace {

ClassPredictions calibrated_predictions()
{
    static const std::vector<double> p{0.99, 0.01, 0.2, 0.8, 0.45, 0.55, 0.78, 0.22};
    return class_predictions(SampleView<double>{p, 1, 4, 2});
}

double calibration_number(const Chart& chart, const std::string& name)
{
    for (const auto& row : chart.table->rows)
        if (std::get<std::string>(row[0]).starts_with(name))
            return std::get<double>(row[1]);
    return std::nan("");
}

}   // namespace

TEST(CalibrationFigure, ShowsTheNonEmptyBins)
{
    const auto chart = to_chart(calibration(calibrated_predictions(), std::vector<int>{0, 1, 0, 1}));
    ASSERT_EQ(chart.panels.size(), 3u);
    const auto bars = series_of<Bars>(chart.panels[0]).at(0);
    EXPECT_THAT(bars.height, testing::ElementsAre(0, 0.5, 1));   // 0.55 wrong; 0.78 wrong and 0.8 right; 0.99 right
    EXPECT_NEAR(bars.width, 1.0 / 15, 1e-15);
    EXPECT_EQ(series_of<Rule>(chart.panels[0]).at(0).direction, Rule::Direction::diagonal);
    EXPECT_EQ(chart.panels[0].words_at(0.8, 0.5),
              "Confidence 0.73 to 0.80\n2 inputs, mean confidence 0.790, 0.500 right");
    EXPECT_EQ(chart.panels[0].words_at(0.1, 0.5), "");
    EXPECT_EQ(chart.panels[0].title, "Reliability, ECE 0.2850");   // (0.55 + |1 − 1.58| + 0.01) / 4
}

TEST(CalibrationFigure, RejectionCurveStartsAtTheTotalError)
{
    const auto chart = to_chart(calibration(calibrated_predictions(), std::vector<int>{0, 1, 0, 1}));
    const auto curve = series_of<Line>(chart.panels[2]).at(0);
    EXPECT_THAT(curve.x, testing::ElementsAre(0, 0.25, 0.5, 0.75));
    EXPECT_DOUBLE_EQ(curve.y[0], 0.5);
    EXPECT_DOUBLE_EQ(curve.y.back(), 0);
}

TEST(CalibrationFigure, ShowsTheIsotonicFitWithItsBandAndTheCalibrationErrors)
{
    const auto value = calibration(calibrated_predictions(), std::vector<int>{0, 1, 0, 1});
    const auto chart = to_chart(value);
    const auto line  = series_of<Line>(chart.panels[1]).at(0);   // 0.55 and 0.78 wrong, 0.8 and 0.99 right
    EXPECT_THAT(line.x, testing::ElementsAre(0.55, 0.78, 0.8, 0.99));
    EXPECT_THAT(line.y, testing::ElementsAre(0, 0, 1, 1));
    EXPECT_EQ(series_of<Band>(chart.panels[1]).at(0).x, (std::vector<double>{0.55, 0.78, 0.8, 0.99}));
    const double brier = (0.55 * 0.55 + 0.78 * 0.78 + 0.2 * 0.2 + 0.01 * 0.01) / 4;
    EXPECT_NEAR(value.corp.miscalibration, brier, 1e-12);   // the fit has no error
    EXPECT_NEAR(value.corp.discrimination, 0.25, 1e-12);
    EXPECT_NEAR(calibration_number(chart, "Adaptive"), (0.55 + 0.78 + 0.2 + 0.01) / 4, 1e-12);   // one row in a group
    EXPECT_NEAR(calibration_number(chart, "Classwise"), value.classwise_ece, 1e-15);
    long rows = 0;
    for (const auto& row : chart.table->rows)
        if (std::get<std::string>(row[0]).starts_with("Inputs with"))
            rows += std::get<long>(row[1]);
    EXPECT_EQ(rows, 4);
}

TEST(CalibrationOfNumbers, ShowsCoverageAndPitOfTheScoredRows)
{
    const auto run    = short_snapshot("curve", ToyKind::blundell_curve);
    const auto chart  = drawn("calibration", run);
    const auto scored = score_table(run).regression.value();
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_NEAR(calibration_number(chart, "Coverage of the 95 %"), scored.coverage, 1e-12);
    EXPECT_NEAR(calibration_number(chart, "CRPS"), scored.crps, 1e-6);
    EXPECT_NEAR(calibration_number(chart, "Interval score"), scored.interval_score, 1e-6);
    EXPECT_NEAR(calibration_number(chart, "Mean width"), scored.mean_width, 1e-6);
    const auto line = series_of<Line>(chart.panels[0]).at(0);
    EXPECT_NEAR(line.y[19], scored.coverage, 1e-12) << "the curve passes through the coverage at 95 %";
    const auto bars    = series_of<Bars>(chart.panels[1]).at(0);
    const auto bar     = rows_of_bar(chart.panels[1], 0.01);
    double rows        = 0;
    std::size_t listed = 0;
    for (const double height : bars.height)
        rows += height;
    for (const auto& each : bars.data_rows)
        listed += each.size();
    EXPECT_EQ(rows, scored.n);
    EXPECT_EQ(listed, static_cast<std::size_t>(scored.n)) << "each row is in one bar";
    EXPECT_EQ(bar ? bar->rows.size() : 0, static_cast<std::size_t>(bars.height[0]));
    EXPECT_LE(calibration_number(chart, "5 % quantile of the width"),
              calibration_number(chart, "95 % quantile of the width"));
    EXPECT_THAT(chart.caption, testing::HasSubstr("simultaneous over 19 levels"));
}

TEST(CalibrationOfSeveralRuns, DrawsALineForEachRunOnTheSameRows)
{
    const std::vector<RunSnapshot> numbers{short_snapshot("one", ToyKind::blundell_curve),
                                           short_snapshot("two", ToyKind::blundell_curve, 7)};
    const auto chart = view("calibration").compare(numbers, {}, {}).value();
    EXPECT_EQ(chart.message, "");
    EXPECT_EQ(series_of<Line>(chart.panels.at(0)).size(), 2u);
    EXPECT_EQ(series_of<Line>(chart.panels.at(1)).at(1).name, "two");
    EXPECT_EQ(chart.table->rows.size(), 2u);
    const std::vector<RunSnapshot> classes{short_snapshot("one", ToyKind::two_moons),
                                           short_snapshot("two", ToyKind::two_moons, 7)};
    EXPECT_EQ(series_of<Line>(view("calibration").compare(classes, {}, {})->panels.at(0)).size(), 2u);
    const std::vector<RunSnapshot> mixed{classes[0], numbers[0]};
    EXPECT_THAT(view("calibration").compare(mixed, {}, {})->message,
                testing::HasSubstr("cannot be compared. It was evaluated"));
}

TEST(CalibrationFigure, OfAnEmptyTestSetStatesWhatToDo)
{
    EXPECT_EQ(to_chart(calibration({.n_classes = 2}, {})).message,
              "There are no labelled inputs. Set a test share above 0.");
}
