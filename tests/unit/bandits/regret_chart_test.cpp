// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/regret_chart.h"
#include "foundation/error.h"
#include "unit/charts/series_of.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace credence {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

RegretCurves curves_with(std::vector<std::vector<double>> courses) { return {"Greedy", {10, 20}, std::move(courses)}; }

TEST(RegretChart, StartsAtZeroAndFollowsTheMeanOverTheCourses)
{
    const Chart chart = regret_chart(std::vector{curves_with({{2, 8}, {4, 8}, {6, 11}})});
    const auto line   = series_of<Line>(chart.panels.at(0)).at(0);
    EXPECT_THAT(line.x, ElementsAre(0, 10, 20));
    EXPECT_THAT(line.y, ElementsAre(0, DoubleEq(4), DoubleEq(9)));
    EXPECT_EQ(line.name, "Greedy");
    const auto marks = series_of<Points>(chart.panels.at(0)).at(0);
    EXPECT_EQ(marks.tone, line.tone);
    EXPECT_EQ(marks.x.back(), 20);
    EXPECT_EQ(marks.y.back(), line.y.back());
}

TEST(RegretChart, BandIsOneStandardDeviationOfThreeCoursesAndTheRangeOfTwo)
{
    const Chart three = regret_chart(std::vector{curves_with({{2, 8}, {4, 8}, {6, 11}})});
    const auto band   = series_of<Band>(three.panels.at(0)).at(0);
    EXPECT_NEAR(band.lower.at(1), 4 - 2, 1e-12);
    EXPECT_NEAR(band.upper.at(2), 9 + std::sqrt(3.0), 1e-12);
    EXPECT_THAT(three.caption, HasSubstr("mean over 3 courses; band: mean ± standard deviation"));

    const Chart two  = regret_chart(std::vector{curves_with({{2, 8}, {4, 9}})});
    const auto range = series_of<Band>(two.panels.at(0)).at(0);
    EXPECT_THAT(range.lower, ElementsAre(0, 2, 8));
    EXPECT_THAT(range.upper, ElementsAre(0, 4, 9));
    EXPECT_THAT(two.caption, HasSubstr("band: minimum to maximum"));

    const Chart one = regret_chart(std::vector{curves_with({{2, 8}})});
    EXPECT_THAT(series_of<Band>(one.panels.at(0)), SizeIs(0));
    EXPECT_THAT(one.caption, HasSubstr("one course"));
    EXPECT_THAT(one.caption, Not(HasSubstr("band")));
}

TEST(RegretChart, EachAgentHasItsOwnColour)
{
    auto other        = curves_with({{1, 2}});
    other.name        = "Uniform choice";
    const Chart chart = regret_chart(std::vector{curves_with({{2, 8}}), other});
    const auto lines  = series_of<Line>(chart.panels.at(0));
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].tone, category(0));
    EXPECT_EQ(lines[1].tone, category(1));
}

TEST(RegretChart, RelativeRegretOfTheUniformChoiceEndsAt100)
{
    const auto uniform = curves_with({{40, 90}, {55, 110}}), agent = curves_with({{20, 40}, {2, 10}});
    const Chart chart = regret_chart(std::vector{agent, uniform}, std::vector{uniform, uniform});
    const auto lines  = series_of<Line>(chart.panels.at(0));
    EXPECT_NEAR(lines.at(0).y.back(), 25, 1e-12) << "the mean of 40 and 10 over that of 90 and 110";
    EXPECT_NEAR(lines.at(1).y.back(), 100, 1e-12);
    EXPECT_THAT(chart.panels[0].y.label, HasSubstr("= 100"));
}

/// Regrets of the uniform choice: it leaves an edible mushroom (5), eats a poisonous one (35 or
/// -5), or loses nothing. Mean 5, standard deviation 11.7.
RegretCurves uniform_by_chance(long interactions, int seeds, std::mt19937& random)
{
    RegretCurves curves;
    for (int s = 0; s < seeds; ++s) {
        double sum   = 0;
        auto& course = curves.cumulative.emplace_back();
        for (long i = 0; i < interactions; ++i) {
            const auto face = random() % 8;
            course.push_back(sum += face < 2 ? 5 : face == 2 ? 35 : face == 3 ? -5 : 0);
        }
    }
    return curves;
}

