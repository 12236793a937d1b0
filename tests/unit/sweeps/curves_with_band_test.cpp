// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep_figure_parts.h"
#include "unit/charts/series_of.h"

#include <gmock/gmock.h>

#include <cmath>

namespace credence {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

TrainingCurves run_with_loss(std::vector<double> step, std::vector<double> loss)
{
    TrainingCurves run;
    run.data_loss  = {step, loss};
    run.test_error = {{step.front()}, {0.25}};
    return run;
}

TEST(CurvesWithBand, MeanAndBandAreAtTheStepsThatAllRunsRecorded)
{
    const auto a = run_with_loss({10, 20, 30}, {4, 2, 1}), b = run_with_loss({10, 15, 30}, {6, 9, 3});
    const auto band = band_of({&a.data_loss, &b.data_loss});
    EXPECT_THAT(band.step, ElementsAre(10, 30));
    EXPECT_THAT(band.mean, ElementsAre(DoubleNear(5, 1e-12), DoubleNear(2, 1e-12)));
    EXPECT_THAT(band.upper, ElementsAre(DoubleNear(5 + std::sqrt(2.0), 1e-12), DoubleNear(2 + std::sqrt(2.0), 1e-12)));
    EXPECT_THAT(band.lower, ElementsAre(DoubleNear(5 - std::sqrt(2.0), 1e-12), DoubleNear(2 - std::sqrt(2.0), 1e-12)));
    EXPECT_THAT(band_of({}).step, SizeIs(0));
}

TEST(CurvesWithBand, EachGroupHasAColourABandAndThinLines)
{
    const std::vector<CurveGroup> groups{
        {"one", {run_with_loss({10, 20}, {4, 2}), run_with_loss({10, 20}, {6, 4})}, {0.02, 0.04}},
        {"two", {run_with_loss({10, 20}, {1, 1})}, {}}};
    const auto chart = to_chart(groups);
    ASSERT_THAT(chart.panels, SizeIs(2));   // no KL, no training error
    const auto lines = series_of<Line>(chart.panels[0]);
    ASSERT_THAT(lines, SizeIs(4));
    EXPECT_EQ(lines[0].name, "");
    EXPECT_LT(lines[0].width, lines[2].width);
    EXPECT_EQ(lines[2].name, "one");
    EXPECT_THAT(lines[2].y, ElementsAre(DoubleNear(5, 1e-12), DoubleNear(3, 1e-12)));
    EXPECT_EQ(lines[3].name, "two");
    EXPECT_EQ(lines[3].tone, category(1));
    EXPECT_THAT(series_of<Band>(chart.panels[0]), SizeIs(1));   // one run has no spread
    EXPECT_EQ(chart.panels[1].title, "Error, test set");
    EXPECT_EQ(chart.panels[1].y.unit, "%");
    EXPECT_THAT(series_of<Line>(chart.panels[1]).back().y, ElementsAre(DoubleNear(25, 1e-12)));
    EXPECT_THAT(chart.caption, HasSubstr("Training of 3 runs: mean over 1 to 2 seeds"));
    ASSERT_TRUE(chart.table);
    ASSERT_THAT(chart.table->rows, SizeIs(1));
    EXPECT_EQ(chart.table->rows[0].at(0), Cell(std::string("one")));
    EXPECT_NEAR(std::get<double>(chart.table->rows[0].at(2)), 3, 1e-12);
    EXPECT_NEAR(std::get<double>(chart.table->rows[0].at(3)), std::sqrt(2.0), 1e-12);
}

TEST(CurvesWithBand, OfNumbersAreInTheUnitOfTheTargetAndNamedByTheirSet)
{
    auto run         = run_with_loss({10, 20}, {4, 2});
    run.task         = Task::regression;
    run.error_unit   = "units of y";
    run.test_name    = "validation";
    const auto chart = to_chart(std::vector<CurveGroup>{{"one", {run}, {}}});
    EXPECT_EQ(chart.panels.at(1).title, "Error, validation set");
    EXPECT_EQ(chart.panels[1].y.label, "RMSE");
    EXPECT_EQ(chart.panels[1].y.unit, "units of y");
    EXPECT_THAT(series_of<Line>(chart.panels[1]).at(0).y, ElementsAre(0.25));
    EXPECT_THAT(chart.caption, HasSubstr("one run per setting."));
    EXPECT_THAT(chart.caption, Not(HasSubstr("Thin lines")));
    EXPECT_FALSE(chart.table);
}

TEST(CurvesWithBand, WithoutRecordsStateThis)
{
    EXPECT_EQ(to_chart(std::vector<CurveGroup>{}).message, "No run of this sweep has recorded anything yet.");
    EXPECT_EQ(to_chart(std::vector<CurveGroup>{{"one", {TrainingCurves{}}, {}}}).message,
              "No run of this sweep has recorded anything yet.");
}

}   // namespace

}   // namespace credence
