// SPDX-License-Identifier: GPL-3.0-or-later
// Error rates of the rules that look at trained networks, chains and Gaussians over logits. See error_rates_test.cpp.
#include "error_rates.h"
#include "lint_runs.h"

#include "outputs/outputs_file.h"
#include "study/fields.h"
#include "study/presets.h"
#include "unit/outputs/outputs_npz.h"
#include "unit/random_values.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace credence {
namespace {

/// Trains a Study with several seeds and returns for each rule how many of the runs have its finding.
std::map<std::string, Rate> findings_of_runs(long repeats, Study study, const std::vector<std::string>& rules)
{
    std::map<std::string, Rate> rates;
    for (long r = 0; r < repeats; ++r) {
        study.seed     = static_cast<std::uint64_t>(1000 + r);
        const auto run = case_of(study);
        for (const auto& rule : rules)
            rates[rule].add(found(rule, run).has_value());
    }
    return rates;
}

Rate findings_of_runs(long repeats, const Study& study, const std::string& rule)
{
    return findings_of_runs(repeats, study, std::vector{rule}).at(rule);
}

/// The preset with these settings.
Study changed(const char* name, std::initializer_list<const char*> settings)
{
    Study study = preset(name);
    for (const char* setting : settings)
        set_field(study, setting);
    return study;
}

/// A sine that two layers of 32 units learn well. @param noise  standard deviations: of the data, and of the likelihood
Study sine(double noise, double likelihood)
{
    Study study              = course_study("point_estimate");
    study.data.toy.kind      = ToyKind::sine_gap;
    study.data.toy.n         = 400;
    study.data.toy.noise     = noise;
    study.network.hidden     = {32, 32};
    study.network.activation = ActivationKind::tanh;
    study.network.noise      = "given";
    field("network.noise_sd").set(study, likelihood);
    study.training.steps = 3000;
    return study;
}

TEST(LinterErrorRatesOfRuns, IntervalCoverageOfTrainedNetworks)
{
    const long repeats = full() ? 200 : 10;
    const auto right   = findings_of_runs(repeats, sine(0.5, 0.5), "interval_coverage"),
               half    = findings_of_runs(repeats, sine(0.5, 0.25), "interval_coverage"),
               wide    = findings_of_runs(repeats, sine(0.5, 1.25), "interval_coverage");
    EXPECT_LE(right.share(), full() ? 0.05 : 0.1);
    EXPECT_GE(half.share(), 0.9);
    EXPECT_GE(wide.share(), 0.9);
    const std::string null = "two layers of 32 tanh units trained on a noisy sine, the correct noise, 80 test rows";
    print_row("interval_coverage", null, right, "half the correct noise", half);
    print_row("interval_coverage", "the same", right, "2.5 times the correct noise", wide);
}

TEST(LinterErrorRatesOfRuns, NoBetterThanTheMean)
{
    const long repeats = full() ? 200 : 5;
    const auto shorter = [](Study study) {
        study.training.steps = 600;
        return study;
    };
    const std::string rule   = "no_better_than_guessing";
    const auto learned       = findings_of_runs(repeats, shorter(sine(0.5, 0.5)), rule),
               noise         = findings_of_runs(repeats, shorter(sine(50, 50)), rule),
               overconfident = findings_of_runs(repeats, shorter(sine(0.5, 0.1)), rule);
    EXPECT_LE(learned.share(), full() ? 0.05 : 0);
    EXPECT_GE(noise.share(), 0.8);
    EXPECT_GE(overconfident.share(), 0.95);
    print_row(rule, "a noisy sine, learned by two layers of 32 tanh units, 80 test rows", learned,
              "noise of 50 times the amplitude: nothing to learn", noise);
    print_row(rule, "the same", learned, "a fifth of the correct noise", overconfident);
}

TEST(LinterErrorRatesOfRuns, NoiseScale)
{
    const long repeats = full() ? 100 : 5;
    const auto right   = findings_of_runs(repeats, sine(0.0075, 0.0075), "noise_scale"),
               narrow  = findings_of_runs(repeats, sine(0.1, 0.0075), "noise_scale"),
               wide    = findings_of_runs(repeats, sine(0.1, 1.5), "noise_scale");
    EXPECT_LE(right.share(), full() ? 0.05 : 0);
    EXPECT_GE(narrow.share(), 0.95);
    EXPECT_GE(wide.share(), 0.95);
    print_row("noise_scale", "a trained sine, the correct noise, 1 % of the standard deviation of the targets", right,
              "noise 13 times too small", narrow);
    print_row("noise_scale", "the same", right, "noise of twice the standard deviation of the targets", wide);
}

TEST(LinterErrorRatesOfRuns, MeanFieldRuns)
{
    const long repeats  = full() ? 50 : 3;
    const Study healthy = changed("two_moons_mean_field", {"training.steps=1500"});
    const auto right    = findings_of_runs(
           repeats, healthy,
           std::vector<std::string>{"posterior_at_prior", "posterior_at_start", "draws_alike", "step_size"});
    for (const auto& [rule, rate] : right)
        EXPECT_LE(rate.share(), full() ? 0.05 : 0) << rule;
    const auto at_prior = findings_of_runs(repeats, changed("bad_narrow_prior", {"training.steps=1500"}),
                                           "posterior_at_prior"),
               at_start = findings_of_runs(repeats, changed("bad_still_spreads", {"training.steps=600"}),
                                           "posterior_at_start"),
               alike    = findings_of_runs(
                      repeats,
                      changed("two_moons_mean_field", {"posterior.initial_sd=1e-7", "training.optimizer=sgd",
                                                       "training.learning_rate=0.01", "training.steps=600"}),
                      "draws_alike");
    EXPECT_GE(at_prior.share(), 0.9);
    EXPECT_GE(at_start.share(), 0.9);
    EXPECT_GE(alike.share(), 0.9);
    const std::string null = "two moons by mean field, 1,500 steps of Adam";
    print_row("posterior_at_prior", null, right.at("posterior_at_prior"), "prior sd 0.05 (preset `bad_narrow_prior`)",
              at_prior);
    print_row("posterior_at_start", null, right.at("posterior_at_start"),
              "spreads left at their start by SGD (preset `bad_still_spreads`)", at_start);
    print_row("draws_alike", null, right.at("draws_alike"), "initial sd 10⁻⁷ and SGD", alike);
    const auto refused = rate_of(repeats, [](std::uint64_t seed) {   // acceptance probabilities between 0 and 0.6
        const auto noise = normals(400, seed);
        return found("step_size", chains_case(
                                      {.n_chains = 4, .n_draws = 100, .seed = seed},
                                      [&](std::size_t s, DrawStatistics& statistics) {
            statistics.acceptance = 0.3 * std::erfc(-noise[s] / std::sqrt(2.0));
                                      }))
            .has_value();
    });
    EXPECT_GE(refused.share(), 0.95);
    print_row("step_size", null, right.at("step_size"), "4 chains of 100 samples, a mean acceptance probability of 0.3",
              refused);
}

TEST(LinterErrorRatesOfRuns, TauStillMoves)
{
    const long repeats = full() ? 50 : 3;
    const auto settled = findings_of_runs(repeats, changed("two_moons_layer_scale", {"training.steps=1500"}),
                                          "tau_still_moves"),
               moving  = findings_of_runs(repeats, preset("bad_learning_rate"), "tau_still_moves");
    EXPECT_LE(settled.share(), full() ? 0.05 : 0);
    EXPECT_GE(moving.share(), 0.9);
    print_row("tau_still_moves", "two moons with one τ per block, 1,500 steps, a learning rate that falls to 0",
              settled, "a constant learning rate of 0.03 (preset `bad_learning_rate`)", moving);
}

/// Four chains of 200 states that keep their state where a proposal is rejected.
LintCase chains_of_acceptance(double acceptance, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    std::map<std::size_t, std::vector<float>> last;
    ChainsByHand hand{.n_chains = 4, .n_draws = 200, .seed = seed};
    hand.change = [&](std::size_t chain, std::span<float> weights) {
        auto& before = last[chain];
        if (!before.empty() && static_cast<double>(random() >> 11) * 0x1p-53 >= acceptance)
            std::ranges::copy(before, weights.begin());
        before.assign(weights.begin(), weights.end());
    };
    return chains_case(hand);
}

TEST(LinterErrorRatesOfRuns, DrawsAlikeOfChains)
{
    const long repeats = full() ? 500 : 20;
    const auto rates   = [&](double acceptance) {
        return rate_of(repeats, [acceptance](std::uint64_t seed) {
            return found("draws_alike", chains_of_acceptance(acceptance, seed)).has_value();
        });
    };
    const auto half = rates(0.5), few = rates(0.15);
    EXPECT_LE(half.share(), 0.01);
    EXPECT_GE(few.share(), 0.99);
    print_row("draws_alike", "4 chains of 200 samples, 50 % of the proposals are accepted", half, "15 % are accepted",
              few);
}

/// Fifty Gaussians over three logits with normal means.
LintCase gaussians(double mean_sd, double variance, std::uint64_t seed)
{
    using logits_npz::doubles;
    return {.run = snapshot_of_outputs(
                outputs_npz::opened({doubles("mean", {50, 3}, normals(150, seed, mean_sd)),
                                     doubles("variance", {50, 3}, std::vector<double>(150, variance))},
                                    "gaussians.npz"))};
}

TEST(LinterErrorRatesOfRuns, BridgeRegion)
{
    const long repeats = full() ? 500 : 20;
    const auto rates   = [&](double mean_sd, double variance) {
        return rate_of(repeats, [=](std::uint64_t seed) {
            return found("bridge_region", gaussians(mean_sd, variance, seed)).has_value();
        });
    };
    const auto clear = rates(3, 0.1), close = rates(0.3, 10);
    EXPECT_LE(clear.share(), 0.05);
    EXPECT_GE(close.share(), 0.95);
    print_row("bridge_region", "50 rows of 3 logits, means of standard deviation 3, variance 0.1", clear,
              "means of standard deviation 0.3, variance 10", close);
}

/// What the rules without statistics compare.
const std::map<std::string, std::string>& exact_rules()
{
    static const std::map<std::string, std::string> rules{
        {"not_finite", "numbers that are not finite"},
        {"lost_digits", "the spacing of float32 with the spread of a column"},
        {"test_rows_seen", "a count of equal rows"},
        {"test_rows_trained_on", "the split of a continued run"},
        {"table_changed", "size and hash of a file"},
        {"kl_weight", "a setting with 1/N"},
        {"tau_at_guard", "τ with its smallest allowed value"},
        {"depth_limit", "a count of trajectories; the error rates of its second condition are those of `ess`"},
        {"funnel_unseen", "the findings of `r_hat` and `e_bfmi`, whose error rates it has"},
        {"interval_level", "the number of samples with the level"},
        {"evidence_range", "λ with the ends of its range"},
        {"class_untrained", "a count of rows"},
        {"rare_categories", "a count of categories"},
        {"ood_without_own_rows", "which arrays a file has"},
        {"foreign_resampled", "the sizes of images"}};
    return rules;
}

TEST(LinterErrorRatesOfRuns, EveryRuleIsSimulatedOrExact)
{
    const std::vector<std::string> simulated{"noise_scale",
                                             "step_size",
                                             "draws_alike",
                                             "posterior_at_prior",
                                             "posterior_at_start",
                                             "tau_still_moves",
                                             "divergences",
                                             "r_hat",
                                             "ess",
                                             "e_bfmi",
                                             "interval_coverage",
                                             "bridge_region",
                                             "evidence_precision",
                                             "class_imbalance",
                                             "no_better_than_guessing",
                                             "calibration_bins",
                                             "difference_of_runs"};
    for (const auto& rule : lint_rules())
        EXPECT_NE(exact_rules().contains(rule.id), std::ranges::count(simulated, rule.id) == 1) << rule.id;
    EXPECT_EQ(exact_rules().size() + simulated.size(), lint_rules().size());
    for (const auto& [rule, what] : exact_rules())
        std::cout << "| `" << rule << "` | exact: " << what << " | – | – | – |" << std::endl;
}

}   // namespace
}   // namespace credence
