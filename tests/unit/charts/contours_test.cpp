// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/contours.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

namespace {

/// z = 2x + 3y on whole numbers 0 … 4.
HeatMap slope()
{
    HeatMap map{.nx = 5, .ny = 5, .x = {0, 4}, .y = {0, 4}};
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 5; ++x)
            map.z.push_back(static_cast<float>(2 * x + 3 * y));
    return map;
}

}   // namespace

TEST(Contours, OfASlopeAreOnAStraightLine)
{
    const auto segments = contour_segments(slope(), 7.25);
    ASSERT_FALSE(segments.empty());
    double length = 0;
    for (const auto& [x1, y1, x2, y2] : segments) {
        EXPECT_NEAR(2 * x1 + 3 * y1, 7.25, 1e-12);
        EXPECT_NEAR(2 * x2 + 3 * y2, 7.25, 1e-12);
        length += std::hypot(x2 - x1, y2 - y1);
    }
    EXPECT_NEAR(length, std::hypot(7.25 / 2, 7.25 / 3), 1e-9);   // from one axis to the other
}

TEST(Contours, AsOneLineHaveAGapBetweenSegments)
{
    const auto segments = contour_segments(slope(), 7.25);
    const Line line     = contour_line(slope(), 7.25);
    ASSERT_EQ(line.x.size(), 3 * segments.size() - 1);
    for (std::size_t k = 0; k < segments.size(); ++k) {
        EXPECT_EQ((ContourSegment{line.x[3 * k], line.y[3 * k], line.x[3 * k + 1], line.y[3 * k + 1]}), segments[k]);
        EXPECT_TRUE(k + 1 == segments.size() || (std::isnan(line.x[3 * k + 2]) && std::isnan(line.y[3 * k + 2])));
    }
    EXPECT_TRUE(contour_line(slope(), 100).x.empty());
}

TEST(Contours, OnALogarithmicAxisAreAtTheirFactors)
{
    HeatMap map{.nx = 4, .ny = 2, .x = {1, 1000}, .y = {0, 1}, .x_logarithmic = true};
    map.z = {0, 1, 2, 3, 0, 1, 2, 3};   // log10 x
    for (const auto& [x1, y1, x2, y2] : contour_segments(map, 1.5)) {
        EXPECT_NEAR(x1, std::pow(10, 1.5), 1e-9);
        EXPECT_NEAR(x2, std::pow(10, 1.5), 1e-9);
    }
    EXPECT_EQ(contour_segments(map, 1.5).size(), 1U);
}
