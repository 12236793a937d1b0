// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/chain_agreement.h"

#include "unit/chains/chains_for_tests.h"

#include <gmock/gmock.h>

using namespace credence;

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
    // Independent noise with τ = 1 by construction: values alternate about the block means, so that blocks of four draws have the means below.
    // Chain 0: 0 2 0 2, chain 1: 3 5 3 5. Within: 8 · 1 = 8, ν = 6; between: 4 · 2 · 1.5² = 18, ν = 1; F = 18/(8/6) = 13.5.
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
