// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/strokes.h"

#include "unit/random_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace credence {
namespace {

constexpr std::size_t paint_height = 12, paint_width = 16;

std::vector<float> cover_of(std::vector<PixelPoint> corners)
{
    std::vector<float> cover(paint_height * paint_width, 7);
    cover_convex(corners, 0.5, paint_height, paint_width, cover);
    return cover;
}

TEST(Paint, ASquareCoversItsAreaInEitherOrientation)
{
    std::vector<PixelPoint> corners{{2.5, 1.5}, {9.5, 1.5}, {9.5, 8.5}, {2.5, 8.5}};
    const auto cover = cover_of(corners);
    EXPECT_NEAR(std::accumulate(cover.begin(), cover.end(), 0.0), 49, 1e-3);
    EXPECT_EQ(cover[5 * paint_width + 5], 1);
    EXPECT_EQ(cover[5 * paint_width + 12], 0);
    std::reverse(corners.begin(), corners.end());
    EXPECT_EQ(cover_of(corners), cover);
}

TEST(Paint, AnEdgeThroughAPixelCoversHalfOfIt)
{
    const auto cover = cover_of({{-50, -50}, {6, -50}, {6, 50}, {-50, 50}});
    for (std::size_t row = 0; row < paint_height; ++row) {
        EXPECT_FLOAT_EQ(cover[row * paint_width + 5], 1);
        EXPECT_FLOAT_EQ(cover[row * paint_width + 6], 0.5f);
        EXPECT_FLOAT_EQ(cover[row * paint_width + 7], 0);
    }
}

TEST(Paint, FewerThanThreeCornersCoverNothing)
{
    for (const float value : cover_of({{1, 1}, {9, 9}}))
        EXPECT_EQ(value, 0);
}

TEST(Paint, LaysAColourOverWhereThereIsCover)
{
    std::vector<float> picture(3 * 2, 100);
    const std::vector<float> cover{1, 0.5f};
    paint(picture, cover, {200, 100, 0}, 0.5);
    EXPECT_EQ(picture, (std::vector<float>{150, 125, 100, 100, 50, 75}));
}

TEST(Paint, MotionKeepsAConstantPictureAndSmearsAPointAlongItsWay)
{
    std::vector<float> constant(3 * paint_height * paint_width, 42);
    blur_along(constant, paint_height, paint_width, 3, 2);
    for (const float value : constant)
        EXPECT_NEAR(value, 42, 1e-3);

    std::vector<float> point(3 * paint_height * paint_width);
    point[6 * paint_width + 8] = 100;
    auto still                 = point;
    blur_along(still, paint_height, paint_width, 0, 0);
    EXPECT_EQ(still, point);
    blur_along(point, paint_height, paint_width, 4, 0);
    EXPECT_NEAR(std::accumulate(point.begin(), point.end(), 0.0), 100, 1e-3);
    EXPECT_GT(point[6 * paint_width + 6], 5);
    EXPECT_EQ(point[5 * paint_width + 8], 0);
}

}   // namespace
}   // namespace credence
