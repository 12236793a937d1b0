// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/agent_beliefs.h"
#include "charts/boxplots.h"
#include "foundation/error.h"
#include "unit/charts/series_of.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

BanditDecision small_decision()
{
    return {.agent    = "Mean field, Thompson sampling",
            .what     = "Next: an edible one",
            .eat      = {4, 2, -10, -12.4},
            .leave    = {0, 1, 0, -1},
            .deciding = 2,
            .truth    = 5};
}

TEST(BanditDecision, HasABoxForEachActionWithItsMean)
{
    const auto decision = small_decision();
    const Chart chart   = to_chart(decision);
    const Panel& panel  = chart.panels.at(0);
    EXPECT_THAT(panel.x.categories, ElementsAre("eat", "leave"));
    const auto boxes = series_of<Boxes>(panel).at(0).boxes;
    ASSERT_EQ(boxes.size(), 2U);
    EXPECT_EQ(boxes[0].median, box_of(decision.eat).median);
    EXPECT_EQ(boxes[1].upper_quartile, box_of(decision.leave).upper_quartile);
    const auto points = series_of<Points>(panel);
    ASSERT_EQ(points.size(), 3U);
    EXPECT_THAT(points[0].y, ElementsAre(4, 0, 2, 1)) << "the samples that the choice uses";
    EXPECT_THAT(points[1].y, ElementsAre(::testing::DoubleEq(-4.1), 0));
    EXPECT_THAT(points[2].y, ElementsAre(5, 0)) << "the truth";
}

TEST(BanditDecision, TheFirstSamplesDecideAgainstTheMeanOfAll)
{
    auto decision = small_decision();
    EXPECT_TRUE(decision.eats());
    EXPECT_EQ(to_chart(decision).panels.at(0).title,
              "Next: an edible one. The agent eats it.\nEat: mean −4.1, leave: mean 0");
    EXPECT_THAT(to_chart(decision).caption, HasSubstr("The first 2 samples decide"));
    decision.deciding = 0;
    EXPECT_FALSE(decision.eats());
    EXPECT_THAT(to_chart(decision).panels.at(0).title, HasSubstr("The agent leaves it."));
    EXPECT_THAT(to_chart(decision).caption, Not(HasSubstr("decide")));
}

TEST(BanditDecision, TheChosenActionIsHighlighted)
{
    auto decision      = small_decision();
    const auto eating  = series_of<Boxes>(to_chart(decision).panels.at(0)).at(0).boxes;
    decision.deciding  = 0;
    const auto leaving = series_of<Boxes>(to_chart(decision).panels.at(0)).at(0).boxes;
    EXPECT_EQ(eating[0].tone.kind, Tone::Kind::accent);
    EXPECT_EQ(eating[1].tone.kind, Tone::Kind::muted);
    EXPECT_EQ(leaving[1].tone.kind, Tone::Kind::accent);
}

TEST(BanditDecision, OneNetworkIsALineAndNoNetworkIsAMessage)
{
    const Chart one = to_chart(
        BanditDecision{.agent = "Greedy", .what = "Next", .eat = {3}, .leave = {1}, .by_chance = 0.05});
    EXPECT_THAT(one.caption, HasSubstr("The network has no noise"));
    EXPECT_THAT(one.caption, HasSubstr("In 5 % of the interactions a fair coin decides instead."));
    EXPECT_EQ(series_of<Points>(one.panels.at(0)).size(), 3U) << "as many series as with draws";
    const Chart none = to_chart(BanditDecision{.agent = "Uniform choice"});
    EXPECT_EQ(none.message, "Uniform choice has no network; a fair coin decides.");
    EXPECT_THAT(
        [] {
        to_chart(BanditDecision{.eat = {1, 2}, .leave = {1}});
        },
        ThrowsMessage<Error>("Decision: 2 samples of eating and 1 of leaving, expected the same number."));
}

TEST(BanditDecision, RewardsAreReadWithoutMinusZero)
{
    EXPECT_EQ(reward_text(-0.04), "0");
    EXPECT_EQ(reward_text(-2.06), "−2.1");
    EXPECT_EQ(reward_text(5), "5");
}