TEST(RegretChart, AShownRatioHasAnAccurateDenominator)
{
    std::mt19937 random(1);
    const auto shown = [&](long interactions, int seeds) {
        constexpr int repeats = 2000;
        int clear = 0, far = 0;
        for (int r = 0; r < repeats; ++r) {
            const auto whole = clear_regret_of_uniform(uniform_by_chance(interactions, seeds, random));
            clear += whole ? 1 : 0;
            far += whole && std::fabs(*whole / (5.0 * static_cast<double>(interactions)) - 1) > 0.75 ? 1 : 0;
        }
        EXPECT_LE(far, repeats / 100) << interactions << " interactions, " << seeds << " seeds";
        return static_cast<double>(clear) / repeats;
    };
    EXPECT_LT(shown(20, 1), 0.05);
    EXPECT_LT(shown(20, 3), 0.5);
    shown(40, 3);
    EXPECT_GT(shown(100, 3), 0.95);
    EXPECT_GT(shown(400, 1), 0.99);
}

TEST(RegretChart, ARegretOfOneInteractionOrNoneIsNotClear)
{
    EXPECT_EQ(clear_regret_of_uniform({}), std::nullopt);
    EXPECT_EQ(clear_regret_of_uniform(curves_with({{}})), std::nullopt);
    EXPECT_EQ(clear_regret_of_uniform({"one", {1}, {{5}}}), std::nullopt);
    EXPECT_EQ(clear_regret_of_uniform(curves_with({{-5, -10}})), std::nullopt);
    EXPECT_EQ(clear_regret_of_uniform(curves_with({{5, 10}})), std::optional(10.0));
}

TEST(RegretChart, NewCoursesStartAtZero)
{
    const Chart chart = regret_chart(std::vector{RegretCurves{"Greedy", {}, {{}}}});
    const auto line   = series_of<Line>(chart.panels.at(0)).at(0);
    EXPECT_THAT(line.x, ElementsAre(0));
    EXPECT_THAT(line.y, ElementsAre(0));
    EXPECT_THAT(regret_chart({}).message, HasSubstr("Tick one"));
}

TEST(RegretChart, RejectsInconsistentCourses)
{
    EXPECT_THAT(
        [] { regret_chart(std::vector{curves_with({{1}})}); },
        ThrowsMessage<Error>("Regret of \"Greedy\": a course has 1 numbers, expected one for each of 2 steps."));
    const auto agent = curves_with({{1, 2}, {1, 2}});
    EXPECT_THAT(
        [&] {
        regret_chart(std::vector{agent}, std::vector{curves_with({{1, 2}})});
        },
        ThrowsMessage<Error>(HasSubstr("the uniform choice has 1 courses, expected 2")));
    EXPECT_THAT(
        [&] {
        regret_chart(std::vector{agent}, std::vector{curves_with({{1, 0}, {1, 2}})});
        },
        ThrowsMessage<Error>(HasSubstr("the regret of the uniform choice is not clearly above 0")));
    EXPECT_THAT(
        [&] {
        regret_chart(std::vector{agent}, std::vector{agent, agent});
        },
        ThrowsMessage<Error>(HasSubstr("for 2 agents, expected 1")));
}

TEST(EatenChart, HasAPanelForEdibleAndOneForPoisonousOnesAndSkipsQuartersWithoutAny)
{
    const Chart chart = eaten_chart(std::vector{EatenShares{"Greedy", {0.25, 0.5, {}, 1.0}, {0.5, 0.1, 0.0, 0.0}}});
    ASSERT_EQ(chart.panels.size(), 2U);
    const auto edible = series_of<Line>(chart.panels[0]).at(0), poisonous = series_of<Line>(chart.panels[1]).at(0);
    EXPECT_THAT(edible.x, ElementsAre(0, 1, 3));
    EXPECT_THAT(edible.y, ElementsAre(25, 50, 100));
    EXPECT_THAT(poisonous.y, ElementsAre(50, DoubleEq(10), 0, 0));
    EXPECT_THAT(chart.panels[0].x.categories, ElementsAre("1", "2", "3", "4"));
    EXPECT_EQ(chart.panels[0].y.range, chart.panels[1].y.range);
    EXPECT_THAT(eaten_chart({}).message, HasSubstr("Tick one"));
}

}   // namespace

}   // namespace credence
