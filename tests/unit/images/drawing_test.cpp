// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/strokes.h"
#include "unit/images/stroke_image.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

using namespace credence;
using namespace stroke_image;

namespace {

DrawnStroke pen(InkLine line) { return {std::move(line), false}; }

struct Measured {
    double x = 0, y = 0, left = 99, right = -1, top = 99, bottom = -1, light = 0;
};
Measured measured(const std::vector<float>& image, ImageShape shape)
{
    Measured m;
    for (int i = 0; i < shape.height * shape.width; ++i) {
        const double light = image[static_cast<std::size_t>(i)], x = i % shape.width, y = i / shape.width;
        m.light += light;
        m.x += light * x;
        m.y += light * y;
        if (light > 127)
            m.left = std::min(m.left, x), m.right = std::max(m.right, x), m.top = std::min(m.top, y),
            m.bottom = std::max(m.bottom, y);
    }
    m.x /= m.light;
    m.y /= m.light;
    return m;
}

}   // namespace

TEST(DrawnImage, IsWhiteWhereThePenWasAndBlackElsewhere)
{
    const auto image = drawn_image({pen({{5, 10, 1.5}, {20, 10, 1.5}})}, digit);
    EXPECT_EQ(image[28 * 10 + 12], 255);
    EXPECT_EQ(image[28 * 10 + 25], 0);
    EXPECT_EQ(image[28 * 20 + 12], 0);
    EXPECT_NEAR(image[28 * 8 + 12], 255 * (1.5 + 0.75 - 2) / 1.5, 0.5);   // the edge is soft
}

TEST(DrawnImage, TheEraserRemovesOnlyEarlierInk)
{
    const auto line = pen({{2, 14, 1.5}, {25, 14, 1.5}});
    const DrawnStroke rubber{{{14, 14, 4}}, true};
    EXPECT_EQ(drawn_image({line, rubber}, digit)[28 * 14 + 14], 0);
    EXPECT_EQ(drawn_image({line, rubber}, digit)[28 * 14 + 4], 255);
    EXPECT_EQ(drawn_image({rubber, line}, digit), drawn_image({line}, digit));
    EXPECT_EQ(drawn_image({line, rubber, line}, digit), drawn_image({line}, digit));
}

TEST(DrawnImage, HasEqualChannelsAndCanBeEmpty)
{
    const ImageShape colour{3, 10, 12};
    const auto image = drawn_image({pen({{4, 5, 1}})}, colour);
    ASSERT_EQ(image.size(), 360U);
    for (std::size_t i = 0; i < 120; ++i)
        EXPECT_TRUE(image[i] == image[120 + i] && image[i] == image[240 + i]);
    EXPECT_THAT(drawn_image({}, digit), testing::Each(0));
    EXPECT_THAT(centred_drawing({}, digit), testing::Each(0));
}

TEST(CentredDrawing, FillsTheBoxOf20PixelsWithItsCentreOfMassInTheMiddle)
{
    for (const double size : {6.0, 12.0, 24.0}) {   // an L in a corner
        const auto image = measured(
            centred_drawing({pen({{2, 2, 1.2}, {2, 2 + size, 1.2}, {2 + size / 2, 2 + size, 1.2}})}, digit), digit);
        EXPECT_NEAR(image.x, 13.5, 0.1) << size;
        EXPECT_NEAR(image.y, 13.5, 0.1) << size;
        EXPECT_NEAR(image.bottom - image.top + 1, 20, 1) << size;
    }
}

TEST(CentredDrawing, DoesNotDependOnWhereItWasDrawn)
{
    const InkLine hook{{4, 4, 1}, {4, 14, 1}, {9, 12, 1}};
    auto elsewhere = hook;
    for (auto& p : elsewhere)
        p.x += 11, p.y += 7;
    const auto a = centred_drawing({pen(hook)}, digit), b = centred_drawing({pen(elsewhere)}, digit);
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(a[i], b[i], 0.01);
}

TEST(CentredDrawing, ADotStaysADotInTheCentre)
{
    const auto dot = measured(centred_drawing({pen({{20, 3, 1}})}, digit), digit);
    EXPECT_NEAR(dot.x, 13.5, 0.1);
    EXPECT_NEAR(dot.y, 13.5, 0.1);
    EXPECT_LE(dot.right - dot.left, 8);
}

TEST(CentredDrawing, CountsVisibleInkAndNotErasedInk)
{
    const auto line = pen({{6, 4, 1}, {6, 12, 1}});
    const std::vector<DrawnStroke> corrected{line, pen({{22, 22, 1}}), {{{22, 22, 4}}, true}};
    const auto a = centred_drawing({line}, digit), b = centred_drawing(corrected, digit);
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(a[i], b[i], 0.01);
}

TEST(CentredDrawing, FitsIntoPicturesOfOtherSizes)
{
    const ImageShape wide{3, 32, 48};
    const auto image = measured(centred_drawing({pen({{2, 2, 1}, {10, 12, 1}})}, wide), wide);
    EXPECT_NEAR(image.x, 23.5, 0.1);
    EXPECT_NEAR(image.y, 15.5, 0.1);
    EXPECT_NEAR(image.bottom - image.top + 1, 32 * 20.0 / 28, 1);
}
