// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"
#include "linter/evidence.h"
#include "outputs/outputs_file.h"
#include "unit/outputs/outputs_npz.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintDrawsAlike, AStuckChainIsFound)
{
    const auto finding = found("draws_alike", chains_case({.n_chains = 2, .n_draws = 20, .scale = 0}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::error);
    EXPECT_THAT(finding->evidence, HasSubstr("0 of 38 samples differ from the previous one"));
}

TEST(LintDrawsAlike, APosteriorWithoutSpreadIsFound)
{
    Study study                           = small_study("mean_field");
    study.posterior.initial_sd            = 1e-6;
    study.training.schedule.learning_rate = 1e-9;
    const auto finding                    = found("draws_alike", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("In every layer the median of σ/|μ| is below 0.0001"));
}

TEST(LintDrawsAlike, AChainWhoseStepsAreTinyIsFound)
{
    Study study                           = small_study("sgld");
    study.training.schedule.learning_rate = 1e-14;
    const auto finding                    = found("draws_alike", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->title, HasSubstr("hardly differ"));
}

TEST(LintDrawsAlike, FindsOutputsWithTheSameSampleTwice)
{
    const std::vector<float> twice{0.5f, 0.3f, 0.2f, 0.1f, 0.8f, 0.1f, 0.5f, 0.3f, 0.2f, 0.1f, 0.8f, 0.1f};
    const auto file = outputs_npz::opened({logits_npz::floats("probabilities", {2, 2, 3}, twice)}, "twice.npz");
    EXPECT_TRUE(found("draws_alike", {.run = snapshot_of_outputs(file)}));
    EXPECT_FALSE(found("draws_alike", {.run = snapshot_of_outputs(outputs_npz::opened(outputs_npz::four_rows()))}));
}

TEST(LintDrawsAlike, IsSilentForDrawsThatDifferAndOfPointEstimates)
{
    for (const char* family :
         {"mean_field", "layer_scale", "point_estimate", "bernoulli_dropout", "deep_ensemble", "sgld"})
        EXPECT_FALSE(found("draws_alike", case_of(small_study(family)))) << family;
    EXPECT_FALSE(found("draws_alike", chains_case(healthy_chains())));
}

TEST(LintDivergences, OneIsAWarningAndManyAreAnError)
{
    const auto one = found("divergences", chains_case(healthy_chains(), [](std::size_t s, DrawStatistics& statistics) {
                               statistics.divergent = s == 7;
                           }));
    ASSERT_TRUE(one);
    EXPECT_EQ(one->severity, Severity::warning);
    EXPECT_THAT(one->evidence, HasSubstr("1 of 2,000 samples (0.05 %), expected 0"));
    EXPECT_EQ(one->remedy.settings.front(),
              (std::pair<std::string, std::string>("posterior.target_acceptance", "0.95")));
    const auto many = found("divergences", chains_case(healthy_chains(), [](std::size_t s, DrawStatistics& statistics) {
                                statistics.divergent = s % 10 == 0;
                            }));
    ASSERT_TRUE(many);
    EXPECT_EQ(many->severity, Severity::error);
}

TEST(LintDivergences, IsSilentWithoutOneAndOfOtherMethods)
{
    EXPECT_FALSE(found("divergences", chains_case(healthy_chains())));
    EXPECT_FALSE(found("divergences", case_of(small_study("sgld"))));
    EXPECT_FALSE(found("divergences", case_of(small_study("mean_field"))));
}

TEST(LintRHat, AnIsolatedChainIsFound)
{
    const auto finding = found("r_hat", chains_case({.n_chains = 3, .shifts = {0, 0, 2}}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::error);
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
                            // the same noise, filtered: x_t = φ x_{t−1} + √(1 − φ²) ξ_t about the
                            // first draw of the first chain
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
        EXPECT_EQ(few->severity, Severity::warning);
    }
    EXPECT_EQ(found("ess", correlated(0.9, 50))->title,
              "There are too few effective samples to tell whether the chains agree.");
}

TEST(LintRHat, IsSilentForChainsThatAgreeAndOfOtherMethods)
{
    EXPECT_FALSE(found("r_hat", chains_case(healthy_chains())));
    EXPECT_FALSE(found("r_hat", case_of(small_study("sghmc"))));
    EXPECT_FALSE(found("r_hat", case_of(small_study("deep_ensemble"))));
    EXPECT_FALSE(found("r_hat", {.run = snapshot_before_draws(study_of_chains("nuts"))}));
}

TEST(LintEss, AHundredIndependentDrawsAreTooFew)
{
    const auto finding = found("ess", chains_case({.n_chains = 2, .n_draws = 50}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::warning);
    EXPECT_THAT(finding->evidence,
                HasSubstr("expected at least 400; 100 % of the quantities fall short, with 100 samples."));
}

TEST(LintEss, TheRemedyDrawsAsManyTimesMoreSamplesAsTheSmallestEssFallsShort)
{
    const auto remedy_of = [](LintCase run, const std::vector<const char*>& settings) {
        auto experiment = std::make_shared<Experiment>(*run.run.experiment);
        for (const char* setting : settings)
            set_field(experiment->study, setting);
        run.run.experiment = experiment;
        const auto worth   = lint_support::hamiltonian_chains(run, {})->worth();
        return std::pair(found("ess", run).value(), std::ceil(400 / std::min(worth.bulk, worth.tail)));
    };
    const auto independent   = chains_case({.n_chains = 2, .n_draws = 50});
    const auto [all, of_all] = remedy_of(independent, {"posterior.draws=50"});
    const auto times         = [](double factor, double draws) { return std::to_string(std::lround(factor * draws)); };
    using Settings           = std::vector<std::pair<std::string, std::string>>;
    EXPECT_GT(of_all, 2) << "doubling would not be enough";
    EXPECT_EQ(all.remedy.label, "Draw " + times(of_all, 1) + " times as many samples");
    EXPECT_EQ(all.remedy.settings, (Settings{{"posterior.draws", times(of_all, 50)}}));

    const auto [ended, of_ended] = remedy_of(independent, {"posterior.draws=1000", "posterior.stop_ess=150"});
    EXPECT_EQ(ended.remedy.settings, (Settings{{"posterior.stop_ess", times(of_ended, 150)}}))
        << "its stop rule ended this run, not the number of draws";
    EXPECT_EQ(remedy_of(independent, {"posterior.draws=1000"}).first.remedy.view, "chain_convergence")
        << "a cancelled run needs no other setting";

    const auto [slow, of_slow] = remedy_of(correlated(0.9, 50), {"posterior.draws=50"});
    ASSERT_GT(of_slow, 20);
    EXPECT_THAT(slow.reason, HasSubstr("a longer run alone does not help. Let the chains mix better"));
    EXPECT_TRUE(slow.remedy.settings.empty());
    EXPECT_EQ(slow.remedy.view, "chain_convergence");
}

TEST(LintEss, IsSilentForTwoThousandIndependentDrawsAndOfOtherMethods)
{
    EXPECT_FALSE(found("ess", chains_case(healthy_chains())));
    EXPECT_FALSE(found("ess", case_of(small_study("sgld"))));
}

/// Energies that rise by one nat from each draw to the next.
LintCase slow_case()
{
    return chains_case(healthy_chains(),
                       [](std::size_t s, DrawStatistics& statistics) { statistics.energy = static_cast<double>(s); });
}

TEST(LintEBfmi, SlowEnergiesAreFound)
{
    const auto finding = found("e_bfmi", slow_case());
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::warning);
    EXPECT_THAT(finding->evidence, HasSubstr("for the worst of 4 chains, expected at least 0.3"));
}

TEST(LintEBfmi, IsSilentForIndependentEnergies) { EXPECT_FALSE(found("e_bfmi", chains_case(healthy_chains()))); }

TEST(LintDepthLimit, TrajectoriesThatWereCutOffAndDrawsWorthTooLittleAreFound)
{
    const auto finding = found("depth_limit", chains_case({.n_chains = 2, .n_draws = 50},
                                                          [](std::size_t s, DrawStatistics& statistics) {
        statistics.at_depth_limit = s % 20 == 0;
                               }));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("5 of 100 samples (5 %) reached depth 10"));
    EXPECT_EQ(finding->remedy.settings.front(), (std::pair<std::string, std::string>("posterior.depth_limit", "12")));
}

