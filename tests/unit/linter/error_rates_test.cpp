// SPDX-License-Identifier: GPL-3.0-or-later
// How often linter rules report a finding without a fault, and how often with one. Prints a row of
// the table in docs/linter.md for each:
//     build/release/tests/linter_error_rates | grep '^|'
// With CREDENCE_ERROR_RATES=full each simulation is repeated more often.
#include "error_rates.h"
#include "lint_runs.h"

#include "chains/chain_diagnostics.h"
#include "linter/evidence.h"
#include "outputs/outputs_file.h"
#include "prediction/difference_of_means.h"
#include "study/presets.h"
#include "unit/outputs/outputs_npz.h"
#include "unit/random_values.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>

namespace credence {
namespace {

double normal_cdf(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

/// Fifty predictions of some chains whose states are autoregressive: independent ones, or class
/// probabilities made of five states each.
struct ManyChains {
    std::size_t n_chains, n_draws;
    double phi;
    bool independent = false;
    double shift     = 0;   ///< of all states of the last chain, in standard deviations

    lint_support::ChainEvidence evidence(std::uint64_t seed) const
    {
        constexpr std::size_t n_quantities = 50;
        const std::size_t n_states = independent ? n_quantities : 5, n = n_chains * n_draws;
        auto states = normals(n_states * n, seed);
        for (std::size_t k = 0; k < n_states * n_chains; ++k) {
            double* chain = &states[k * n_draws];
            for (std::size_t t = 1; t < n_draws; ++t)
                chain[t] = phi * chain[t - 1] + std::sqrt(1 - phi * phi) * chain[t];
            if (shift != 0 && k % n_chains == n_chains - 1)
                for (std::size_t t = 0; t < n_draws; ++t)
                    chain[t] += shift;
        }
        const auto loads = normals(n_quantities * n_states, seed + 77777);
        const auto write = [&](std::size_t q, std::span<double> out) {
            if (independent) {
                std::copy_n(states.begin() + static_cast<std::ptrdiff_t>(q * n), n, out.begin());
                return;
            }
            std::fill(out.begin(), out.end(), 0.0);
            for (std::size_t k = 0; k < n_states; ++k)
                for (std::size_t i = 0; i < n; ++i)
                    out[i] += loads[q * n_states + k] * states[k * n + i];
            for (double& logit : out)
                logit = 1 / (1 + std::exp(-logit));
        };
        return {.n_chains = n_chains,
                .n_draws  = n_draws,
                .n_rows   = n_quantities,
                .summary  = convergence_summary({n_quantities, n_chains, n_draws, write}).value()};
    }
};

TEST(LinterErrorRates, RHatOfChainsThatAgree)
{
    const long repeats = full() ? 100 : 8;
    Rate all;
    double worst = 0;
    std::string worst_cell;
    for (const std::size_t n_chains : {2u, 4u, 8u})
        for (const std::size_t n_draws :
             full() ? std::vector<std::size_t>{50, 200, 500, 2000} : std::vector<std::size_t>{50, 200, 500})
            for (const double phi : {0.0, 0.5, 0.7, 0.9})
                for (const bool independent : {false, true}) {
                    const ManyChains chains{n_chains, n_draws, phi, independent};
                    const auto rate = rate_of(n_draws > 500 ? repeats / 4 : repeats,
                                              [&](std::uint64_t seed) { return chains.evidence(seed).disagree(); });
                    all.found += rate.found;
                    all.all += rate.all;
                    EXPECT_LE(rate.share(), bound_above(0.02, rate.all))
                        << n_chains << " chains, " << n_draws << " samples, autocorrelation " << phi;
                    if (rate.share() > worst) {
                        worst      = rate.share();
                        worst_cell = std::to_string(n_chains) + " chains of " + std::to_string(n_draws) + ", "
                                     + std::to_string(phi);
                    }
                }
    EXPECT_LE(all.share(), 0.02);
    const auto apart = rate_of(4 * repeats, [](std::uint64_t seed) {
        return ManyChains{.n_chains = 4, .n_draws = 500, .phi = 0.5, .shift = 1}.evidence(seed).disagree();
    });
    EXPECT_GE(apart.share(), 0.95);
    print_row("r_hat",
              std::string("50 predictions of 2 to 8 converged AR(1) chains, 50 to ") + (full() ? "2,000" : "500")
                  + " samples, φ 0 to 0.9",
              all, "one of 4 chains of 500 samples (φ = 0.5) is 1 standard deviation away", apart);
    std::cout << "Worst cell of r_hat: " << 100 * worst << " %, " << worst_cell << std::endl;
}

TEST(LinterErrorRates, RHatFindsStuckChains)
{
    const long repeats = full() ? 200 : 10;
    struct Case {
        std::size_t n_chains, n_draws;
        double phi;
    };
    for (const auto& [n_chains, n_draws, phi] :
         {Case{2, 50, 0.0}, Case{4, 100, 0.5}, Case{4, 500, 0.9}, Case{8, 200, 0.7}}) {
        const auto stuck = rate_of(repeats, [&](std::uint64_t seed) {
            return ManyChains{.n_chains = n_chains, .n_draws = n_draws, .phi = phi, .shift = 3}
                .evidence(seed)
                .disagree();
        });
        EXPECT_GE(stuck.share(), 0.9) << n_chains << " chains, " << n_draws << " samples, autocorrelation " << phi;
        std::ostringstream what;
        what << n_chains << " chains of " << n_draws << " samples (φ = " << phi << "), ";
        const auto agree = rate_of(repeats, [&](std::uint64_t seed) {
            return ManyChains{.n_chains = n_chains, .n_draws = n_draws, .phi = phi}.evidence(seed).disagree();
        });
        print_row("r_hat", what.str() + "converged", agree, what.str() + "one stuck 3 standard deviations away", stuck);
    }
}

TEST(LinterErrorRates, EffectiveSampleSize)
{
    const long repeats = full() ? 400 : 30;
    const auto fires   = [](const ManyChains& chains) {
        return [chains](std::uint64_t seed) {
            return chains.evidence(seed).worth().short_share > lint_support::most_short;
        };
    };
    const auto enough = rate_of(repeats, fires({4, 500, 0})), few = rate_of(repeats, fires({4, 500, 0.9}));
    EXPECT_LE(enough.share(), bound_above(0.02, repeats));
    EXPECT_GE(few.share(), 0.99);
    print_row("ess", "4 chains of 500 independent samples (ESS 2,000)", enough,
              "4 chains of 500 samples, φ = 0.9 (ESS 105)", few);
}

TEST(LinterErrorRates, EnergyBfmi)
{
    const long repeats = full() ? 2000 : 200;
    const auto fires   = [](double phi) {
        return [phi](std::uint64_t seed) {
            for (std::size_t c = 0; c < 4; ++c) {
                auto energies = normals(200, 4 * seed + c);
                for (std::size_t t = 1; t < energies.size(); ++t)
                    energies[t] = phi * energies[t - 1] + std::sqrt(1 - phi * phi) * energies[t];
                if (*e_bfmi(energies) < lint_support::smallest_e_bfmi)
                    return true;
            }
            return false;
        };
    };
    const auto quick = rate_of(repeats, fires(0.5)), slow = rate_of(repeats, fires(0.9));
    EXPECT_LE(quick.share(), bound_above(0.001, repeats));
    EXPECT_GE(slow.share(), 0.95);
    print_row("e_bfmi", "4 chains of 200 energies, φ = 0.5 (E-BFMI 1)", quick, "φ = 0.9 (E-BFMI 0.2)", slow);
}

/// The share of pairs of groups with p < 0.05, if the means differ by `shift` standard deviations of a run.
Rate differences(long repeats, std::size_t n_a, std::size_t n_b, bool paired, double shift)
{
    return rate_of(repeats, [=](std::uint64_t seed) {
        auto a       = normals(n_a, 2 * seed);
        const auto b = normals(n_b, 2 * seed + 1);
        for (double& value : a)
            value += shift;
        const auto found = paired ? paired_difference(a, b) : unpaired_difference(a, b);
        return *found.p_value < 0.05;
    });
}

TEST(LinterErrorRates, DifferencesBetweenStudies)
{
    const long repeats = full() ? 20000 : 2000;
    struct Groups {
        std::size_t n_a, n_b;
        bool paired;
    };
    for (const auto& [n_a, n_b, paired] : {Groups{2, 1, false}, Groups{2, 2, false}, Groups{3, 2, false},
                                           Groups{3, 3, false}, Groups{3, 3, true}, Groups{5, 5, true}}) {
        const auto same = differences(repeats, n_a, n_b, paired, 0), apart = differences(repeats, n_a, n_b, paired, 4);
        EXPECT_LE(same.share(), bound_above(0.05, repeats)) << n_a << " and " << n_b;
        const std::string seeds = paired ? std::to_string(n_a) + " shared seeds"
                                         : std::to_string(n_a) + " and " + std::to_string(n_b) + " seeds";
        print_row("difference_of_runs", "identical settings, " + seeds + ": a difference is claimed", same,
                  "4 standard deviations of a run apart", apart);
        if (n_a == 5) {
            EXPECT_GE(apart.share(), 0.95);
        }
    }
}

TEST(LinterErrorRates, TenComparisonsOfASweepByHolm)
{
    const long repeats = full() ? 10000 : 1000;
    const auto any     = [](bool adjust, double shift) {
        return [=](std::uint64_t seed) {   // five settings of five seeds: ten pairs
            std::vector<std::vector<double>> runs;
            for (std::size_t s = 0; s < 5; ++s) {
                runs.push_back(normals(5, 5 * seed + s));
                for (double& value : runs.back())
                    value += s == 0 ? shift : 0;
            }
            std::vector<std::optional<double>> p;
            for (std::size_t i = 0; i < 5; ++i)
                for (std::size_t j = i + 1; j < 5; ++j)
                    p.push_back(paired_difference(runs[i], runs[j]).p_value);
            if (adjust)
                p = holm_adjusted(p);
            return std::ranges::any_of(p, [](const auto& one) { return *one < 0.05; });
        };
    };
    const auto raw = rate_of(repeats, any(false, 0)), holm = rate_of(repeats, any(true, 0)),
               apart = rate_of(repeats, any(true, 6));
    EXPECT_GE(raw.share(), 0.15) << "without adjustment";
    EXPECT_LE(holm.share(), bound_above(0.05, repeats));
    EXPECT_GE(apart.share(), 0.9);
    print_row("comparisons of a sweep", "five identical settings, 5 seeds each, ten raw p values: any claim", raw,
              "one setting is 6 standard deviations of a run away", rate_of(repeats, any(false, 6)));
    print_row("comparisons of a sweep", "the same with Holm's adjustment: any claim", holm,
              "one setting is 6 standard deviations of a run away", apart);
}

/// Imported predictions of two classes: probability of the true class and the share of class 0 by hand.
LintCase classified(long rows, double share_of_first, std::uint64_t seed,
                    const std::function<double(int label, double chance)>& of_true)
{
    const auto noise = normals(static_cast<std::size_t>(2 * rows), seed);
    std::vector<float> draws;
    std::vector<std::int64_t> labels;
    for (long i = 0; i < rows; ++i) {
        const int label = normal_cdf(noise[static_cast<std::size_t>(2 * i)]) < share_of_first ? 0 : 1;
        const auto p    = static_cast<float>(of_true(label, normal_cdf(noise[static_cast<std::size_t>(2 * i + 1)])));
        if (label == 0)
            draws.insert(draws.end(), {p, 1 - p});
        else
            draws.insert(draws.end(), {1 - p, p});
        labels.push_back(label);
    }
    return {.run = snapshot_of_outputs(
                outputs_npz::opened({logits_npz::floats("probabilities", {1, static_cast<std::size_t>(rows), 2}, draws),
                                     logits_npz::integers("labels", labels)},
                                    "simulated.npz"))};
}

Rate findings_on(const std::string& rule, long repeats, const std::function<LintCase(std::uint64_t seed)>& make)
{
    return rate_of(repeats, [&](std::uint64_t seed) { return found(rule, make(seed)).has_value(); });
}

TEST(LinterErrorRates, NoBetterThanGuessing)
{
    const long repeats = full() ? 1000 : 60;
    const auto right   = [](double accuracy, double confidence) {
        return [=](int, double chance) { return chance < accuracy ? confidence : 1 - confidence; };
    };
    const auto better = findings_on("no_better_than_guessing", repeats,
                                    [&](std::uint64_t seed) { return classified(100, 0.5, seed, right(0.8, 0.8)); });
    const auto guess  = findings_on("no_better_than_guessing", repeats,
                                    [&](std::uint64_t seed) { return classified(100, 0.5, seed, right(0.5, 0.55)); });
    const auto sure   = findings_on("no_better_than_guessing", repeats,
                                    [&](std::uint64_t seed) { return classified(100, 0.5, seed, right(0.8, 0.9999)); });
    EXPECT_LE(better.share(), bound_above(0.01, repeats));
    EXPECT_GE(guess.share(), 0.85);
    EXPECT_GE(sure.share(), 0.85);
    print_row("no_better_than_guessing", "80 % correct with a confidence of 80 %, 100 rows, two classes", better,
              "guesses with a confidence of 55 %", guess);
    print_row("no_better_than_guessing", "the same", better, "80 % correct with a confidence of 99.99 %", sure);

    // 66.1 % correct with a confidence of 80 % has an NLL of ln 2, that of the class frequencies.
    const auto equal    = findings_on("no_better_than_guessing", repeats,
                                      [&](std::uint64_t seed) { return classified(8, 0.5, seed, right(0.661, 0.8)); });
    const auto few_sure = findings_on("no_better_than_guessing", repeats,
                                      [&](std::uint64_t seed) { return classified(8, 0.5, seed, right(0.5, 0.9999)); });
    EXPECT_LE(equal.share(), bound_above(0.025, repeats));
    EXPECT_GE(few_sure.share(), 0.3);
    print_row("no_better_than_guessing", "66.1 % correct with a confidence of 80 %, 8 rows, two classes", equal,
              "50 % correct with a confidence of 99.99 %", few_sure);
}

TEST(LinterErrorRates, ClassImbalance)
{
    const long repeats = full() ? 1000 : 60;
    const auto alike   = findings_on("class_imbalance", repeats, [](std::uint64_t seed) {
        return classified(200, 0.7, seed, [](int, double chance) { return chance < 0.85 ? 0.9 : 0.1; });
    });
    const auto missed  = findings_on("class_imbalance", repeats, [](std::uint64_t seed) {
        return classified(200, 0.9, seed,
                           [](int label, double chance) { return label == 0 || chance < 0.3 ? 0.9 : 0.1; });
    });
    EXPECT_LE(alike.share(), bound_above(0.02, repeats));
    EXPECT_GE(missed.share(), 0.95);
    print_row("class_imbalance", "70 % in one class, 85 % of each class correct, 200 rows", alike,
              "90 % in one class, 30 % of the other class correct", missed);
}

TEST(LinterErrorRates, CalibrationBins)
{
    const long repeats = full() ? 1000 : 60;
    const auto make    = [](long rows) {
        return [rows](std::uint64_t seed) {
            return classified(rows, 0.5, seed, [](int, double chance) { return chance < 0.7 ? 0.7 : 0.3; });
        };
    };
    const auto many = findings_on("calibration_bins", repeats, make(200)),
               few  = findings_on("calibration_bins", repeats, make(4));
    EXPECT_LE(many.share(), bound_above(0.01, repeats));
    EXPECT_GE(few.share(), 0.95);
    print_row("calibration_bins", "200 rows, confidence 70 %", many, "4 rows", few);
}

TEST(LinterErrorRates, IntervalCoverage)
{
    const long repeats = full() ? 10000 : 1000;
    /// The predicted standard deviation is `factor` times the true one.
    const auto verdicts = [](double factor) {
        return [factor](std::uint64_t seed) {
            auto u = normals(100, seed);
            for (double& z : u)
                z = normal_cdf(z / factor);
            const auto verdict = lint_support::coverage_verdict(u, 0.95);
            return verdict.too_short || verdict.too_wide;
        };
    };
    const auto right = rate_of(repeats, verdicts(1)), too_short = rate_of(repeats, verdicts(0.5)),
               too_wide = rate_of(repeats, verdicts(2.5));
    EXPECT_LE(right.share(), bound_above(0.002, repeats));
    EXPECT_GE(too_short.share(), 0.95);
    EXPECT_GE(too_wide.share(), 0.95);
    print_row("interval_coverage", "the correct normal distribution, 100 test rows, level 95 %", right,
              "standard deviation half of the true one", too_short);
    print_row("interval_coverage", "the same", right, "standard deviation 2.5 times the true one", too_wide);
}

TEST(LinterErrorRates, EvidencePrecision)
{
    const long repeats = full() ? 10000 : 1000;
    const auto fell    = [](double lost_share, double won_share) {
        return [=](std::uint64_t seed) {
            long lost = 0, won = 0;
            for (const double z : normals(200, seed)) {
                const double u = normal_cdf(z);
                lost += u < lost_share;
                won += u > 1 - won_share;
            }
            return lint_support::accuracy_fell(lost, won, 200);
        };
    };
    const auto same = rate_of(repeats, fell(0.05, 0.05)), worse = rate_of(repeats, fell(0.2, 0.02));
    EXPECT_LE(same.share(), bound_above(0.003, repeats));
    EXPECT_GE(worse.share(), 0.95);
    print_row("evidence_precision", "200 rows, 5 % become wrong and 5 % right", same, "20 % become wrong and 2 % right",
              worse);
}

/// Logistic regression under a Gaussian prior has one mode: chains that agree must not be called
/// wrong, however short they are.
TEST(LinterErrorRates, LogisticRegressionByHmc)
{
    const int repeats = full() ? 20 : 2;
    Rate accused, few, divergent;
    for (const char* draws : {"posterior.draws=200", "posterior.draws=500"})
        for (int seed = 90210; seed < 90210 + repeats; ++seed) {
            Study study = preset("two_moons_hmc");
            for (const char* setting : {"network.hidden=", "data.noise=0.4", "posterior.leapfrog_steps=4", draws})
                set_field(study, setting);
            study.seed        = static_cast<std::uint64_t>(seed);
            const auto run    = case_of(study);
            const auto chains = lint_support::hamiltonian_chains(run, {});
            ASSERT_TRUE(chains);
            EXPECT_GT(chains->summary.n_judged, 10u);
            accused.add(found("r_hat", run).has_value() || found("funnel_unseen", run).has_value());
            few.add(found("ess", run).has_value());
            divergent.add(found("divergences", run).has_value());
        }
    EXPECT_LE(accused.share(), full() ? 0.05 : 0);
    EXPECT_LE(divergent.share(), full() ? 0.05 : 0);
    print_row("r_hat", "logistic regression by HMC, 4 chains of 200 and of 500 samples, 4 leapfrog steps", accused,
              "its finding of too few samples (`ess`)", few);
    const auto coarse = rate_of(repeats, [](std::uint64_t seed) {
        Study study = preset("cubic");
        for (const char* setting :
             {"posterior.family=nuts", "posterior.target_acceptance=0.5", "posterior.warmup=50", "posterior.draws=50"})
            set_field(study, setting);
        study.seed = seed;
        return found("divergences", case_of(study)).has_value();
    });
    EXPECT_GE(coarse.share(), 0.8);
    print_row("divergences", "the same runs", divergent,
              "little noise (preset `cubic`) by NUTS, 50 warm-up iterations, target acceptance 0.5", coarse);
}

}   // namespace
}   // namespace credence
