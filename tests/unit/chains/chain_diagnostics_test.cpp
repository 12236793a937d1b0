// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/chain_diagnostics.h"
#include "chains/scalar_draws.h"
#include "foundation/error.h"
#include "unit/chains/chains_for_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

using namespace credence;
using ::testing::ElementsAre;

TEST(ScalarDraws, AreStoredChainByChain)
{
    const std::vector<double> values{1, 2, 3, 4, 5, 6};
    const ScalarDraws draws{values, 2, 3};
    EXPECT_THAT(draws.chain(0), ElementsAre(1, 2, 3));
    EXPECT_THAT(draws.chain(1), ElementsAre(4, 5, 6));
}

TEST(ScalarDraws, AreRejectedWhereTheShapeDoesNotFit)
{
    const std::vector<double> values(7, 0);
    EXPECT_THAT(([&] {
                    ScalarDraws{values, 2, 4}.check();
                }),
                ::testing::ThrowsMessage<Error>("Draws of chains: found 7 values, expected 2 chains of 4 draws."));
}

TEST(ScalarDraws, AreScaledByAPowerOfTwo)
{
    const auto factor_of = [](std::vector<double> values) { return unit_factor(values); };
    EXPECT_EQ(factor_of({0, 0}), 1);
    EXPECT_EQ(factor_of({1, -3}), 1);            // 3 is in [2, 4)
    EXPECT_EQ(factor_of({0.25, -0.125}), 8);     // 0.25 becomes 2
    EXPECT_EQ(factor_of({1e3, 4}), 1.0 / 256);   // 1000/256 = 3.9
    const double largest = std::numeric_limits<double>::max(), smallest = std::numeric_limits<double>::min();
    EXPECT_LT(factor_of({largest}) * largest, 4.0001);
    EXPECT_GE(factor_of({largest}), smallest);   // a normal number
    EXPECT_LT(factor_of({smallest}), std::numeric_limits<double>::infinity());
}

TEST(DiagnosticValue, IsAFiniteNumberOrASentence)
{
    const DiagnosticValue two = 2.0;
    EXPECT_TRUE(two);
    EXPECT_EQ(*two, 2.0);
    EXPECT_EQ(two.why_not(), "");
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        const DiagnosticValue none = bad;
        EXPECT_FALSE(none);
        EXPECT_FALSE(none.value().has_value());
        EXPECT_THROW(*none, std::bad_optional_access);
        EXPECT_EQ(none.why_not(), "The value is beyond the range of numbers.");
    }
}

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
    EXPECT_EQ(still.reason(), Undefined::stuck);
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
    // ρ(t) = 1 at all lags: of four draws the first pair and the even lag after it, τ = −1 + 2 · 2
    // + 1; of 20 eight pairs, τ = −1 + 16 · 2 + 1.
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

TEST(AutocorrelationTime, IsThatOfAnAutoregressiveChain)
{
    MeanAutocovariance work;
    for (const double phi : {0.0, 0.5, 0.9}) {
        const double expected = (1 + phi) / (1 - phi);
        const auto chains     = together(autoregressive(4, 20000, phi, 3));
        EXPECT_NEAR(autocorrelation_time(chains.view(), work), expected, 0.15 * expected) << phi;
    }
}

TEST(AutocorrelationTime, IgnoresHowFarChainsAreApartAndIsAtLeastOne)
{
    MeanAutocovariance work;
    auto chains       = autoregressive(3, 500, 0.5, 4);
    const double near = autocorrelation_time(together(chains).view(), work);
    for (double& x : chains[1])
        x += 100;
    EXPECT_NEAR(autocorrelation_time(together(chains).view(), work), near, 1e-9);
    EXPECT_EQ(autocorrelation_time(together(autoregressive(2, 500, -0.5, 5)).view(), work), 1);
    EXPECT_EQ(autocorrelation_time({std::vector<double>(20, 1.0), 2, 10}, work), 1);
}

TEST(ProbabilityOfChainMeans, IsTheAnalysisOfVarianceOfBlockMeans)
{
    // Independent noise with τ = 1 by construction: values alternate about the block means, so that
    // blocks of four draws have the means below.
    // Chain 0: 0 2 0 2, chain 1: 3 5 3 5. Within: 8 · 1 = 8, ν = 6; between: 4 · 2 · 1.5² = 18, ν =
    // 1; F = 18/(8/6) = 13.5.
    std::vector<double> values;
    for (const double base : {0.0, 2.0, 0.0, 2.0, 3.0, 5.0, 3.0, 5.0})
        for (const double sign : {1.0, -1.0, 1.0, -1.0})
            values.push_back(base + 10 * sign);
    MeanAutocovariance work;
    const auto p = probability_of_chain_means({values, 2, 16}, work);
    ASSERT_TRUE(p) << p.why_not();
    // F with (1, ν): the square of Student's t with ν = 6: P(|T| > √13.5) = 0.0104
    EXPECT_NEAR(*p, 0.0104, 5e-4);
}

