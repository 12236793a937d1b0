// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/convergence_summary.h"
#include "linter/lint.h"
#include "views/scored_predictions.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

/// What several rules look at. Not for use outside core/linter.
namespace credence::lint_support {

/// Is there something trained by us? Rules about settings and weights are silent on outputs from elsewhere.
bool is_own_run(const LintCase& lint_case);
/// Has the run made so many optimiser steps that its course says something? Rules about a course are silent on a run of a few steps.
bool is_a_course(const LintCase& lint_case);

std::string number(double value);                       ///< three digits, as a person writes them: "0.0125", "12000"
std::string percent(double share);                      ///< "12.5 %"
std::string counted(long n, const std::string& what);   ///< "1 row", "1,200 rows"

/// Predictions of the rows that scores are about: what the views have at hand; else of all rows if that is cheap, of some of them by fewer draws if it is not.
/// @return  null: the run has no classes, there is nothing to predict with, or `stop` was requested. @throws Error if an output is not finite
std::shared_ptr<const ScoredPredictions> predictions(const LintCase& lint_case, const std::stop_token& stop);

/// Those predictions counted by true class.
struct ClassCounts {
    std::vector<long> rows, right;   ///< [classes]
    long all = 0, all_right = 0;
    std::size_t largest = 0;   ///< the class with most rows
};
/// @return  empty: as predictions(), or a row has no class of the net
std::optional<ClassCounts> class_counts(const LintCase& lint_case, const std::stop_token& stop);

inline constexpr double enough_draws    = 400;     ///< independent ones: Vehtari et al. 2021
inline constexpr double most_short      = 0.05;    ///< share of quantities that may have fewer
inline constexpr double smallest_e_bfmi = 0.3;     ///< Betancourt 2016
inline constexpr double most_above      = 0.05;    ///< share of quantities that may have R̂ above 1.01
inline constexpr double chance_level    = 0.001;   ///< of ConvergenceSummary::agreement

/// What Hamiltonian chains (NUTS, HMC) say of themselves and of the function at some rows of the scored set.
struct ChainEvidence {
    std::size_t n_chains = 0, n_draws = 0;    ///< draws of each
    std::size_t n_rows = 0;                   ///< rows at which the function is looked at
    ConvergenceSummary summary{};             ///< of the class probabilities, or of the function's value, at these rows
    std::vector<double> e_bfmi{};             ///< of the chains for which it is defined
    long divergent = 0, at_depth_limit = 0;   ///< draws
    double acceptance = 0;                    ///< mean

    long all_draws() const { return static_cast<long>(n_chains * n_draws); }
    double share_above() const;   ///< of quantities with R̂ above 1.01; 0 where none can be judged
    /// Is R̂ above 1.01 for too many quantities, and the difference between chains larger than their autocorrelation explains?
    bool disagree() const;
    /// Is R̂ above 1.01 for too many quantities, but are the chains too short to tell disagreement from chance?
    bool cannot_tell() const;
    /// The smallest effective sample sizes, and the share of the quantities whose bulk or tail ESS is below `enough_draws`; a share of 0 where nothing can be judged.
    struct Worth {
        double bulk = 0, tail = 0, short_share = 0;
    };
    Worth worth() const;
    /// The worst R̂ in words: "1.24", "without bound".
    std::string worst_r_hat() const;
};
/// Kept for the last few runs. @return  null: no Hamiltonian chains, or `stop` was requested
/// @throws Error if a chain has fewer than four draws, or an output is not finite
std::shared_ptr<const ChainEvidence> hamiltonian_chains(const LintCase& lint_case, const std::stop_token& stop);

/// The noise of a regression that is set, not learned, next to the spread of its training targets; both in the units of the target. See noise_scale.cpp.
struct NoiseScale {
    double noise_sd = 0, target_sd = 0;

    static constexpr double narrowest = 0.02, widest = 1.5;                   ///< of target_sd
    bool is_too_narrow() const { return noise_sd < narrowest * target_sd; }   ///< if the errors are no smaller
    bool is_too_wide() const { return noise_sd > widest * target_sd; }
};
/// Empty: classes, or the noise is learned.
std::optional<NoiseScale> noise_scale(const Experiment& experiment);

/// Whether predictive intervals cover as many targets as they promise.
struct CoverageVerdict {
    double covered = 0,
           middle  = 0;   ///< shares of targets inside the interval at the level, and inside the central 50 % interval
    double p_short = 1, p_wide = 1;   ///< exact binomial probabilities of so few, and of so many
    bool too_short = false, too_wide = false;
};
/// @param transforms  F(y) of the predictive distribution at each target: uniform if the distribution is right [n], n >= 1
CoverageVerdict coverage_verdict(std::span<const double> transforms, double level);

/// Is the accuracy clearly lower than before?
/// @param lost, won  rows that became wrong, and right, of n
bool accuracy_fell(long lost, long won, long n);

/// Id of the view that shows how far draws differ: intervals of classes, scores of a number to predict.
std::string view_of_intervals(const RunMoment& run);

/// What the end of a run says of each block: as it was recorded, else worked out anew.
LayerUncertainty layers_at_end(const RunMoment& run);

/// One τ or one spread for each recorded step of a run [recorded steps].
struct SpreadCourse {
    std::string block;
    bool is_tau = false;          ///< else the median standard deviation
    std::vector<double> values;   ///< > 0
};
/// Of the blocks of weights (not of the biases); empty where nothing was recorded, or a spread was 0.
std::vector<SpreadCourse> spread_courses(const LintCase& lint_case);

}   // namespace credence::lint_support
