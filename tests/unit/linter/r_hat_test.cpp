// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include "linter/evidence.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintRHat, AnIsolatedChainIsFound)
{
    const auto finding = found("r_hat", chains_case({.n_chains = 3, .shifts = {0, 0, 2}}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::wrong);
    EXPECT_THAT(finding->evidence, HasSubstr("of the predictions at 12 rows (worst "));
    EXPECT_EQ(finding->remedy.view, "chain_convergence");
}

/// Chains by hand whose draws follow one another with this correlation.
LintCase correlated(double phi, std::size_t n_draws, std::vector<double> shifts = {})
{
    std::map<std::size_t, std::vector<double>> states;
    std::map<std::size_t, std::vector<float>> means;
    return chains_case({.n_chains = 4,
                        .n_draws  = n_draws,
                        .shifts   = std::move(shifts),
                        .change   = [&, phi](std::size_t chain, std::span<float> weights) {
                            // the same noise, filtered: x_t = φ x_{t−1} + √(1 − φ²) ξ_t about the first draw of the first chain
                            auto& centre = means[0];
                            if (centre.empty())
                                centre.assign(weights.begin(), weights.end());
                            auto& state      = states[chain];
                            const bool first = state.empty();
                            state.resize(weights.size());
                            for (std::size_t i = 0; i < weights.size(); ++i) {
                                const double xi = static_cast<double>(weights[i]) - static_cast<double>(centre[i]);
                                state[i]        = first ? xi : phi * state[i] + std::sqrt(1 - phi * phi) * xi;
                                weights[i]      = centre[i] + static_cast<float>(state[i]);
                            }
                        }});
}

TEST(LintRHat, ChainsThatAgreeButAreShortAndSlowAreNotCalledWrong)
{
    for (const std::size_t n_draws : {50u, 200u, 500u}) {
        const auto run    = correlated(0.9, n_draws);
        const auto chains = lint_support::hamiltonian_chains(run, {});
        ASSERT_TRUE(chains);
        ASSERT_LT(*chains->summary.share_below, 0.9) << "R̂ alone would flag them";
        EXPECT_FALSE(found("r_hat", run)) << n_draws;
        EXPECT_FALSE(found("funnel_unseen", run)) << n_draws;
        const auto few = found("ess", run);
        ASSERT_TRUE(few) << n_draws;
        EXPECT_EQ(few->severity, Severity::doubtful);
    }
    EXPECT_EQ(found("ess", correlated(0.9, 50))->title,
              "There are too few effective samples to tell whether the chains agree.");
}

TEST(LintRHat, IsSilentForChainsThatAgreeAndOfOtherMethods)
{
    EXPECT_FALSE(found("r_hat", chains_case(healthy_chains())));
    EXPECT_FALSE(found("r_hat", case_of(small_study("sghmc"))));
    EXPECT_FALSE(found("r_hat", case_of(small_study("deep_ensemble"))));
    EXPECT_FALSE(found("r_hat", {.run = moment_before_draws(study_of_chains("nuts"))}));
}

}   // namespace
}   // namespace credence
