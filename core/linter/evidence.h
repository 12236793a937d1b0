// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/convergence.h"
#include "linter/lint.h"
#include "views/scored_predictions.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

/// Evidence that several rules use. Not for use outside core/linter.
namespace credence::lint_support {

/// True for a run that Credence trained. Rules about settings and weights skip imported
/// predictions.
bool is_own_run(const LintCase& lint_case);
/// True if the run has at least 100 optimiser steps. Rules about training curves skip shorter runs.
bool is_a_course(const LintCase& lint_case);

std::string number(double value);                       ///< three significant digits: "0.0125", "12000"
std::string percent(double share);                      ///< "12.5 %"
std::string counted(long n, const std::string& what);   ///< "1 row", "1,200 rows"

/// Returns the predictions of the scored rows. Uses the cached predictions of the views if there
/// are any; otherwise predicts all rows if that is cheap, or some rows with fewer samples.
/// @return  null if the run has no classes, there is nothing to predict with, or `stop` was
/// requested
/// @throws Error if an output is not finite
std::shared_ptr<const ScoredPredictions> predictions(const LintCase& lint_case, const std::stop_token& stop);

/// These predictions, counted by true class.
struct ClassCounts {
    std::vector<long> rows, right;   ///< [classes]
    long all = 0, all_right = 0;
    std::size_t largest = 0;   ///< index of the largest class
};
/// @return  empty: as predictions(), or a row has a class that the network does not have
std::optional<ClassCounts> class_counts(const LintCase& lint_case, const std::stop_token& stop);

inline constexpr double enough_draws    = 400;     ///< effective sample size: Vehtari et al. 2021
inline constexpr double most_short      = 0.05;    ///< largest share of quantities below it
inline constexpr double smallest_e_bfmi = 0.3;     ///< Betancourt 2016
inline constexpr double most_above      = 0.05;    ///< largest share of quantities with R̂ above 1.01
inline constexpr double chance_level    = 0.001;   ///< of ConvergenceSummary::agreement

/// Diagnostics of Hamiltonian chains (NUTS, HMC), and convergence of the function at some scored
/// rows.
struct ChainEvidence {
    std::size_t n_chains = 0, n_draws = 0;    ///< draws per chain
    std::size_t n_rows = 0;                   ///< rows at which the function is evaluated
    ConvergenceSummary summary{};             ///< of the class probabilities or function values there
    std::vector<double> e_bfmi{};             ///< of the chains for which it is defined
    long divergent = 0, at_depth_limit = 0;   ///< draws
    double acceptance = 0;                    ///< mean

    long all_draws() const { return static_cast<long>(n_chains * n_draws); }
    double share_above() const;   ///< share of quantities with R̂ above 1.01; 0 if it is undefined for all
    /// True if R̂ is above 1.01 for too many quantities and the chains differ by more than their
    /// autocorrelation explains.
    bool disagree() const;
    /// True if R̂ is above 1.01 for too many quantities but the chains are too short to rule out
    /// chance.
    bool too_few_samples() const;
    /// The smallest effective sample sizes, and the share of quantities whose bulk or tail ESS is
    /// below `enough_draws` (0 if ESS is undefined for all).
    struct Worth {
        double bulk = 0, tail = 0, short_share = 0;
    };
    Worth worth() const;
    /// The worst R̂ as text: "1.24", "without bound".
    std::string worst_r_hat() const;
};
/// Cached for the last few runs. @return  null: no Hamiltonian chains, or `stop` was requested
/// @throws Error if a chain has fewer than four draws, or an output is not finite
std::shared_ptr<const ChainEvidence> hamiltonian_chains(const LintCase& lint_case, const std::stop_token& stop);

/// The fixed noise of a regression compared with the spread of its training targets, in the units
/// of the target. See interval_rules.cpp.
struct NoiseScale {
    double noise_sd = 0, target_sd = 0;

    static constexpr double narrowest = 0.02, widest = 1.5;                   ///< times target_sd
    bool is_too_narrow() const { return noise_sd < narrowest * target_sd; }   ///< unless errors are as small
    bool is_too_wide() const { return noise_sd > widest * target_sd; }
};
/// Empty for classification and for other noise models than Gaussian noise that is given.
std::optional<NoiseScale> noise_scale(const Experiment& experiment);

/// Predictions of a regression at evenly spaced test rows, in the units of the target.
struct TargetPredictions {
    std::vector<double> targets, transforms;   ///< y, and F(y) of its predictive distribution [n]
    std::vector<double> squared_errors, nll;   ///< [n], nats
};
/// Cached for the last few runs.
/// @return  null: not a regression that Credence trained, fewer than 20 test rows, or `stop` was
/// requested
/// @throws Error if an output is not finite
std::shared_ptr<const TargetPredictions> target_predictions(const LintCase& lint_case, const std::stop_token& stop);

/// Compares the coverage of predictive intervals with their level.
struct CoverageVerdict {
    double covered = 0,
           middle  = 0;   ///< shares of targets inside the interval at the level, and inside the central 50 % interval
    double p_short = 1, p_wide = 1;   ///< exact binomial probabilities of a count as low, and as high
    bool too_short = false, too_wide = false;
};
/// @param transforms  F(y) of the predictive distribution at each target: uniform if the
/// distribution is right [n], n >= 1
CoverageVerdict coverage_verdict(std::span<const double> transforms, double level);

/// True if the accuracy is clearly lower than before.
/// @param lost, won  rows that became wrong, and right, of n
bool accuracy_fell(long lost, long won, long n);

/// Id of the view that shows how much samples differ: intervals for classification, scores for
/// regression.
std::string view_of_intervals(const RunSnapshot& run);

/// The final summary of each block: as recorded, otherwise computed again.
LayerUncertainty layers_at_end(const RunSnapshot& run);

/// τ or the spread of a block at each recorded step [recorded steps].
struct SpreadCourse {
    std::string block;
    bool is_tau = false;          ///< else the median standard deviation
    std::vector<double> values;   ///< > 0
};
/// For weight blocks only, not biases; empty if nothing was recorded or a spread was 0.
std::vector<SpreadCourse> spread_courses(const LintCase& lint_case);

}   // namespace credence::lint_support
