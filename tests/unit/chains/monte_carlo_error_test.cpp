// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/monte_carlo_error.h"

#include "foundation/error.h"
#include "unit/chains/chains_for_tests.h"

#include <gmock/gmock.h>

#include <limits>

using namespace credence;

TEST(MonteCarloErrors, OfFourNumbersByHand)
{
    // Mean 2.5, variance 5/3. ESS of (1, 2), (3, 4): 18/11, see EssOfChains.
    const auto found = monte_carlo_errors(together({{1, 2, 3, 4}}).view());
    EXPECT_DOUBLE_EQ(*found.mean, 2.5);
    EXPECT_NEAR(*found.sd, std::sqrt(5.0 / 3), 1e-15);
    EXPECT_NEAR(*found.mean_ess, 18.0 / 11, 1e-14);
    EXPECT_NEAR(*found.of_mean, std::sqrt(5.0 / 3 / (18.0 / 11)), 1e-14);
    // (x − 2.5)² = (2.25, 0.25), (0.25, 2.25): means 1.25, W = 2, γ(0) = 1 = var⁺, γ(1) = −½, ρ(1) = −3/2: τ < 1/log10 4, ESS' = 4 log10 4.
    // m_2 = 1.25, m_4 − m_2² = 1.
    EXPECT_NEAR(*found.of_sd, std::sqrt(1 / (4 * std::log10(4))) / (2 * std::sqrt(1.25)), 1e-14);
}

TEST(MonteCarloErrors, AreHowFarTheEstimatesScatter)
{
    // 300 times four chains of 200 draws with φ = 0.6: the empirical standard deviation of the
    // estimates, known to 4 %, compared with the mean reported error.
    const int times = 300;
    naive::Chain means, sds, medians, said_of_mean, said_of_sd, said_of_median;
    for (int k = 0; k < times; ++k) {
        const auto table = together(autoregressive(4, 200, 0.6, 1000 + static_cast<std::uint64_t>(k)));
        const auto found = monte_carlo_errors(table.view());
        means.push_back(*found.mean);
        sds.push_back(*found.sd);
        medians.push_back(naive::quantile(table.values, 0.5));
        said_of_mean.push_back(*found.of_mean);
        said_of_sd.push_back(*found.of_sd);
        said_of_median.push_back(*quantile_error(table.view(), 0.5));
    }
    EXPECT_NEAR(naive::mean(said_of_mean) / std::sqrt(naive::variance(means)), 1, 0.13);
    EXPECT_NEAR(naive::mean(said_of_sd) / std::sqrt(naive::variance(sds)), 1, 0.13);
    EXPECT_NEAR(naive::mean(said_of_median) / std::sqrt(naive::variance(medians)), 1, 0.2);
}

TEST(MonteCarloErrors, HaveTheUnitOfTheQuantity)
{
    const auto chains = autoregressive(3, 90, 0.5, 7);
    const auto a      = monte_carlo_errors(together(chains).view());
    for (const double unit : {8.0, 0x1p1000, 0x1p-900}) {
        const auto table = together(naive::map(chains, [=](double x) { return unit * x; }));
        const auto b     = monte_carlo_errors(table.view());
        EXPECT_EQ(*b.mean, unit * *a.mean);
        EXPECT_EQ(*b.sd, unit * *a.sd);
        EXPECT_EQ(*b.mean_ess, *a.mean_ess);
        EXPECT_EQ(*b.of_mean, unit * *a.of_mean);
        EXPECT_EQ(*b.of_sd, unit * *a.of_sd);
        EXPECT_EQ(*quantile_error(table.view(), 0.2), unit * *quantile_error(together(chains).view(), 0.2));
    }
}

TEST(MonteCarloErrors, SayWhyThereAreNone)
{
    const auto constant = monte_carlo_errors(together({{2, 2, 2, 2}}).view());
    EXPECT_EQ(constant.of_mean.why_not(), "Monte Carlo error: all draws are 2, so nothing varies.");
    EXPECT_FALSE(constant.mean);
    EXPECT_FALSE(monte_carlo_errors(together({{1, 2, std::nan(""), 2}}).view()).of_sd);
    EXPECT_FALSE(monte_carlo_errors(together({{1, 2}}).view()).of_sd);
    EXPECT_FALSE(
        monte_carlo_errors(together({{1, 1, 2, 1, 1}}).view()).of_mean);   // without its middle draw a constant
    const auto signs = monte_carlo_errors(together({{1, -1, 1, -1}}).view());
    EXPECT_TRUE(signs.of_mean);
    EXPECT_EQ(signs.of_sd.why_not(),
              "Error of the standard deviation: all draws have the same distance from the mean.");
}

TEST(QuantileError, IsHalfTheGapBetweenTwoOrderStatistics)
{
    // 1 to 100 alternating about the middle: both ends of the gap are always draws, and a shift changes nothing.
    naive::Chain x;
    for (int t = 0; t < 100; ++t)
        x.push_back(t % 2 == 0 ? 50 - t / 2 : 51 + t / 2);
    const auto error = quantile_error(together({x}).view(), 0.5);
    EXPECT_EQ(2 * *error, std::round(2 * *error));
    EXPECT_GT(*error, 0);
    for (double& value : x)
        value += 1000;
    EXPECT_EQ(*quantile_error(together({x}).view(), 0.5), *error);
}

TEST(QuantileError, RejectsSharesOutsideTheUnitIntervalAndSaysWhyItIsUndefined)
{
    const auto table = together({{1, 2, 3, 4}});
    for (const double p : {0.0, 1.0, std::nan("")})
        EXPECT_THROW(quantile_error(table.view(), p), Error);
    EXPECT_THAT(
        [&] { quantile_error(table.view(), 1); },
        ::testing::ThrowsMessage<Error>("Error of a quantile: the share is 1, expected a number between 0 and 1."));
    EXPECT_EQ(quantile_error(together({{1, 2, 2, 2, 2, 2}}).view(), 0.9).why_not(),
              "Error of a quantile: no draw is above the quantile at 90 %.");
    EXPECT_EQ(quantile_error(together({{1, 2, 3}}).view(), 0.9).why_not(),
              "Error of a quantile: found 3 draws per chain, expected at least 4.");
}
