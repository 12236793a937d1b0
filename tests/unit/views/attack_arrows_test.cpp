// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/views/drawn.h"
#include "views/views.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::HasSubstr;

TEST(AttackArrowsView, PointFromEveryTestPointToItsAttackedPosition)
{
    auto options           = coarse();
    options.attack.epsilon = 0.25;
    const auto chart       = drawn("attack_arrows", moons(), options);
    EXPECT_EQ(map_of(chart.panels.at(0)).nx, 6);
    const auto& test  = moons().experiment->data->test;
    std::size_t moved = 0, stayed = 0, points = 0;
    for (const auto& series : chart.panels[0].series) {
        if (const auto* arrows = std::get_if<Line>(&series)) {
            for (std::size_t i = 0; i < arrows->x.size(); i += 7, ++moved) {   // shaft, gap, head, gap
                EXPECT_NEAR(std::abs(arrows->x[i + 1] - arrows->x[i]), 0.25, 1e-5);
                EXPECT_NEAR(std::abs(arrows->y[i + 1] - arrows->y[i]), 0.25, 1e-5);
                bool is_point = false;
                for (std::size_t row = 0; row < test.n_rows; ++row)
                    is_point = is_point
                               || std::hypot(static_cast<double>(test.row(row)[0]) - arrows->x[i],
                                             static_cast<double>(test.row(row)[1]) - arrows->y[i])
                                      < 1e-5;
                EXPECT_TRUE(is_point);
            }
        } else if (const auto* some = std::get_if<Points>(&series)) {
            (some->name == "no gradient" ? stayed : points) += some->x.size();
        }
    }
    EXPECT_EQ(moved + stayed, test.n_rows);
    EXPECT_EQ(points, test.n_rows);
    EXPECT_GT(moved, 0U);
    EXPECT_THAT(chart.caption, HasSubstr("strength ε = 0.25 on 12 points of the test set"));
    options.attack.epsilon = 0;
    const Chart still      = drawn("attack_arrows", moons(), options);
    for (const auto& series : still.panels[0].series)
        EXPECT_FALSE(std::holds_alternative<Line>(series)) << "nothing moves";
}
