// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/bandit_decision.h"

#include "figures/boxplots.h"
#include "foundation/error.h"
#include "series_of.h"

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
    EXPECT_THAT(points[0].y, ElementsAre(4, 0, 2, 1)) << "the draws that decide";
    EXPECT_THAT(points[1].y, ElementsAre(::testing::DoubleEq(-4.1), 0));
    EXPECT_THAT(points[2].y, ElementsAre(5, 0)) << "the truth";
}

TEST(BanditDecision, TheFirstDrawsDecideAgainstTheMeanOfAll)
{
    auto decision = small_decision();
    EXPECT_TRUE(decision.eats());
    EXPECT_EQ(to_chart(decision).panels.at(0).title, "Next: an edible one. It eats it.\nEat: mean −4.1, leave: mean 0");
    EXPECT_THAT(to_chart(decision).caption, HasSubstr("The first 2 draws decide"));
    decision.deciding = 0;
    EXPECT_FALSE(decision.eats());
    EXPECT_THAT(to_chart(decision).panels.at(0).title, HasSubstr("It leaves it."));
    EXPECT_THAT(to_chart(decision).caption, Not(HasSubstr("decide")));
}

TEST(BanditDecision, TheChosenActionIsHighlighted)
{
    auto decision      = small_decision();
    const auto eating  = series_of<Boxes>(to_chart(decision).panels.at(0)).at(0).boxes;
    decision.deciding  = 0;
    const auto leaving = series_of<Boxes>(to_chart(decision).panels.at(0)).at(0).boxes;
    EXPECT_EQ(eating[0].tone.kind, Tone::Kind::accent);
    EXPECT_EQ(eating[1].tone.kind, Tone::Kind::posterior);
    EXPECT_EQ(leaving[1].tone.kind, Tone::Kind::accent);
}

TEST(BanditDecision, OneNetIsALineAndNoNetIsAMessage)
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
        ThrowsMessage<Error>("Decision: 2 draws of eating and 1 of leaving, expected the same number."));
}

TEST(BanditDecision, RewardsAreReadWithoutMinusZero)
{
    EXPECT_EQ(reward_text(-0.04), "0");
    EXPECT_EQ(reward_text(-2.06), "−2.1");
    EXPECT_EQ(reward_text(5), "5");
}

}   // namespace
}   // namespace credence
