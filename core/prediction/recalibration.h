// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/class_predictions.h"
#include "prediction/posterior_predictive.h"
#include "prediction/recalibrated_noise.h"
#include "prediction/regression.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

enum class RecalibrationKind {
    none,
    temperature,   ///< classes: one number
    vector,        ///< classes: a scale and a bias for each class
    sigma,         ///< regression: one factor of the predictive standard deviation
    cdf,           ///< regression: the factor, then a map of the levels of the distribution
};

inline bool is_of_numbers(RecalibrationKind kind)
{
    return kind == RecalibrationKind::sigma || kind == RecalibrationKind::cdf;
}

/// A transform of the predictive distribution, fitted on rows that were not used for training
/// (docs/maths.md, section 8). It acts on each sample s:
///
///     temperature   p_s ← softmax(ln p_s / T)                     Guo et al. 2017
///     vector        p_s ← softmax(a ∘ ln p_s + b), a > 0          Guo et al. 2017
///     sigma         f_s ← m + c (f_s − m),  s_s ← c s_s           m: mean of f_s at this input
///     cdf           the same; then F(y) ← R(F(y)), F of the mixture   Kuleshov et al. 2018
///
/// Means, intervals, entropies and scores follow from the transformed samples. R is stored in their
/// noise distribution (recalibrated_noise.h).
struct Recalibration {
    RecalibrationKind kind = RecalibrationKind::none;
    double temperature     = 1;            ///< T > 0
    std::vector<double> scale{}, bias{};   ///< a and b [K] of `vector`; Σ b = 0
    double factor = 1;                     ///< c > 0, of `sigma` and `cdf`
    LevelMap levels{};                     ///< R of `cdf`

    /// The rows of the fit, and their mean NLL before and after, nats per example.
    long n_rows       = 0;
    double nll_before = 0, nll_after = 0;

    bool operator==(const Recalibration&) const = default;
    bool of_classes() const { return kind != RecalibrationKind::none && !is_of_numbers(kind); }
    bool of_numbers() const { return is_of_numbers(kind); }
};

/// Names in Studies: "none", "temperature", "vector", "sigma", "cdf".
const char* name_of(RecalibrationKind kind);

/// Transforms logits, or log probabilities, of rows of K classes; the result is defined up to a
/// constant per row. Does nothing for kinds of numbers.
void recalibrate_logits(const Recalibration& recalibration, std::span<float> logits, int n_classes);
/// Transforms all samples; the logarithms are normalised again.
void recalibrate(const Recalibration& recalibration, ClassSamples& samples);
/// Outputs (f, s) [S × N × 2], in place. Does nothing for kinds of classes.
void recalibrate_numbers(const Recalibration& recalibration, OutputSamples& samples);
void recalibrate(const Recalibration& recalibration, RegressionSamples& samples);

/// Range of T and of c that a fit can find.
inline constexpr double smallest_recalibration = 0.02, largest_recalibration = 50;

/// Mean NLL of the recalibrated predictive distribution, nats per example.
double recalibrated_nll(const Recalibration& recalibration, const ClassSamples& samples, std::span<const int> labels);
double recalibrated_nll(const Recalibration& recalibration, const RegressionSamples& samples,
                        std::span<const double> targets);

/// Minimises the mean NLL. The result is never worse than no recalibration on these rows; vector
/// scaling starts from the best temperature and is never worse than it.
/// @throws Error if there are no rows, or numbers are not finite
Recalibration fit_temperature(const ClassSamples& samples, std::span<const int> labels);
Recalibration fit_vector_scaling(const ClassSamples& samples, std::span<const int> labels);
Recalibration fit_sigma_scaling(const RegressionSamples& samples, std::span<const double> targets);
/// σ scaling, then R fitted to F(y) of the scaled distributions (fit_level_map): never worse than σ scaling.
Recalibration fit_cdf(const RegressionSamples& samples, std::span<const double> targets);

/// The calibrated log likelihood (Ashukha et al. 2020, section 4), nats per example: the
/// temperature of the mean prediction, p ← softmax(ln p̄ / T), is fitted on one half of the rows and
/// scored on the other, both ways. Rows with even and with odd index are the halves.
/// @return  empty: fewer than 4 rows, or a row whose true class has probability 0
std::optional<double> calibrated_log_likelihood(const ClassPredictions& predictions, std::span<const int> labels);

}   // namespace credence
