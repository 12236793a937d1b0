// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/monte_carlo_error.h"

#include "random/noise.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <numeric>

using namespace credence;

namespace {

std::vector<double> mc_normals(std::size_t n, std::uint32_t repetition)
{
    std::vector<double> values(n);
    standard_normals({17, Stream::figures, repetition}, 0, std::span(values));
    return values;
}

std::vector<double> mc_log_densities(std::span<const double> f, std::span<const double> s, double y)
{
    std::vector<double> out(f.size());
    normal_noise()->log_densities(f, s, y, out);
    return out;
}

/// The mean estimated error over repetitions, divided by the standard deviation of the value over them.
double estimated_over_true(int repetitions, const std::function<AtSamples(std::uint32_t)>& once)
{
    double sum = 0, squares = 0, errors = 0;
    for (int r = 0; r < repetitions; ++r) {
        const auto at = once(static_cast<std::uint32_t>(r));
        sum += at.value;
        squares += at.value * at.value;
        errors += at.error;
    }
    const double mean = sum / repetitions;
    return errors / repetitions / std::sqrt(squares / repetitions - mean * mean);
}

constexpr int S = 100, R = 400;

}   // namespace

TEST(MonteCarloError, OfAMeanIsSdOverRootSAndThatOfTheRmseOfOneRowToo)
{
    const std::vector<double> f{0.3, -0.2, 0.9, 0.1, -0.6, 0.4};
    // tests/reference/principal_components.py
    EXPECT_NEAR(standard_error(f, {}), 0.2109502310972899, 1e-14);
    ScoresOverSamples scores({6}, {});
    scores.add_means(f, 5);
    EXPECT_NEAR(scores.rmse()[0].error, 0.2109502310972899, 1e-12);
    EXPECT_NEAR(scores.rmse()[0].value, 5 - 0.15, 1e-12);
}

TEST(MonteCarloError, OfTheNllAndOfAnIntervalEndAreThoseOfNumPy)
{
    const std::vector<double> f{0.3, -0.2, 0.9, 0.1, -0.6, 0.4}, s{1.0, 0.5, 0.8, 1.2, 0.7, 0.9};
    ScoresOverSamples scores({2, 6}, {});
    scores.add_log_densities(mc_log_densities(f, s, 0.25));
    EXPECT_EQ(scores.nll()[0].samples, 2);
    EXPECT_NEAR(scores.nll()[1].value, 0.9464134382492404, 1e-12);
    EXPECT_NEAR(scores.nll()[1].error, 0.09508851308244103, 1e-12);
    const std::vector<int> counts{6};
    const auto end = mixture_quantile_over(counts, *normal_noise(), f, s, 0.9, {});
    EXPECT_NEAR(end[0].value, 1.4751523011740677, 1e-10);
    EXPECT_NEAR(end[0].error, 0.22102501229774113, 1e-9);
}

TEST(MonteCarloError, OfGaussianOutputsIsTheSpreadOverRepeatedRuns)
{
    const std::vector<double> noise(S, 0.7);
    const double nll   = estimated_over_true(R, [&](std::uint32_t r) {
        ScoresOverSamples scores({S}, {});
        const auto f = mc_normals(S, r);
        for (const double y : {0.2, 1.5, -0.7}) {   // the same samples for all rows
            scores.add_log_densities(mc_log_densities(f, noise, y));
            scores.add_means(f, y);
        }
        return scores.nll()[0];
    });
    const double end   = estimated_over_true(R, [&](std::uint32_t r) {
        return mixture_quantile_over(std::vector<int>{S}, *normal_noise(), mc_normals(S, r), noise, 0.975, {})[0];
    });
    const double share = estimated_over_true(
        R, [&](std::uint32_t r) { return quantile_over(std::vector<int>{S}, mc_normals(S, r), 0.8, {})[0]; });
    // the standard deviation of R repetitions has a relative error of 1/√(2 R) = 3.5 %
    EXPECT_NEAR(nll, 1, 0.12);
    EXPECT_NEAR(end, 1, 0.12);
    EXPECT_NEAR(share, 1, 0.15);
}

TEST(MonteCarloError, OfAChainAccountsForAutocorrelation)
{
    // x_t = φ x_{t−1} + √(1 − φ²) e_t: the mean has (1 + φ)/(1 − φ) times the variance of independent samples.
    constexpr double phi = 0.6;
    constexpr int n      = 900;
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    const auto chain = [](std::uint32_t r) {
        auto x = mc_normals(n, r);
        for (std::size_t t = 1; t < n; ++t)
            x[t] = phi * x[t - 1] + std::sqrt(1 - phi * phi) * x[t];
        return x;
    };
    double batches = 0, naive = 0;
    for (std::uint32_t r = 0; r < 60; ++r) {
        batches += standard_error(chain(r), {order, false}) / 60;
        naive += standard_error(chain(r), {}) / 60;
    }
    const double truth = std::sqrt((1 + phi) / (1 - phi) / n);
    EXPECT_NEAR(batches / truth, 1, 0.1);
    EXPECT_NEAR(naive / truth, std::sqrt((1 - phi) / (1 + phi)), 0.05) << "without batches it is half as large";
}

TEST(MonteCarloError, FollowsTheOrderOfTheChainAndUsesPrefixesOfOneSet)
{
    const std::vector<double> shuffled{5, 1, 4, 2, 3, 0, 6, 7, 8};
    const SampleOrder order{{5, 1, 3, 4, 2, 0, 6, 7, 8}, false};   // then the values rise
    const std::vector<double> rising{0, 1, 2, 3, 4, 5, 6, 7, 8};
    const SampleOrder as_it_is{{0, 1, 2, 3, 4, 5, 6, 7, 8}, false};
    EXPECT_DOUBLE_EQ(standard_error(shuffled, order), standard_error(rising, as_it_is));
    EXPECT_DOUBLE_EQ(standard_error(rising, as_it_is), std::sqrt((9 + 0 + 9) / 6.0));   // batch means 1, 4, 7

    const auto f = mc_normals(50, 1);
    const std::vector<double> noise(50, 1);
    ScoresOverSamples both({20, 50}, {}), first({20}, {});
    both.add_log_densities(mc_log_densities(f, noise, 0.4));
    first.add_log_densities(mc_log_densities(std::span(f).first(20), std::span(noise).first(20), 0.4));
    EXPECT_NEAR(both.nll()[0].value, first.nll()[0].value, 1e-12);
    EXPECT_NEAR(both.nll()[0].error, first.nll()[0].error, 1e-12);
}

TEST(MonteCarloError, TheNumberNeededFollowsTheSquareRootRate)
{
    EXPECT_EQ(samples_needed({200, 1.0, 0.02}, 0.01), 800);
    EXPECT_EQ(samples_needed({200, 1.0, 0.005}, 0.01), 50);
    EXPECT_EQ(samples_needed({200, 1.0, 0.0}, 0.01), 0);
    EXPECT_EQ(samples_needed({200, 1.0, NAN}, 0.01), std::nullopt);
    EXPECT_EQ(samples_needed({200, 1.0, 0.1}, 0), std::nullopt);
    EXPECT_THAT(sample_counts(10, 1000, 5), testing::ElementsAre(10, 32, 100, 316, 1000));
    EXPECT_THAT(sample_counts(10, 12), testing::ElementsAre(10, 11, 12));
}
