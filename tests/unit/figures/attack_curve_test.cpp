// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/attack_curve.h"

#include "figures/arrows.h"
#include "series_of.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::ElementsAre;

namespace {

AttackCurve attack_on(const std::string& name)
{
    return {.name       = name,
            .epsilons   = {0, 0.1, 0.2},
            .attacked   = {.accuracy = {0.98, 0.7, 0.3}, .entropy = {0.05, 0.4, 0.8}},
            .control    = {.accuracy = {0.98, 0.97, 0.95}, .entropy = {0.05, 0.06, 0.1}},
            .zero_share = 0.25,
            .zero_rows  = 0.125};
}

}   // namespace

TEST(AttackCurve, DrawsRunsInColourAndTheirControlsDashed)
{
    const std::vector<AttackCurve> curves{attack_on("mean field"), attack_on("dropout")};
    const auto chart = to_chart(curves, "units", std::vector<double>{0.1});
    ASSERT_EQ(chart.panels.size(), 2U);
    const auto accuracy = series_of<Line>(chart.panels[0]), entropy = series_of<Line>(chart.panels[1]);
    ASSERT_EQ(accuracy.size(), 4U);
    EXPECT_EQ(accuracy[0].name, "mean field");
    EXPECT_THAT(accuracy[0].y, ElementsAre(0.98, 0.7, 0.3));
    EXPECT_EQ(accuracy[0].style, LineStyle::solid);
    EXPECT_EQ(accuracy[1].name, "mean field, random signs");
    EXPECT_THAT(accuracy[1].y, ElementsAre(0.98, 0.97, 0.95));
    EXPECT_EQ(accuracy[1].style, LineStyle::dashed);
    EXPECT_EQ(accuracy[1].tone, accuracy[0].tone);
    EXPECT_NE(accuracy[2].tone, accuracy[0].tone);
    EXPECT_THAT(entropy[0].y, ElementsAre(0.05, 0.4, 0.8));
    EXPECT_THAT(entropy[3].y, ElementsAre(0.05, 0.06, 0.1));
    EXPECT_EQ(chart.panels[0].x.unit, "units");
    EXPECT_EQ(chart.panels[0].x.range, Range(0, 0.2));
}

TEST(AttackCurve, ListsTheRequestedStrengthsAndTheZeros)
{
    const std::vector<AttackCurve> curves{attack_on("mean field")};
    const auto table = to_chart(curves, "units", std::vector<double>{0.05, 0.1, 0.2}).table.value();
    ASSERT_EQ(table.rows.size(), 2U);   // 0.05 is none of the curve
    EXPECT_THAT(table.rows[0], ElementsAre(Cell("mean field"), Cell(0.1), Cell(0.7), Cell(0.4), Cell(0.97), Cell(0.06),
                                           Cell(25.0), Cell(12.5)));
    EXPECT_EQ(table.rows[1][1], Cell(0.2));
    EXPECT_EQ(table.columns.size(), table.rows[0].size());
}

TEST(Arrow, HasAShaftAndAHeadThatPointsBack)
{
    Line arrows;
    add_arrow(arrows, {0, 0}, {1, 0}, {0, 10}, {0, 100});
    ASSERT_EQ(arrows.x.size(), 7U);
    EXPECT_EQ(arrows.x[0], 0);
    EXPECT_EQ(arrows.x[1], 1);
    EXPECT_TRUE(std::isnan(arrows.x[2]) && std::isnan(arrows.y[2]) && std::isnan(arrows.x[6]));
    EXPECT_EQ(arrows.x[4], 1);
    EXPECT_EQ(arrows.y[4], 0);
    EXPECT_LT(arrows.x[3], 1);
    EXPECT_DOUBLE_EQ(arrows.x[3], arrows.x[5]);
    EXPECT_DOUBLE_EQ(arrows.y[3], -arrows.y[5]);
    // Up and down it is as long on paper as along: the axes are 10 and 100 long.
    Line up;
    add_arrow(up, {0, 0}, {0, 10}, {0, 10}, {0, 100});
    EXPECT_NEAR((10 - up.y[3]) / 100, (1 - arrows.x[3]) / 10, 1e-12);
    add_arrow(up, {3, 3}, {3, 3}, {0, 10}, {0, 100});
    EXPECT_EQ(up.x.size(), 7U) << "nothing moved";
}
