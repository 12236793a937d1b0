// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "sweeps/score_against_axis.h"
#include "unit/charts/series_of.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace credence {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

SweptAxis steps_axis()
{
    return {.label = "Steps", .unit = {}, .values = {"300", "100", "200"}, .numbers = {300, 100, 200}};
}

SweptAxis family_axis()
{
    return {.label = "Family", .unit = {}, .values = {"mean_field", "layer_scale"}, .numbers = {}};
}

ScoresAgainstAxis one_panel(SweptAxis axis, std::vector<SweptSeries> series)
{
    return {.axis   = std::move(axis),
            .panels = {{.title = "NLL", .label = "NLL", .unit = "nats", .series = std::move(series)}}};
}

TEST(MeanAndSd, SkipsNonFiniteValues)
{
    EXPECT_FALSE(mean_and_sd({}));
    EXPECT_FALSE(mean_and_sd(std::vector{no_number}));
    const auto one = mean_and_sd(std::vector{3.0, no_number}).value();
    EXPECT_EQ(one.mean, 3);
    EXPECT_EQ(one.n, 1u);
    EXPECT_FALSE(one.sd);
    const auto three = mean_and_sd(std::vector{1.0, 2.0, 6.0}).value();
    EXPECT_NEAR(three.mean, 3, 1e-12);
    EXPECT_NEAR(three.sd.value(), std::sqrt(7.0), 1e-12);
}

TEST(ScoresAgainstAxis, NumbersAreInOrderWithABandOfOneStandardDeviation)
{
    const auto chart = to_chart(one_panel(steps_axis(), {{"one τ", {{5, 7}, {1, 3}, {}}}}));
    EXPECT_EQ(chart.message, "");
    const auto& panel = chart.panels.at(0);
    const auto line   = series_of<Line>(panel).at(0);
    EXPECT_THAT(line.x, ElementsAre(100, 300));   // of 200 nothing is done
    EXPECT_THAT(line.y, ElementsAre(DoubleNear(2, 1e-12), DoubleNear(6, 1e-12)));
    EXPECT_EQ(line.name, "one τ");
    const auto band = series_of<Band>(panel).at(0);
    EXPECT_THAT(band.lower, ElementsAre(DoubleNear(2 - std::sqrt(2.0), 1e-12), DoubleNear(6 - std::sqrt(2.0), 1e-12)));
    EXPECT_THAT(band.upper, ElementsAre(DoubleNear(2 + std::sqrt(2.0), 1e-12), DoubleNear(6 + std::sqrt(2.0), 1e-12)));
    EXPECT_EQ(band.tone, line.tone);
    const auto points = series_of<Points>(panel);
    ASSERT_THAT(points, SizeIs(2));
    EXPECT_THAT(points[0].y, ElementsAre(1, 3, 5, 7));   // each run
    EXPECT_EQ(points[0].name, "");
    EXPECT_EQ(points[1].name, "one τ");
    EXPECT_EQ(panel.y.unit, "nats");
    EXPECT_EQ(panel.x.label, "Steps");
    EXPECT_THAT(chart.caption, HasSubstr("mean over 2 seeds; band: mean ± standard deviation; small marks: each run."));
}

TEST(ScoresAgainstAxis, OneSeedHasNoBandAndNonFiniteScoresAreCounted)
{
    const auto chart = to_chart(one_panel(steps_axis(), {{"", {{5}, {1, no_number}, {no_number}}}}));
    EXPECT_THAT(series_of<Band>(chart.panels.at(0)), SizeIs(0));
    EXPECT_THAT(series_of<Line>(chart.panels[0]).at(0).x, ElementsAre(100, 300));
    EXPECT_THAT(chart.caption, HasSubstr("one run per setting."));
    EXPECT_THAT(chart.caption, Not(HasSubstr("band")));
    EXPECT_THAT(chart.caption, HasSubstr("2 numbers are not finite and are left out."));
}

TEST(ScoresAgainstAxis, AnAxisIsLogarithmicOverMoreThanTwoDecades)
{
    EXPECT_TRUE(axis_of({.label = "η", .values = {"a", "b"}, .numbers = {1e-4, 0.1}}).logarithmic);
    EXPECT_FALSE(axis_of({.label = "η", .values = {"a", "b"}, .numbers = {0.01, 1}}).logarithmic);   // two, not more
    EXPECT_FALSE(axis_of({.label = "η", .values = {"a", "b"}, .numbers = {0, 1000}}).logarithmic);
    EXPECT_FALSE(axis_of(family_axis()).logarithmic);
}

