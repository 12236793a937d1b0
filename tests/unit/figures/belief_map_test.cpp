// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/belief_map.h"

#include "foundation/error.h"
#include "series_of.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

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
    const auto doubt = series_of<HeatMap>(to_chart(small_beliefs(), BeliefQuantity::doubt).panels.at(0)).at(0);
    EXPECT_EQ(doubt.z_range, Range(0, 2));
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
    const Panel panel = to_chart(small_beliefs(), BeliefQuantity::doubt).panels.at(0);
    EXPECT_EQ(panel.x.range, Range(-0.5, 1.5));
    EXPECT_EQ(panel.y.range, Range(-0.5, 0.5));
}

TEST(BeliefMap, DescribesItsContentAndOmissions)
{
    auto map = small_beliefs();
    EXPECT_THAT(to_chart(map, BeliefQuantity::doubt).caption, HasSubstr("after 1,200 interactions"));
    EXPECT_THAT(to_chart(map, BeliefQuantity::doubt).caption, Not(HasSubstr("points are drawn")));
    map.left_out = 7;
    EXPECT_THAT(to_chart(map, BeliefQuantity::doubt).caption, HasSubstr("The last 4 points are drawn."));
    EXPECT_EQ(to_chart(BeliefMap{.agent = "Uniform choice"}, BeliefQuantity::doubt).message,
              "Uniform choice has no network and thus no beliefs.");
    map.sd_eat.pop_back();
    EXPECT_THAT([&] { to_chart(map, BeliefQuantity::doubt); },
                ThrowsMessage<Error>("Belief map: 1 numbers for 2 cells, expected one per cell."));
}

}   // namespace
}   // namespace credence
