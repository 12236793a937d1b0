// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "images/image_transforms.h"
#include "sources/stroke_digits.h"
#include "unit/images/stroke_image.h"

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

namespace {

/// Different in every channel, row and column, with a bright border.
std::vector<float> colours(ImageShape shape)
{
    std::vector<float> out;
    for (int i = 0; i < shape.size(); ++i)
        out.push_back(static_cast<float>((i * 37 + i * i) % 251));
    return out;
}

float at(const std::vector<float>& image, ImageShape shape, int c, int y, int x)
{
    return image[static_cast<std::size_t>((c * shape.height + y) * shape.width + x)];
}

std::pair<double, double> centre_of_mass(const std::vector<float>& image, ImageShape shape)
{
    double x = 0, y = 0;
    for (int i = 0; i < shape.size(); ++i) {
        x += image[static_cast<std::size_t>(i)] * (i % shape.width);
        y += image[static_cast<std::size_t>(i)] * (i / shape.width);
    }
    return {x / sum(image), y / sum(image)};
}

}   // namespace

TEST(Placed, WithoutChangesReturnsTheImage)
{
    const auto image = sign(3);
    EXPECT_EQ(placed(image, digit, {}), image);
    for (const double turns : {-360.0, 360.0, 720.0})
        EXPECT_EQ(placed(image, digit, {.degrees = turns}), image) << turns;
}

TEST(Placed, FourQuarterTurnsAreTheIdentityAndOneIsCounterClockwise)
{
    const ImageShape shape{3, 6, 6};
    const auto image = colours(shape);
    const auto once  = placed(image, shape, {.degrees = 90});
    for (int c = 0; c < 3; ++c)
        for (int y = 0; y < 6; ++y)
            for (int x = 0; x < 6; ++x)
                EXPECT_EQ(at(once, shape, c, 5 - x, y),
                          at(image, shape, c, y, x));   // the right edge becomes the upper one
    auto turned = image;
    for (int i = 0; i < 4; ++i)
        turned = placed(turned, shape, {.degrees = 90});
    EXPECT_EQ(turned, image);
    EXPECT_EQ(placed(once, shape, {.degrees = -90}), image);
    EXPECT_EQ(placed(once, shape, {.degrees = 90}), placed(image, shape, {.degrees = 180}));
}

TEST(Placed, AnIntegerShiftMovesPixelsAndFillsWithTheBackground)
{
    const auto image = sign(7);
    const auto moved = placed(image, digit, {.right = 3, .down = -2});
    for (int y = 0; y < 28; ++y)
        for (int x = 0; x < 28; ++x)
            EXPECT_EQ(at(moved, digit, 0, y, x), x >= 3 && y + 2 < 28 ? at(image, digit, 0, y + 2, x - 3) : 0);
}

TEST(Placed, AHalfShiftIsTheMeanOfTwoNeighbours)
{
    const auto image = sign(2);
    const auto moved = placed(image, digit, {.right = 0.5});
    for (int y = 0; y < 28; ++y)
        for (int x = 1; x < 28; ++x)
            EXPECT_NEAR(at(moved, digit, 0, y, x), (at(image, digit, 0, y, x) + at(image, digit, 0, y, x - 1)) / 2,
                        1e-4);
}

TEST(Placed, ScaleAndRotationKeepTheCentreAndShiftMovesTheMass)
{
    const auto image   = sign(8);
    const auto before  = centre_of_mass(image, digit);
    const double angle = 30 * std::acos(-1.0) / 180;
    const auto after   = centre_of_mass(placed(image, digit, {.degrees = 30, .scale = 0.8, .right = 1.25, .down = 2}),
                                        digit);
    const double dx = before.first - 13.5, dy = before.second - 13.5;
    EXPECT_NEAR(after.first, 13.5 + 0.8 * (std::cos(angle) * dx + std::sin(angle) * dy) + 1.25, 0.02);
    EXPECT_NEAR(after.second, 13.5 + 0.8 * (-std::sin(angle) * dx + std::cos(angle) * dy) + 2, 0.02);
}

TEST(Placed, BackgroundIsTheMedianOfTheBorderChannelByChannel)
{
    const ImageShape shape{2, 4, 5};
    std::vector<float> image(40, 7.0f);
    for (int i = 20; i < 40; ++i)
        image[static_cast<std::size_t>(i)] = 90;
    image[0] = 255;
    EXPECT_THAT(ground_of(image, shape), testing::ElementsAre(7, 90));
    const auto moved = placed(image, shape, {.right = 5});
    EXPECT_EQ(moved, std::vector<float>([] {
                  auto all = std::vector<float>(40, 7.0f);
                  std::fill(all.begin() + 20, all.end(), 90.0f);
                  return all;
              }()));
}

TEST(Placed, RejectsInvalidPlacements)
{
    const auto image = sign(1);
    EXPECT_THAT([&] { placed(image, digit, {.scale = 0}); },
                ThrowsMessage<Error>("An image cannot be scaled by 0, expected a number above 0."));
    EXPECT_THAT([&] { placed(image, digit, {.degrees = NAN}); },
                ThrowsMessage<Error>("An image cannot be rotated or shifted by nan, expected a finite number."));
}

TEST(Blurred, KeepsTheSumOfEveryChannelAlsoAtTheBorder)
{
    const ImageShape shape{3, 5, 7};
    const auto image = colours(shape);
    for (const double sd : {0.3, 1.0, 4.0, 20.0}) {
        const auto out = blurred(image, shape, sd);
        for (int c = 0; c < 3; ++c)
            EXPECT_NEAR(std::accumulate(out.begin() + 35 * c, out.begin() + 35 * (c + 1), 0.0),
                        std::accumulate(image.begin() + 35 * c, image.begin() + 35 * (c + 1), 0.0), 0.01)
                << sd;
    }
}

