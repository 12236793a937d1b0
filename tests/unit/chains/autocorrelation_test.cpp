// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/chain_diagnostics.h"

#include "unit/chains/chains_for_tests.h"

#include <gmock/gmock.h>

#include <limits>

using namespace credence;

namespace {

double naive_mean_autocovariance(const naive::Chains& chains, std::size_t lag)
{
    double sum = 0;
    for (const auto& chain : chains)
        sum += naive::autocovariance(chain, lag);
    return sum / static_cast<double>(chains.size());
}

}   // namespace

TEST(MeanAutocovariance, IsTheSumOfItsDefinitionAtEveryLag)
{
    for (const std::size_t n : {1u, 2u, 5u, 33u, 64u, 100u, 251u})
        for (const std::size_t M : {1u, 2u, 3u, 8u}) {
            const auto chains = autoregressive(M, n, 0.7, 10 * n + M);
            const auto table  = together(chains);
            MeanAutocovariance gamma;
            gamma.begin(table.view());
            for (std::size_t t = 0; t < n; ++t)
                EXPECT_NEAR(gamma(t), naive_mean_autocovariance(chains, t), 2e-15 * (1 + gamma(0)) * 4)
                    << M << " chains of " << n << ", lag " << t;
        }
}

TEST(MeanAutocovariance, TheTransformAgreesWithTheDirectSums)
{
    // If the last lag is requested first, all lags come from the transform.
    const auto table = together(autoregressive(5, 300, 0.9, 3));
    MeanAutocovariance direct, transformed;
    direct.begin(table.view());
    transformed.begin(table.view());
    transformed(299);
    for (std::size_t t = 0; t < MeanAutocovariance::direct_lags; ++t)
        EXPECT_NEAR(transformed(t), direct(t), 1e-14) << "lag " << t;
}

TEST(MeanAutocovariance, RestartsWithOtherChains)
{
    const auto first = together(autoregressive(2, 200, 0.5, 4)), second = together(autoregressive(3, 90, 0.5, 5));
    MeanAutocovariance used, fresh;
    used.begin(first.view());
    used(150);
    used.begin(second.view());
    fresh.begin(second.view());
    for (const std::size_t t : {0u, 3u, 31u, 32u, 89u})
        EXPECT_EQ(used(t), fresh(t)) << "lag " << t;
    EXPECT_EQ(used.chain_means().size(), 3u);
}

TEST(Autocorrelation, OfFourNumbersByHand)
{
    // x − x̄ = (−1.5, −0.5, 0.5, 1.5): sums 5, 1.25, −1.5, −2.25.
    const auto found = autocorrelations(together({{1, 2, 3, 4}}).view(), 10);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].why_not, "");
    EXPECT_THAT(found[0].rho, ::testing::Pointwise(::testing::DoubleNear(1e-15), {1.0, 0.25, -0.3, -0.45}));
}

TEST(Autocorrelation, OfAlternatingSignsIsMinusOneToTheLagTimesTheRemainingShare)
{
    const std::vector<double> alternating{1, -1, 1, -1, 1, -1, 1, -1};
    const auto found = autocorrelations({alternating, 1, 8}, 3);
    EXPECT_THAT(found[0].rho, ::testing::Pointwise(::testing::DoubleNear(1e-15), {1.0, -7.0 / 8, 6.0 / 8, -5.0 / 8}));
}

TEST(Autocorrelation, DoesNotDependOnLocationAndScale)
{
    const auto table = together(sines(2, 150, 0.4));
    auto moved       = table;
    for (double& x : moved.values)
        x = 1e160 * (x - 3);
    const auto a = autocorrelations(table.view(), 149), b = autocorrelations(moved.view(), 149);
    for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t t = 0; t < 150; ++t)
            EXPECT_NEAR(a[c].rho[t], b[c].rho[t], 1e-13);
}

TEST(Autocorrelation, StatesForEachChainWhyItIsUndefined)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto found = autocorrelations(together({{1, 2, 3, 5}, {2, 2, 2, 2}, {0, 1, nan, 2}}).view(), 2);
    EXPECT_EQ(found[0].rho.size(), 3u);
    EXPECT_TRUE(found[1].rho.empty());
    EXPECT_EQ(found[1].why_not, "Autocorrelation: all draws are 2, so nothing varies.");
    EXPECT_EQ(found[2].why_not, "Autocorrelation: draw 2 of chain 2 is nan, expected finite numbers.");
    EXPECT_EQ(autocorrelations(together({{1, 2, 3}}).view(), 2)[0].why_not,
              "Autocorrelation: found 3 draws per chain, expected at least 4.");
}
