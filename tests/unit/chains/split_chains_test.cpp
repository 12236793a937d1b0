// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/split_chains.h"

#include "unit/chains/chains_for_tests.h"

#include <gmock/gmock.h>

using namespace credence;
using ::testing::ElementsAre;

namespace {

double ess(const naive::Chains& chains)
{
    MeanAutocovariance work;
    return *ess_of_chains(together(chains).view(), work);
}
DiagnosticValue r_hat(const naive::Chains& chains) { return r_hat_of_chains(together(chains).view()); }

}   // namespace

TEST(SplitChains, HalvesEachChain)
{
    const auto halves = split_chains(together({{1, 2, 3, 4}, {5, 6, 7, 8}}).view());
    EXPECT_EQ(halves.n_chains, 4u);
    EXPECT_EQ(halves.n_draws, 2u);
    EXPECT_THAT(halves.values, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(SplitChains, LeaveOutTheMiddleDrawOfAnOddNumber)
{
    EXPECT_THAT(split_chains(together({{1, 2, 99, 3, 4}, {5, 6, 99, 7, 8}}).view()).values,
                ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(RHatOfChains, OfFourNumbersByHand)
{
    // Means 2 and 3, variances 2: W = 2, B/n = 1/2; (½ · 2 + ½)/2 = 3/4.
    EXPECT_DOUBLE_EQ(*r_hat({{1, 3}, {2, 4}}), std::sqrt(0.75));
    // Means 0.5, 0.5, 10.5, 10.5: B/n = 100/3, W = ½.
    EXPECT_DOUBLE_EQ(*r_hat({{0, 1}, {0, 1}, {10, 11}, {10, 11}}), std::sqrt((0.25 + 100.0 / 3) / 0.5));
}

TEST(RHatOfChains, OfEqualChainsIsTheRootOfOneMinusOneOverN)
{
    EXPECT_DOUBLE_EQ(*r_hat({{1, 2, 4, 9, 0}, {1, 2, 4, 9, 0}, {1, 2, 4, 9, 0}}), std::sqrt(4.0 / 5));
}

TEST(RHatOfChains, HasNoBoundIfEveryChainIsStuck)
{
    const auto still = r_hat({{1, 1, 1}, {2, 2, 2}});
    EXPECT_EQ(still.reason(), Undefined::standing_still);
    EXPECT_EQ(still.why_not(), "R̂: every half-chain is stuck at its own value, so R̂ is unbounded.");
    const auto constant = r_hat({{0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}});   // their mean is not 0.1 to the last bit
    EXPECT_EQ(constant.reason(), Undefined::constant);
    EXPECT_EQ(constant.why_not(), "R̂: all values are equal, so nothing varies.");
}

TEST(RHatOfChains, IsDefinedIfOneChainMoves)
{
    // Means 0.1, 0.1, 1: W = (0 + 0 + 1)/3, B/n = 0.27; n = 3: (2/3 · 1/3 + 0.27)/(1/3)
    EXPECT_NEAR(*r_hat({{0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}, {0, 1, 2}}), std::sqrt(3 * (2.0 / 9 + 0.27)), 1e-15);
}

TEST(EssOfChains, OfFourNumbersByHand)
{
    // γ(0) = ¼, γ(1) = −⅛, W = ½, var⁺ = ¼ + 2; ρ(1) = 1 − (½ + ⅛)/(9/4) = 13/18; τ = −1 + 2 · 31/18 = 22/9; S = 4.
    EXPECT_NEAR(ess({{1, 2}, {3, 4}}), 18.0 / 11, 1e-14);
}

TEST(EssOfChains, OfAlternatingSignsReachesItsBound)
{
    naive::Chain alternating;
    for (int t = 0; t < 50; ++t)
        alternating.push_back(t % 2 == 0 ? 1 : -1);
    EXPECT_NEAR(ess({alternating, alternating}), 100 * std::log10(100), 1e-10);
}

TEST(EssOfChains, OfStuckChainsAtDifferentPositionsHasAClosedForm)
{
    // ρ(t) = 1 at all lags: of four draws the first pair and the even lag after it, τ = −1 + 2 · 2 + 1; of 20 eight pairs, τ = −1 + 16 · 2 + 1.
    EXPECT_NEAR(ess({{1, 1, 1, 1}, {2, 2, 2, 2}, {5, 5, 5, 5}}), 3, 1e-14);
    EXPECT_NEAR(ess({naive::Chain(20, 0.0), naive::Chain(20, 1.0)}), 40.0 / 32, 1e-13);
}

TEST(EssOfChains, IsThatOfTheDefinition)
{
    for (const double phi : {-0.7, 0.0, 0.5, 0.95})
        for (const std::size_t n : {2u, 3u, 4u, 7u, 40u, 150u})
            for (const std::size_t M : {1u, 2u, 5u}) {
                const auto chains = autoregressive(M, n, phi, n + M);
                if (n * M < 4)
                    continue;
                EXPECT_NEAR(ess(chains), naive::ess(chains), 1e-11 * naive::ess(chains))
                    << M << " chains of " << n << ", φ = " << phi;
                if (M > 1) {
                    EXPECT_NEAR(*r_hat(chains), naive::r_hat(chains), 1e-12 * naive::r_hat(chains));
                }
            }
}

TEST(EssOfChains, FindsTheTimeOfAutoregressiveChains)
{
    // τ = (1 + φ)/(1 − φ). Geyer's estimate scatters by some 3 to 6 % at these lengths.
    for (const double phi : {0.0, 0.5, 0.9}) {
        const double tau = (1 + phi) / (1 - phi);
        EXPECT_NEAR(40000 / ess(autoregressive(8, 5000, phi, 12)), tau, 0.12 * tau) << "φ = " << phi;
    }
    // Negative correlation: more than as many independent draws. τ = 0.25/1.75.
    EXPECT_GT(ess(autoregressive(4, 5000, -0.75, 13)), 20000 * std::log10(20000) * 0.9);
    EXPECT_NEAR(20000 / ess(autoregressive(4, 5000, -0.3, 13)), 0.7 / 1.3, 0.12 * 0.7 / 1.3);
}

TEST(EssOfChains, IsNotDefinedForAConstant)
{
    MeanAutocovariance work;
    const auto constant = ess_of_chains(together({{0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}}).view(), work);
    EXPECT_EQ(constant.why_not(), "ESS: all values are equal, so nothing varies.");
}