TEST(ScoresAgainstAxis, WordsAreSideBySideWithBars)
{
    const auto chart  = to_chart(one_panel(family_axis(), {{"100", {{1, 3}, {4, 4}}}, {"200", {{2}, {}}}}));
    const auto& panel = chart.panels.at(0);
    EXPECT_THAT(panel.x.categories, ElementsAre("mean_field", "layer_scale"));
    EXPECT_THAT(series_of<Line>(panel), SizeIs(0));
    EXPECT_THAT(series_of<Band>(panel), SizeIs(0));
    const auto bars = series_of<IntervalBars>(panel);
    ASSERT_THAT(bars, SizeIs(1));   // the other one has one seed
    ASSERT_THAT(bars[0].bars, SizeIs(2));
    EXPECT_NEAR(bars[0].bars[0].position, -0.175, 1e-12);
    EXPECT_NEAR(bars[0].bars[0].lower, 2 - std::sqrt(2.0), 1e-12);
    EXPECT_NEAR(bars[0].bars[0].centre, 2, 1e-12);
    EXPECT_NEAR(bars[0].bars[1].position, 0.825, 1e-12);
    const auto points = series_of<Points>(panel);
    EXPECT_EQ(points.back().name, "200");
    EXPECT_EQ(points.back().tone, category(1));
    EXPECT_THAT(points.back().x, ElementsAre(DoubleNear(0.175, 1e-12)));
    EXPECT_THAT(chart.caption, HasSubstr("mean over 1 to 2 seeds; bars: mean ± standard deviation"));
}

TEST(ScoresAgainstAxis, ASeriesKeepsItsColourWhereOthersAreMissing)
{
    auto figure = one_panel(steps_axis(), {{"a", {{}, {}, {}}}, {"b", {{1}, {2}, {3}}}});
    figure.panels.push_back(
        {.title = "Error", .label = "Error", .unit = "%", .series = {{"a", {{}, {}, {}}}, {"b", {{}, {}, {}}}}});
    const auto chart = to_chart(figure);
    ASSERT_THAT(chart.panels, SizeIs(1));   // no series has an error
    EXPECT_EQ(series_of<Line>(chart.panels[0]).at(0).tone, category(1));
}

TEST(ScoresAgainstAxis, WithoutRunsStateThisAndRejectSeriesOfAnotherLength)
{
    EXPECT_EQ(to_chart(one_panel(steps_axis(), {{"a", {{}, {}, {}}}})).message,
              "No run of this sweep has a score yet.");
    EXPECT_EQ(to_chart(ScoresAgainstAxis{.axis = steps_axis(), .panels = {}}).message,
              "No run of this sweep has a score yet.");
    EXPECT_THAT(
        [] {
        to_chart(one_panel(steps_axis(), {{"a", {{1}}}}));
        },
        ThrowsMessage<Error>("NLL of \"a\" has 1 entries, expected one for each of the 3 values of \"Steps\"."));
}

LayerUncertainty blocks_with(std::optional<double> tau, double relative_sd)
{
    BlockUncertainty weights, biases;
    weights.block = "dense 1 weights";
    biases.block  = "dense 1 biases";
    biases.kind   = BlockKind::biases;
    weights.tau = biases.tau   = tau;
    weights.median_relative_sd = biases.median_relative_sd = relative_sd;
    return {weights, biases};
}

TEST(TauAgainstAxis, HasAPanelABlockWithTauOrTheMedianOfTheRelativeSpread)
{
    const TauAgainstAxis figure{
        .axis = family_axis(), .series = {{"", {{blocks_with({}, 0.5), blocks_with({}, 0.7)}, {blocks_with(0.2, 9)}}}}};
    const auto chart = to_chart(figure);
    EXPECT_EQ(chart.id, "sweep_tau");
    ASSERT_THAT(chart.panels, SizeIs(2));
    EXPECT_EQ(chart.panels[0].title, "dense 1 weights");
    EXPECT_EQ(chart.panels[1].title, "dense 1 biases");
    EXPECT_EQ(chart.panels[0].y.label, "τ, or median of σ/|μ|");
    EXPECT_THAT(series_of<Points>(chart.panels[0]).back().y,
                ElementsAre(DoubleNear(0.6, 1e-12), DoubleNear(0.2, 1e-12)));
    EXPECT_THAT(chart.caption, HasSubstr("the median of σ/|μ| of the others"));
}

TEST(TauAgainstAxis, WithOnlyTausIsNamedSoAndWithoutSpreadStatesThis)
{
    const TauAgainstAxis taus{.axis   = family_axis(),
                              .series = {{"", {{blocks_with(0.1, 0.1)}, {blocks_with(0.2, 0.2)}}}}};
    EXPECT_EQ(to_chart(taus).panels.at(0).y.label, "τ");
    const TauAgainstAxis none{.axis = family_axis(), .series = {{"", {{blocks_with({}, 0)}, {}}}}};
    EXPECT_THAT(to_chart(none).message, HasSubstr("relative weight spread"));
}

}   // namespace

}   // namespace credence