TEST(ProbabilityOfChainMeans, IsSmallForAChainApartAndUnremarkableOtherwise)
{
    MeanAutocovariance work;
    auto chains = autoregressive(4, 400, 0.5, 6);
    EXPECT_GT(*probability_of_chain_means(together(chains).view(), work), 0.001);
    for (double& x : chains[3])
        x += 1;
    EXPECT_LT(*probability_of_chain_means(together(chains).view(), work), 1e-6);
}

TEST(ProbabilityOfChainMeans, RejectsOneChainAndChainsThatAreTooShort)
{
    MeanAutocovariance work;
    EXPECT_EQ(probability_of_chain_means(together(autoregressive(1, 100, 0, 1)).view(), work).why_not(),
              "Agreement: there is one chain, expected several.");
    const auto brief = probability_of_chain_means(together(autoregressive(4, 50, 0.9, 1)).view(), work);
    EXPECT_EQ(brief.reason(), Undefined::too_few_draws);
    EXPECT_TRUE(brief.why_not().starts_with("Agreement: each chain is worth ")) << brief.why_not();
    EXPECT_EQ(probability_of_chain_means({std::vector<double>(64, 1.0), 2, 32}, work).reason(), Undefined::constant);
}

namespace {

DiagnosticValue of_energies(std::vector<double> energies) { return e_bfmi(energies); }

}   // namespace

TEST(EBfmi, OfFourEnergiesByHand)
{
    // Steps 1, 1, 1; deviations 1.5, 0.5, 0.5, 1.5.
    EXPECT_NEAR(*of_energies({1, 2, 3, 4}), 3.0 / 5, 1e-15);
    // Steps 2, 2, 2; deviations 1: as large as it gets with four.
    EXPECT_NEAR(*of_energies({1, -1, 1, -1}), 3.0, 1e-15);
    // Steps 0, 4, 0; deviations 2.
    EXPECT_NEAR(*of_energies({5, 5, 9, 9}), 1.0, 1e-15);
}

TEST(EBfmi, OfIndependentEnergiesIsTwoAndOfAutocorrelatedOnesTwiceTheRemainder)
{
    // (E_t − E_{t−1})² has the mean 2 (1 − φ) Var.
    for (const double phi : {0.0, 0.5, 0.95})
        EXPECT_NEAR(*e_bfmi(autoregressive(1, 20000, phi, 6)[0]), 2 * (1 - phi), 0.05 * 2 * (1 - phi)) << "φ = " << phi;
}

TEST(EBfmi, DoesNotDependOnLocationAndScale)
{
    for (const double unit : {1e-3, 1e300})
        EXPECT_NEAR(*of_energies({4 * unit, 2 * unit, 7 * unit, 5 * unit, 1 * unit}), 49.0 / 22.8, 1e-13);
    EXPECT_NEAR(*of_energies({1e6 + 4, 1e6 + 2, 1e6 + 7, 1e6 + 5, 1e6 + 1}), 49.0 / 22.8, 1e-8);
}

TEST(EBfmi, IsComputedForEachChain)
{
    const auto found = e_bfmi(together({{1, 2, 3, 4}, {7, 7, 7, 7}, {1, -1, 1, -1}}).view());
    ASSERT_EQ(found.size(), 3u);
    EXPECT_NEAR(*found[0], 0.6, 1e-15);
    EXPECT_EQ(found[1].why_not(), "E-BFMI: all draws are 7, so nothing varies.");
    EXPECT_NEAR(*found[2], 3, 1e-15);
}

TEST(EBfmi, IsNotDefinedForFewEnergiesAndForSuchAsAreNotFinite)
{
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(of_energies({1, 2, 3}).why_not(), "E-BFMI: found 3 draws per chain, expected at least 4.");
    EXPECT_EQ(of_energies({}).reason(), Undefined::too_few_draws);
    EXPECT_EQ(of_energies({1, 2, infinity, 3}).why_not(), "E-BFMI: draw 2 of chain 0 is inf, expected finite numbers.");
    EXPECT_EQ(e_bfmi(together({{1, 2, 3, 4}, {1, 2, 3, infinity}}).view())[1].why_not(),
              "E-BFMI: draw 3 of chain 1 is inf, expected finite numbers.");
}
