// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/roc_overlay.h"

#include "figures/ood_figure.h"
#include "series_of.h"

#include <gmock/gmock.h>

#include <cmath>

namespace credence {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// Up to `height` at no false positive, and straight on: area (1 + height)/2.
RocCurve rises_to(double height)
{
    return {.false_positive = {0, 0, 1},
            .true_positive  = {0, height, 1},
            .area           = (1 + height) / 2,
            .positives      = 1,
            .negatives      = 1};
}

TEST(RocOverlay, OfSingleRunsHasTheirCurvesAndAreas)
{
    const auto chart = overlay_of_rocs(std::vector<RocOfRuns>{{"first", {rises_to(0.5)}}, {"second", {rises_to(0.8)}}});
    EXPECT_EQ(chart.id, "overlay_roc");
    ASSERT_THAT(chart.panels, SizeIs(1));
    const auto lines = series_of<Line>(chart.panels[0]);
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_EQ(lines[0].name, "first: 0.7500");
    EXPECT_EQ(lines[1].name, "second: 0.9000");
    EXPECT_EQ(lines[1].tone, category(1));
    EXPECT_THAT(lines[0].x, ElementsAre(0, 0, 1));
    EXPECT_THAT(lines[0].y, ElementsAre(0, 0.5, 1));
    EXPECT_THAT(chart.table->columns, SizeIs(2));
    EXPECT_NEAR(std::get<double>(chart.table->rows.at(1).at(1)), 0.9, 1e-12);
}

TEST(RocOverlay, OfSeedsHasTheMeanCurveAndTheSpreadOfTheAreas)
{
    const auto chart = overlay_of_rocs(std::vector<RocOfRuns>{{"a", {rises_to(0.4), rises_to(0.8)}}, {"empty", {}}});
    const auto lines = series_of<Line>(chart.panels.at(0));
    ASSERT_THAT(lines, SizeIs(1));
    EXPECT_THAT(lines[0].y, ElementsAre(0, DoubleNear(0.6, 1e-12), 1));
    EXPECT_EQ(lines[0].name, "a: 0.8000 ± 0.1414");   // areas 0.7 and 0.9
    ASSERT_THAT(chart.table->rows, SizeIs(1));
    EXPECT_EQ(chart.table->rows[0].at(1), Cell(2L));
    EXPECT_NEAR(std::get<double>(chart.table->rows[0].at(3)), std::sqrt(0.02), 1e-12);
    EXPECT_THAT(chart.caption, HasSubstr("mean over the seeds ± standard deviation"));
}

TEST(RocOverlay, EnlargesTheCornerThatContainsAllCurves)
{
    const auto chart = overlay_of_rocs(std::vector<RocOfRuns>{{"good", {rises_to(0.999)}}, {"fair", {rises_to(0.92)}}});
    ASSERT_THAT(chart.panels, SizeIs(2));
    EXPECT_EQ(chart.columns, 2);
    EXPECT_LE(chart.panels[1].y.range->first, 0.9);
    EXPECT_THAT(series_of<Rule>(chart.panels[1]), SizeIs(0));
    EXPECT_THAT(series_of<Line>(chart.panels[1]), SizeIs(2));
}

TEST(RocOverlay, WithoutRunsSaysWhatToDo)
{
    EXPECT_EQ(overlay_of_rocs({}).message, "No run is selected. Tick the runs to overlay.");
}

TEST(MeanOfDoubts, AveragesNumbersAndDistributionFunctions)
{
    OodFigure a, b;
    a.numbers.auroc_entropy = 0.6;
    b.numbers.auroc_entropy = 0.8;
    a.numbers.n_out = b.numbers.n_out = 7;
    a.at = b.at = {0, 1};
    a.in_cdf = a.out_cdf = {0, 1};
    b.in_cdf             = {0.5, 1};
    b.out_cdf            = {1, 1};
    const auto mean      = mean_of_doubts(std::vector{a, b});
    EXPECT_NEAR(mean.numbers.auroc_entropy, 0.7, 1e-12);
    EXPECT_EQ(mean.numbers.n_out, 7);
    EXPECT_THAT(mean.in_cdf, ElementsAre(DoubleNear(0.25, 1e-12), DoubleNear(1, 1e-12)));
    EXPECT_THAT(mean.out_cdf, ElementsAre(DoubleNear(0.5, 1e-12), DoubleNear(1, 1e-12)));
}

}   // namespace
}   // namespace credence