using ::testing::FloatEq;

BeliefMap small_beliefs()
{
    return {.agent        = "Mean field, Thompson sampling",
            .interactions = 1200,
            .grid         = {2, 1, {0, 1}, {0, 0}},
            .share_eating = {0.25, 1},
            .mean_eat     = {-3, 4.5},
            .mean_leave   = {0, 0.5},
            .sd_eat       = {2, 0.5},
            .met = {{0.1, 0.2, true, true}, {0.3, 0.4, false, true}, {0.5, 0.6, false, false}, {0.7, 0.8, true, true}}};
}

TEST(BeliefMap, ShareAndAdvantageDivergeAtWhereBothActionsAreEqual)
{
    const auto share = series_of<HeatMap>(to_chart(small_beliefs(), BeliefQuantity::share_eating).panels.at(0)).at(0);
    EXPECT_THAT(share.z, ElementsAre(FloatEq(0.25F), FloatEq(1)));
    EXPECT_EQ(share.z_range, Range(0, 1));
    EXPECT_THAT(share.contours, ElementsAre(0.5));
    const auto advantage = series_of<HeatMap>(to_chart(small_beliefs(), BeliefQuantity::advantage).panels.at(0)).at(0);
    EXPECT_THAT(advantage.z, ElementsAre(FloatEq(-3), FloatEq(4)));
    EXPECT_EQ(advantage.z_range, Range(-4, 4));
    EXPECT_EQ(advantage.map, ColourMap::diverging);
    const auto uncertainty = series_of<HeatMap>(to_chart(small_beliefs(), BeliefQuantity::uncertainty).panels.at(0))
                                 .at(0);
    EXPECT_EQ(uncertainty.z_range, Range(0, 2));
}

TEST(BeliefMap, ShapesShowEachMushroomAndWhetherItWasEaten)
{
    const auto points = series_of<Points>(to_chart(small_beliefs(), BeliefQuantity::share_eating).panels.at(0));
    ASSERT_EQ(points.size(), 4U);
    EXPECT_EQ(points[0].name, "edible, eaten");
    EXPECT_THAT(points[0].x, ElementsAre(0.1, 0.7));
    EXPECT_TRUE(points[1].x.empty()) << "no edible one was left uneaten; live pictures keep their series";
    EXPECT_EQ(points[2].name, "poisonous, eaten");
    EXPECT_THAT(points[2].y, ElementsAre(0.4));
    EXPECT_THAT(points[3].y, ElementsAre(0.6));
    EXPECT_NE(points[0].marker, points[2].marker);
    EXPECT_TRUE(points[2].filled);
    EXPECT_FALSE(points[3].filled);
}

TEST(BeliefMap, AxesEndAtTheEdgesOfTheCells)
{
    const Panel panel = to_chart(small_beliefs(), BeliefQuantity::uncertainty).panels.at(0);
    EXPECT_EQ(panel.x.range, Range(-0.5, 1.5));
    EXPECT_EQ(panel.y.range, Range(-0.5, 0.5));
}

TEST(BeliefMap, DescribesItsContentAndOmissions)
{
    auto map = small_beliefs();
    EXPECT_THAT(to_chart(map, BeliefQuantity::uncertainty).caption, HasSubstr("after 1,200 interactions"));
    EXPECT_THAT(to_chart(map, BeliefQuantity::uncertainty).caption, Not(HasSubstr("points are drawn")));
    map.left_out = 7;
    EXPECT_THAT(to_chart(map, BeliefQuantity::uncertainty).caption, HasSubstr("The last 4 points are drawn."));
    EXPECT_EQ(to_chart(BeliefMap{.agent = "Uniform choice"}, BeliefQuantity::uncertainty).message,
              "Uniform choice has no network and thus no beliefs.");
    map.sd_eat.pop_back();
    EXPECT_THAT([&] { to_chart(map, BeliefQuantity::uncertainty); },
                ThrowsMessage<Error>("Belief map: 1 numbers for 2 cells, expected one per cell."));
}

}   // namespace

}   // namespace credence