TEST(LintDepthLimit, IsSilentForDrawsThatAreWorthEnoughAndOfNoneAtTheLimit)
{
    EXPECT_FALSE(found("depth_limit", chains_case({.n_chains = 2, .n_draws = 50})));
    EXPECT_FALSE(found("depth_limit", chains_case(healthy_chains(), [](std::size_t, DrawStatistics& statistics) {
                           statistics.at_depth_limit = true;
                       })));
}

TEST(LintFunnelUnseen, NoDivergencesAndChainsThatDisagree)
{
    const auto finding = found("funnel_unseen", chains_case({.n_chains = 3, .shifts = {0, 0, 2}}));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("0 of 300 samples diverged, but R̂ is at worst"));
    const auto slow = found("funnel_unseen",
                            chains_case(healthy_chains(), [](std::size_t s, DrawStatistics& statistics) {
                                statistics.energy = static_cast<double>(s);
                            }));
    ASSERT_TRUE(slow);
    EXPECT_THAT(slow->evidence, HasSubstr("but the E-BFMI of a chain is below 0.3."));
}

TEST(LintFunnelUnseen, IsSilentForChainsThatAgreeAndOfManyDivergences)
{
    EXPECT_FALSE(found("funnel_unseen", chains_case(healthy_chains())));
    EXPECT_FALSE(found("funnel_unseen",
                       chains_case({.n_chains = 3, .shifts = {0, 0, 2}}, [](std::size_t s, DrawStatistics& statistics) {
                           statistics.divergent = s % 2 == 0;
                       })));
}

}   // namespace

}   // namespace credence
