// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "images/corruptions.h"
#include "images/image_transforms.h"
#include "sources/traffic_signs.h"
#include "unit/images/stroke_image.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace credence {
namespace {

using ::testing::ThrowsMessage;

struct Images {
    ImageShape shape;
    std::vector<std::vector<float>> images;
};

Images images_of_set(const ImageSet& set)
{
    Images out{{static_cast<int>(set.channels), static_cast<int>(set.height), static_cast<int>(set.width)}, {}};
    for (std::size_t i = 0; i < set.n; ++i)
        out.images.emplace_back(set.image(i).begin(), set.image(i).end());
    return out;
}

/// Grey digits on black, and signs in colour.
const std::vector<Images>& both_sets()
{
    static const std::vector<Images> sets{images_of_set(draw_strokes({.n = 20, .seed = 3})),
                                          images_of_set(draw_traffic_signs({.n = 20, .seed = 3}))};
    return sets;
}

std::vector<Corruption> all_corruptions()
{
    std::vector<Corruption> out;
    for (int kind = 0; kind < corruption_kinds; ++kind)
        out.push_back(static_cast<Corruption>(kind));
    return out;
}

constexpr ImageShape plane{1, 64, 64};

std::vector<float> constant(float value, ImageShape shape)
{
    return std::vector<float>(static_cast<std::size_t>(shape.size()), value);
}

/// Mean and variance of the values of a corrupted grey plane, black to white being 1.
std::pair<double, double> moments_of_plane(Corruption kind, int severity, float value)
{
    double sum = 0, squares = 0;
    long n = 0;
    for (std::uint32_t index = 0; index < 16; ++index)
        for (const float x : corrupted(constant(value, plane), plane, kind, severity, index, 1)) {
            sum += x / 255.0;
            squares += x / 255.0 * x / 255.0;
            ++n;
        }
    const double mean = sum / static_cast<double>(n);
    return {mean, squares / static_cast<double>(n) - mean * mean};
}

TEST(Corruptions, OfSeverityZeroAreTheImage)
{
    for (const auto& [shape, images] : both_sets())
        for (const auto kind : all_corruptions())
            EXPECT_EQ(corrupted(images[2], shape, kind, 0, 2, 1), images[2]) << title_of(kind);
}

TEST(Corruptions, ChangeImagesMoreWithEachSeverity)
{
    for (const auto& [shape, images] : both_sets())
        for (const auto kind : all_corruptions()) {
            double last = 0;
            for (int severity = 1; severity <= corruption_severities; ++severity) {
                double change = 0;
                for (std::size_t i = 0; i < images.size(); ++i) {
                    const auto out = corrupted(images[i], shape, kind, severity, static_cast<std::uint32_t>(i), 1);
                    for (std::size_t j = 0; j < out.size(); ++j)
                        change += std::pow(out[j] - images[i][j], 2);
                }
                EXPECT_GT(change, 1.1 * last)
                    << title_of(kind) << ", severity " << severity << ", " << shape.channels << " channels";
                last = change;
            }
        }
}

TEST(Corruptions, StayBetweenBlackAndWhite)
{
    for (const auto& [shape, images] : both_sets())
        for (const auto kind : all_corruptions())
            for (int severity = 1; severity <= corruption_severities; ++severity)
                for (const auto& image : {images[0], images[1], constant(255, shape), constant(0, shape)}) {
                    const auto out = corrupted(image, shape, kind, severity, 0, 1);
                    ASSERT_EQ(out.size(), image.size());
                    const auto [low, high] = std::minmax_element(out.begin(), out.end());
                    EXPECT_GE(*low, 0) << title_of(kind) << ", severity " << severity;
                    EXPECT_LE(*high, 255) << title_of(kind) << ", severity " << severity;
                }
}

TEST(Corruptions, OfTinyImagesAreFinite)
{
    for (const ImageShape shape : {ImageShape{1, 1, 1}, ImageShape{3, 2, 5}, ImageShape{1, 9, 3}})
        for (const auto kind : all_corruptions())
            for (int severity = 1; severity <= corruption_severities; ++severity)
                for (const float x : corrupted(constant(100, shape), shape, kind, severity, 0, 1))
                    ASSERT_TRUE(x >= 0 && x <= 255) << title_of(kind) << ": " << x;
}

TEST(Corruptions, DependOnSeedIndexKindAndSeverityAndOnNothingElse)
{
    const auto image = stroke_image::sign(3);
    const auto noisy = [&](Corruption kind, int severity, std::uint32_t index, std::uint64_t seed) {
        return corrupted(image, stroke_image::digit, kind, severity, index, seed);
    };
    for (const auto kind :
         {Corruption::gaussian_noise, Corruption::shot_noise, Corruption::impulse_noise, Corruption::glass_blur,
          Corruption::motion_blur, Corruption::snow, Corruption::frost, Corruption::fog, Corruption::elastic}) {
        EXPECT_EQ(noisy(kind, 3, 7, 1), noisy(kind, 3, 7, 1)) << title_of(kind);
        EXPECT_NE(noisy(kind, 3, 7, 1), noisy(kind, 3, 8, 1)) << title_of(kind);
        EXPECT_NE(noisy(kind, 3, 7, 1), noisy(kind, 3, 7, 2)) << title_of(kind);
    }
    for (const auto kind : {Corruption::defocus_blur, Corruption::zoom_blur, Corruption::brightness,
                            Corruption::contrast, Corruption::pixelation, Corruption::jpeg})
        EXPECT_EQ(noisy(kind, 3, 7, 1), noisy(kind, 3, 8, 2)) << title_of(kind) << " has no noise";
}

TEST(Corruptions, HaveTheSameBitsForAnyNumberOfThreads)
{
    const auto& [shape, images] = both_sets()[1];
    const auto corrupt_all      = [&images = images, shape = shape](int threads) {
        std::vector<std::vector<float>> out(static_cast<std::size_t>(corruption_kinds) * images.size());
        Threads(threads).run([&] {
            parallel_for(out.size(), [&](std::size_t i) {
                const auto image = i % images.size();
                out[i]           = corrupted(images[image], shape, static_cast<Corruption>(i / images.size()), 4,
                                                  static_cast<std::uint32_t>(image), 1);
            });
        });
        return out;
    };
    EXPECT_EQ(corrupt_all(1), corrupt_all(3));
}

TEST(GaussianNoiseCorruption, HasTheStatedStandardDeviation)
{
    const double sd[] = {0.06, 0.10, 0.15};   // larger ones are clipped
    for (int severity = 1; severity <= 3; ++severity) {
        const auto [mean, variance] = moments_of_plane(Corruption::gaussian_noise, severity, 127.5f);
        EXPECT_NEAR(mean, 0.5, 0.003);
        EXPECT_NEAR(std::sqrt(variance), sd[severity - 1], 0.01 * sd[severity - 1]);
    }
}

TEST(ShotNoiseCorruption, HasTheVarianceOfPoissonCounts)
{
    const double photons[] = {60, 30, 15, 8, 4};
    for (int severity = 1; severity <= 5; ++severity) {
        const double grey           = 0.2;
        const auto [mean, variance] = moments_of_plane(Corruption::shot_noise, severity, 51);
        EXPECT_NEAR(mean, grey, 0.005) << severity;
        EXPECT_NEAR(variance, grey / photons[severity - 1], 0.03 * grey / photons[severity - 1]) << severity;
    }
    EXPECT_EQ(corrupted(constant(0, plane), plane, Corruption::shot_noise, 5, 0, 1), constant(0, plane))
        << "black has no photons";
}

TEST(ImpulseNoiseCorruption, TurnsTheStatedShareBlackOrWhite)
{
    const double shares[] = {0.02, 0.05, 0.10, 0.17, 0.27};
    for (int severity = 1; severity <= 5; ++severity) {
        long black = 0, white = 0, n = 0;
        for (std::uint32_t index = 0; index < 16; ++index)
            for (const float x :
                 corrupted(constant(100, plane), plane, Corruption::impulse_noise, severity, index, 1)) {
                black += x == 0;
                white += x == 255;
                ++n;
                EXPECT_TRUE(x == 0 || x == 255 || x == 100);
            }
        const auto half = shares[severity - 1] / 2 * static_cast<double>(n);
        EXPECT_NEAR(static_cast<double>(black), half, 5 * std::sqrt(half));
        EXPECT_NEAR(static_cast<double>(white), half, 5 * std::sqrt(half));
    }
}

TEST(Corruptions, ThatMoveOrAveragePixelsLeaveAConstantImage)
{
    for (const ImageShape shape : {ImageShape{1, 28, 28}, ImageShape{3, 32, 32}, ImageShape{3, 19, 45}})
        for (const auto kind :
             {Corruption::defocus_blur, Corruption::glass_blur, Corruption::motion_blur, Corruption::zoom_blur,
              Corruption::elastic, Corruption::pixelation, Corruption::contrast})
            for (int severity = 1; severity <= corruption_severities; ++severity)
                for (const float x : corrupted(constant(90, shape), shape, kind, severity, 3, 1))
                    ASSERT_NEAR(x, 90, 1e-3) << title_of(kind);
}

TEST(BlurCorruptions, SpreadAPointSymmetricallyAndKeepItsMass)
{
    const ImageShape shape{1, 33, 33};
    auto image                                    = constant(0, shape);
    image[static_cast<std::size_t>(16 * 33 + 16)] = 255;
    for (const auto kind : {Corruption::defocus_blur, Corruption::motion_blur})
        for (int severity = 1; severity <= corruption_severities; ++severity) {
            const auto out = corrupted(image, shape, kind, severity, 0, 1);
            EXPECT_NEAR(std::accumulate(out.begin(), out.end(), 0.0), 255, 0.01) << title_of(kind);
            for (std::size_t i = 0; i < out.size(); ++i)
                EXPECT_NEAR(out[i], out[out.size() - 1 - i], 1e-3) << title_of(kind);
        }
}

TEST(BrightnessCorruption, KeepsHueAndSaturation)
{
    const ImageShape shape{3, 1, 2};
    const std::vector<float> image{100, 0, 50, 0, 25, 0};   // a reddish pixel, and black
    const auto out = corrupted(image, shape, Corruption::brightness, 2, 0, 1);
    for (const std::size_t channel : {0U, 1U, 2U}) {
        EXPECT_NEAR(out[2 * channel], image[2 * channel] * 151 / 100, 1e-3);
        EXPECT_NEAR(out[2 * channel + 1], 51, 1e-3);
    }
}

TEST(ContrastCorruption, ShrinksTheDistanceFromTheMeanOfEachChannel)
{
    const ImageShape shape{2, 1, 2};
    EXPECT_THAT(corrupted(std::vector<float>{0, 100, 40, 80}, shape, Corruption::contrast, 2, 0, 1),
                testing::ElementsAre(25, 75, 50, 70));
}

TEST(FogCorruption, OnlyLightens)
{
    for (const auto& [shape, images] : both_sets()) {
        const auto out = corrupted(images[0], shape, Corruption::fog, 3, 0, 1);
        for (std::size_t i = 0; i < out.size(); ++i)
            EXPECT_GE(out[i], images[0][i]);
    }
}

TEST(PixelationCorruption, LeavesFewDifferentValues)
{
    const ImageShape shape{1, 32, 32};
    std::vector<float> image(1024);
    for (std::size_t i = 0; i < image.size(); ++i)
        image[i] = static_cast<float>(i) / 5;
    const auto out = corrupted(image, shape, Corruption::pixelation, 5, 0, 1);
    auto values    = out;
    std::sort(values.begin(), values.end());
    EXPECT_EQ(std::unique(values.begin(), values.end()) - values.begin(), 64);   // round(0.24 · 32)² cells
    EXPECT_NEAR(out[0], (1.5 + 1.5 * 32) / 5, 1e-4);   // the mean of the first cell, 4 × 4 pixels
    EXPECT_EQ(out[3 * 32 + 3], out[0]);
    EXPECT_NE(out[3 * 32 + 4], out[0]);
}

TEST(JpegCorruption, QuantisesTheMeanOfAFlatBlock)
{
    // The first coefficient of a flat block is 8 (x − 128); at severity 1 its step is 2 · 16.
    const ImageShape shape{1, 8, 8};
    for (const float x : corrupted(constant(101, shape), shape, Corruption::jpeg, 1, 0, 1))
        EXPECT_NEAR(x, 128 + std::round(8 * (101 - 128) / 32.0) * 32 / 8, 1e-3);
}

TEST(JpegCorruption, ChangesBlocksAloneAndGreyStaysGrey)
{
    const ImageShape shape{3, 16, 16};
    auto image = constant(128, shape);   // whose coefficients are all zero
    for (int channel = 0; channel < 3; ++channel)
        image[static_cast<std::size_t>(channel * 256 + 3 * 16 + 5)] = 255;
    const auto out = corrupted(image, shape, Corruption::jpeg, 1, 0, 1);
    bool changed   = false;
    for (std::size_t i = 0; i < 256; ++i) {
        EXPECT_NEAR(out[i], out[256 + i], 1e-3);
        EXPECT_NEAR(out[i], out[512 + i], 1e-3);
        if (i / 16 < 8 && i % 16 < 8)
            changed |= std::abs(out[i] - image[i]) > 1;
        else
            EXPECT_NEAR(out[i], 128, 1e-3);
    }
    EXPECT_TRUE(changed);
}

TEST(Corruptions, RejectASeverityOutsideTheRange)
{
    const auto image = stroke_image::sign(1);
    for (const int severity : {-1, 6})
        EXPECT_THAT([&] { corrupted(image, stroke_image::digit, Corruption::fog, severity, 0, 1); },
                    ThrowsMessage<Error>("Severity " + std::to_string(severity) + " was requested, expected 0 to 5."));
}

}   // namespace
}   // namespace credence
