// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace credence {

/// The nonconformity score of split conformal prediction: large if a target fits a prediction badly.
enum class ConformalScore {
    none,
    // of class probabilities
    thr,    ///< 1 − p̄ of the class: the smallest sets on average
    aps,    ///< probability of all classes at least as probable: sets adapt to the row
    raps,   ///< the same plus a penalty for long sets: for many classes
    // of a numeric target
    absolute,     ///< |y − mean|: all intervals have the same width
    normalised,   ///< |y − mean| / sd: widths follow the predictive standard deviation
    cqr,          ///< distance beyond the predictive quantiles: corrects their two ends
};
bool is_of_classes(ConformalScore score);   ///< thr, aps and raps

struct ConformalOptions {
    ConformalScore score = ConformalScore::none;
    /// APS and RAPS: the class's own probability counts with a random share. Coverage is then exact,
    /// but sets can be empty; without it, sets contain at least the most probable class.
    bool randomised  = false;
    double penalty   = 0.1;   ///< RAPS: λ, added for each class after the first `free_classes`
    int free_classes = 1;     ///< RAPS: k_reg
    bool operator==(const ConformalOptions&) const = default;
};

/// The finite-sample quantile of calibration scores:
///
///     q = score of rank ⌈(n + 1) level⌉, +∞ if that exceeds n
///
/// A new score, exchangeable with these, is at most q with probability at least `level`.
/// @param sorted  ascending [n]
/// @param level   in (0, 1); @throws Error otherwise
/// Source: Vovk, Gammerman and Shafer 2005; Lei et al. 2018
double conformal_quantile(std::span<const double> sorted, double level);
/// The smallest n for which conformal_quantile is finite.
std::size_t fewest_calibration_rows(double level);

/// The scores of all classes at one input [K]. With the classes in order of decreasing p̄ (the lower
/// index first on ties), rank r_k from 1 and share u:
///
///     THR    1 − p̄_k                                          (Sadinle, Lei and Wasserman 2019)
///     APS    Σ_{r_j < r_k} p̄_j + u p̄_k                        (Romano, Sesia and Candès 2020)
///     RAPS   the same + λ max(0, r_k − k_reg)                  (Angelopoulos et al. 2021)
///
/// @param p      mean probabilities [K]
/// @param share  u of this input: 1 unless randomised
std::vector<double> class_conformal_scores(const ConformalOptions& options, std::span<const double> p,
                                           double share = 1);
/// The classes whose score is at most the threshold of their class, ascending. APS and RAPS without
/// random numbers: at least the most probable class.
/// @param thresholds  one for all classes, or one for each [K]
std::vector<int> conformal_set(const ConformalOptions& options, std::span<const double> p,
                               std::span<const double> thresholds, double share = 1);

/// Returns u of an input: uniform on (0, 1), a function of the seed and of the input's numbers, so
/// that an input has the same prediction set in every view. 1 if the options are not randomised.
double conformal_share(const ConformalOptions& options, std::uint64_t seed, std::span<const float> input);

/// The prediction of a regression at one input, in the target's units.
struct PredictedNumber {
    double mean = 0, sd = 0;       ///< of y, noise included
    double lower = 0, upper = 0;   ///< predictive quantiles (1 ∓ level)/2; only for CQR
};
///     absolute     |y − mean|
///     normalised   |y − mean| / sd
///     CQR          max(lower − y, y − upper)   (Romano, Patterson and Candès 2019)
double number_conformal_score(ConformalScore score, const PredictedNumber& predicted, double y);
/// All y whose score is at most the threshold. A CQR interval whose ends cross is its midpoint.
std::pair<double, double> conformal_interval(ConformalScore score, const PredictedNumber& predicted, double threshold);

}   // namespace credence