TEST(Blurred, ADotBecomesTheGaussian)
{
    const ImageShape shape{1, 31, 31};
    std::vector<float> dot(31 * 31, 0.0f);
    dot[15 * 31 + 15] = 255;
    const auto out    = blurred(dot, shape, 2);
    for (const auto& [x, y] : {std::pair{15, 15}, {16, 15}, {18, 13}, {15, 20}})
        EXPECT_NEAR(at(out, shape, 0, y, x),
                    255 / (2 * std::acos(-1.0) * 4) * std::exp(-((x - 15) * (x - 15) + (y - 15) * (y - 15)) / 8.0),
                    0.01);
}

TEST(Blurred, VarianceAdds)
{
    const auto image = sign(5);
    const auto twice = blurred(blurred(image, digit, 1.2), digit, 0.9), once = blurred(image, digit, 1.5);
    for (std::size_t i = 0; i < image.size(); ++i)
        EXPECT_NEAR(twice[i], once[i], 0.05);
}

TEST(Blurred, ZeroReturnsTheImageAndNegativeIsRejected)
{
    EXPECT_EQ(blurred(sign(4), digit, 0), sign(4));
    EXPECT_THAT([] { blurred(sign(4), digit, -1); },
                ThrowsMessage<Error>("An image cannot be blurred by -1 pixels, expected 0 to 1000."));
}

TEST(WithNoise, HasTheStandardDeviationAskedForAndStaysInRange)
{
    const std::vector<float> grey(20000, 128.0f);
    const auto noisy = with_noise(grey, 20, 5);
    double mean = sum(noisy) / 20000, variance = 0;
    for (const float v : noisy)
        variance += (v - mean) * (v - mean) / 20000;
    EXPECT_NEAR(mean, 128, 0.6);
    EXPECT_NEAR(std::sqrt(variance), 20, 0.5);
    EXPECT_THAT(with_noise(grey, 500, 5), testing::Each(testing::AllOf(testing::Ge(0), testing::Le(255))));
}

TEST(WithNoise, IsAFunctionOfTheSeed)
{
    const auto image = sign(6);
    EXPECT_EQ(with_noise(image, 40, 1), with_noise(image, 40, 1));
    EXPECT_NE(with_noise(image, 40, 1), with_noise(image, 40, 2));
    EXPECT_EQ(with_noise(image, 0, 1), image);
}

TEST(Disturbed, IsMorphThenPlaceThenBlurThenNoise)
{
    const auto image = sign(3);
    const ImageMorph morph(image, sign(8), digit, MorphKind::flow);
    const Disturbance all{.morph      = 0.4,
                          .placement  = {.degrees = 20, .scale = 1.1, .right = 1, .down = -1.5},
                          .blur       = 0.7,
                          .noise      = 15,
                          .noise_seed = 9};
    EXPECT_EQ(disturbed(image, digit, all, &morph),
              with_noise(blurred(placed(morph.at(0.4), digit, all.placement), digit, 0.7), 15, 9));
    auto unmorphed  = all;
    unmorphed.morph = 0;
    EXPECT_EQ(disturbed(image, digit, all), disturbed(image, digit, unmorphed, &morph));
}

TEST(Disturbed, CorruptsLastWithTheSeedOfTheNoise)
{
    const auto image = sign(3);
    EXPECT_EQ(
        disturbed(image, digit, {.blur = 0.7, .noise_seed = 9, .corruption = Corruption::impulse_noise, .severity = 2}),
        corrupted(blurred(image, digit, 0.7), digit, Corruption::impulse_noise, 2, 0, 9));
    EXPECT_TRUE((Disturbance{.corruption = Corruption::fog}.none()));
    EXPECT_FALSE((Disturbance{.severity = 1}.none()));
}

TEST(Disturbed, WithoutChangesIsTheImageItself)
{
    const ImageShape shape{3, 9, 4};
    EXPECT_EQ(disturbed(colours(shape), shape, {}), colours(shape));
    EXPECT_TRUE(Disturbance{}.none());
    EXPECT_TRUE((Disturbance{.placement = {.degrees = 360}, .noise_seed = 8}.none()));
    EXPECT_FALSE((Disturbance{.blur = 0.1}.none()));
}

TEST(Disturbed, AnImageOfOnePixelStaysOne)
{
    const std::vector<float> dot{80};
    const Disturbance all{.placement = {.degrees = 33, .scale = 2, .right = 4}, .blur = 3};
    EXPECT_THAT(disturbed(dot, {1, 1, 1}, all),
                testing::ElementsAre(testing::FloatNear(80, 1e-4)));   // its background is its own colour
}

TEST(Disturbed, IsDescribedInWords)
{
    EXPECT_EQ(description_of({}), "");
    EXPECT_EQ(description_of({.placement = {.degrees = 20}}), ", rotated 20°");
    EXPECT_EQ(
        description_of({.morph = 0.25, .placement = {.scale = 0.9, .right = -2, .down = 1.5}, .blur = 1, .noise = 30},
                       "test image 7"),
        ", 25 % of the way into test image 7, scaled by 0.9, shifted 2 left and 1.5 down, blurred 1 px, noise 30");
    EXPECT_EQ(description_of({.corruption = Corruption::snow, .severity = 3}), ", Snow of severity 3");
}
