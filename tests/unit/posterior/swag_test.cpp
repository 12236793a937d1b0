// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/swag.h"

#include "foundation/parallel.h"
#include "unit/random_values.h"

#include <gmock/gmock.h>

#include <cmath>

namespace credence::testing {
namespace {

constexpr std::size_t n_weights = 20;

/// Iterate i: weights of different size and location.
std::vector<float> iterate(std::uint64_t i, std::size_t n = n_weights)
{
    auto weights = normals<float>(n, 100 + i);
    for (std::size_t k = 0; k < n; ++k)
        weights[k] = weights[k] * (0.1f + 0.05f * static_cast<float>(k % 20)) + static_cast<float>(k % 7);
    return weights;
}

SwagMoments moments_of(std::uint64_t n_iterates, std::size_t rank)
{
    SwagMoments moments(n_weights, rank);
    for (std::uint64_t i = 0; i < n_iterates; ++i)
        moments.add(iterate(i));
    return moments;
}

TEST(Swag, MeanAndVarianceAreThoseOfTheIterates)
{
    const auto moments = moments_of(30, 5);
    EXPECT_EQ(moments.count(), 30);
    for (std::size_t k = 0; k < n_weights; ++k) {
        double mean = 0, square = 0;
        for (std::uint64_t i = 0; i < 30; ++i) {
            const double w = iterate(i)[k];
            mean += w / 30;
            square += w * w / 30;
        }
        EXPECT_NEAR(moments.mean()[k], mean, 1e-12);
        EXPECT_NEAR(moments.variance(k), square - mean * mean, 1e-12 * square);
    }
}

/// Mean of (w − w̄)² over many draws, of each weight.
std::vector<double> spread_of_samples(const SwagMoments& moments, double scale, int n_draws)
{
    std::vector<double> squares(n_weights);
    std::vector<float> w(n_weights);
    for (int s = 0; s < n_draws; ++s) {
        moments.draw({3, Stream::samplers, static_cast<std::uint32_t>(s)}, scale, w);
        for (std::size_t k = 0; k < n_weights; ++k)
            squares[k] += std::pow(static_cast<double>(w[k]) - moments.mean()[k], 2) / n_draws;
    }
    return squares;
}

TEST(Swag, DrawsOfTheDiagonalHaveItsVariancesTimesTheSquareOfTheScale)
{
    constexpr int n_draws = 20'000;
    const auto moments    = moments_of(30, 0);
    const auto spread     = spread_of_samples(moments, 0.5, n_draws);
    for (std::size_t k = 0; k < n_weights; ++k) {
        const double want = 0.25 * moments.variance(k);
        EXPECT_NEAR(spread[k], want, 5 * want * std::sqrt(2.0 / n_draws)) << k;
    }
}

TEST(Swag, LowRankSamplesCombineTheDiagonalAndTheLastDeviationsEqually)
{
    constexpr int n_draws   = 20'000;
    constexpr std::size_t R = 4;
    const auto moments      = moments_of(10, R);
    const auto spread       = spread_of_samples(moments, 1, n_draws);
    for (std::size_t k = 0; k < n_weights; ++k) {
        double mean = 0, squares = 0;   // of the deviations of iterates 7 to 10 from their running means
        for (std::uint64_t i = 0; i < 10; ++i) {
            const double w = iterate(i)[k];
            mean += (w - mean) / static_cast<double>(i + 1);
            squares += i >= 6 ? (w - mean) * (w - mean) : 0;
        }
        const double want = moments.variance(k) / 2 + squares / (2 * (R - 1));
        EXPECT_NEAR(spread[k], want, 5 * want * std::sqrt(2.0 / n_draws)) << k;
    }
}

TEST(Swag, WithoutScaleEverySampleIsTheMean)
{
    const auto moments = moments_of(12, 5);
    std::vector<float> w(n_weights);
    moments.draw({3, Stream::samplers, 1}, 0, w);
    for (std::size_t k = 0; k < n_weights; ++k)
        EXPECT_EQ(w[k], static_cast<float>(moments.mean()[k]));
}

TEST(Swag, HasTheSameBitsForAnyNumberOfThreads)
{
    constexpr std::size_t n = 30'000;
    std::vector<float> first;
    for (const int count : {1, 2, 7}) {
        std::vector<float> w(n);
        Threads(count).run([&] {
            SwagMoments moments(n, 3);
            for (std::uint64_t i = 0; i < 5; ++i)
                moments.add(iterate(i, n));
            moments.draw({3, Stream::samplers, 1}, 1, w);
        });
        if (first.empty())
            first = w;
        EXPECT_EQ(w, first) << count;
    }
}

}   // namespace
}   // namespace credence::testing
