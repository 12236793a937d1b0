// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_morph.h"
#include "unit/images/stroke_image.h"

#include "foundation/error.h"
#include "sources/stroke_digits.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

using namespace credence;
using namespace stroke_image;
using testing::ThrowsMessage;

namespace {

std::vector<float> square(int left, int top, int side)
{
    std::vector<float> out(28 * 28, 0.0f);
    for (int y = top; y < top + side; ++y)
        for (int x = left; x < left + side; ++x)
            out[static_cast<std::size_t>(28 * y + x)] = 255;
    return out;
}

}   // namespace

TEST(ImageMorph, StartsAndEndsExactly)
{
    for (const MorphKind kind : {MorphKind::flow, MorphKind::mix}) {
        const ImageMorph morph(sign(1), sign(7), digit, kind);
        for (const double t : {0.0, -3.0})
            EXPECT_EQ(morph.at(t), sign(1));
        for (const double t : {1.0, 1.5})
            EXPECT_EQ(morph.at(t), sign(7));
    }
}

TEST(ImageMorph, LeavesNoJumpAtItsEnds)
{
    const ImageMorph morph(sign(3), sign(8), digit, MorphKind::flow);
    for (const double t : {0.002, 0.998}) {
        const auto near = morph.at(t);
        const auto end  = t < 0.5 ? sign(3) : sign(8);
        for (std::size_t i = 0; i < end.size(); ++i)
            EXPECT_NEAR(near[i], end[i], 6) << t << ", pixel " << i;
    }
}

TEST(ImageMorph, FlowMovesASquareAsAWhole)
{
    const ImageMorph morph(square(3, 5, 6), square(15, 13, 6), digit, MorphKind::flow);
    const auto middle = morph.at(0.5);
    double x = 0, y = 0, spread = 0;
    for (int i = 0; i < 784; ++i)
        x += middle[i] * (i % 28), y += middle[i] * (i / 28);
    x /= sum(middle), y /= sum(middle);
    for (int i = 0; i < 784; ++i)
        spread += middle[i] * (std::pow(i % 28 - x, 2) + std::pow(i / 28 - y, 2));
    EXPECT_NEAR(x, 11.5, 0.1);
    EXPECT_NEAR(y, 11.5, 0.1);
    EXPECT_NEAR(spread / sum(middle), 2 * 35.0 / 12 + 2 * 0.36,
                0.5);   // of a square of 6 and of the soft dots: not the one of two squares 14 apart
    EXPECT_GT(middle[11 * 28 + 11], 200);
}

TEST(ImageMorph, FlowKeepsTheTotalBrightness)
{
    const auto a = sign(1), b = sign(7);
    const ImageMorph morph(a, b, digit, MorphKind::flow);
    for (const double t : {0.2, 0.4, 0.5, 0.6, 0.8})
        EXPECT_NEAR(sum(morph.at(t)), (1 - t) * sum(a) + t * sum(b), 0.12 * sum(b)) << t;   // peaks are cut at 255
}

TEST(ImageMorph, PairsGrainsWithTheLeastSumOfSquares)
{
    // Two bars morph into themselves: every grain stays in place, in any order.
    auto bars        = square(2, 2, 5);
    const auto other = square(18, 20, 5);
    for (std::size_t i = 0; i < bars.size(); ++i)
        bars[i] = std::max(bars[i], other[i]);
    const ImageMorph morph(bars, bars, digit, MorphKind::flow);
    const auto middle = morph.at(0.5);
    for (int y = 10; y < 17; ++y)
        for (int x = 0; x < 28; ++x)
            EXPECT_EQ(middle[28 * y + x], 0);
}

TEST(ImageMorph, MixIsTheWeightedMean)
{
    const ImageShape shape{3, 2, 2};
    std::vector<float> a(12), b(12);
    std::iota(a.begin(), a.end(), 0.0f);
    std::iota(b.rbegin(), b.rend(), 100.0f);
    const auto between = ImageMorph(a, b, shape, MorphKind::mix).at(0.25);
    for (std::size_t i = 0; i < 12; ++i)
        EXPECT_NEAR(between[i], 0.75 * a[i] + 0.25 * b[i], 1e-4);
}

TEST(ImageMorph, ChoosesMixIfThereIsNothingToMove)
{
    const std::vector<float> black(784, 0.0f), white(784, 255.0f);
    EXPECT_EQ(suitable_morph(sign(1), sign(2), digit), MorphKind::flow);
    EXPECT_EQ(suitable_morph(sign(1), black, digit), MorphKind::mix);
    EXPECT_EQ(suitable_morph(white, sign(1), digit), MorphKind::mix);
    EXPECT_EQ(suitable_morph(std::vector<float>(12, 1.0f), std::vector<float>(12, 1.0f), {3, 2, 2}), MorphKind::mix);
    const ImageMorph morph(black, sign(1), digit, MorphKind::flow);
    EXPECT_EQ(morph.kind(), MorphKind::mix);
    EXPECT_NEAR(sum(morph.at(0.5)), sum(sign(1)) / 2, 0.1);
}

TEST(ImageMorph, OfOnePixelChangesItsBrightness)
{
    const std::vector<float> a{100}, b{200};
    EXPECT_THAT(ImageMorph(a, b, {1, 1, 1}, MorphKind::mix).at(0.5), testing::ElementsAre(150));
}

TEST(ImageMorph, RejectsImagesOfDifferentSizes)
{
    EXPECT_THAT([] { ImageMorph(sign(1), std::vector<float>(9), digit, MorphKind::mix); },
                ThrowsMessage<Error>("Two images of 784 and 9 numbers cannot be morphed, expected 784 each."));
}
