// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/regression_rows.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

/// Four rows with standard deviations 1, 2, 3 and 4 and standardised residuals 1, −1, 3 and −3.
RegressionRows four_rows()
{
    RegressionRows rows{.n_all = 4, .name = "test set", .target = "price"};
    RegressionSamples samples{.n_samples = 1, .n_inputs = 4, .f = {10, 20, 30, 40}, .s = {1, 2, 3, 4}};
    append(rows, samples, std::vector<std::uint32_t>{0, 1, 2, 3}, std::vector<double>{11, 18, 39, 28});
    return rows;
}

std::vector<std::pair<double, double>> points_in(const Panel& panel)
{
    std::vector<std::pair<double, double>> all;
    for (const auto& series : panel.series)
        if (const auto* points = std::get_if<Points>(&series))
            for (std::size_t i = 0; i < points->x.size(); ++i)
                all.emplace_back(points->x[i], points->y[i]);
    return all;
}

}   // namespace

TEST(Residuals, AreObservedMinusPredictedAndStandardisedByThePredictedSd)
{
    const auto chart = to_chart_of_residuals(four_rows());
    ASSERT_EQ(chart.panels.size(), 3u);
    using testing::Pair;
    EXPECT_THAT(points_in(chart.panels[0]), testing::ElementsAre(Pair(1, 1), Pair(2, -2), Pair(3, 9), Pair(4, -12)));
    EXPECT_THAT(points_in(chart.panels[1]), testing::ElementsAre(Pair(10, 1), Pair(20, -1), Pair(30, 3), Pair(40, -3)));
    EXPECT_EQ(chart.panels[0].y.label, "Observed − predicted price");
    EXPECT_THAT(chart.caption, HasSubstr("have mean 0.00 and standard deviation 2.24; expected 0 and 1."));
    EXPECT_THAT(chart.caption, HasSubstr("Beyond ± 1.96: 2 of 4 rows; expected 0.2 if"));
}

TEST(Residuals, TheLinesAreAtTheQuantileOfTheLevel)
{
    const auto chart = to_chart_of_residuals(four_rows());
    const auto& line = std::get<Line>(chart.panels[0].series[1]);
    EXPECT_NEAR(line.y.back() / line.x.back(), 1.959963984540054, 1e-9);   // scipy.stats.norm.ppf(0.975)
    EXPECT_NEAR(std::get<Rule>(chart.panels[1].series[2]).at, -1.959963984540054, 1e-9);
    double area      = 0;
    const auto& bars = std::get<Bars>(chart.panels[2].series[0]);
    for (const double height : bars.height)
        area += height * bars.width;
    EXPECT_NEAR(area, 1, 1e-12);
}

TEST(Residuals, AreThoseOfTheTestRowsOfARun)
{
    const auto run   = snapshot_of(small_study("mean_field", ToyKind::cubic));
    const auto chart = drawn("residuals", run);
    EXPECT_EQ(points_in(chart.panels[0]).size(), run.experiment->data->test.n_rows);
    EXPECT_THAT(chart.caption, HasSubstr("Rows: the test set."));
    EXPECT_THAT(refusal_of("residuals", moons()), HasSubstr("need a numeric target"));
}
