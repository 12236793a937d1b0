// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/noise_distribution.h"
#include "prediction/posterior_predictive.h"

namespace credence {

/// Samples of a regression: mean f and noise sd s of y | x, w_s, both [S × N], in the units of the
/// target.
struct RegressionSamples {
    int n_samples = 0, n_inputs = 0;
    std::vector<double> f, s;
    std::shared_ptr<const NoiseDistribution> noise = normal_noise();
    std::vector<MixtureMoments> moments{};   ///< of y [N], if the noise is recalibrated: not those of f and s

    std::span<const double> f_of(int sample) const
    {
        return {f.data() + static_cast<std::size_t>(sample) * n_inputs, static_cast<std::size_t>(n_inputs)};
    }
};
/// From network outputs (f, s) [S × N × 2] learned on (y − target_mean)/target_sd, back to the
/// target's units.
/// @throws Error if an output is not finite
/// @param likelihood  that of the network, of a regression
template <class T>
RegressionSamples regression_samples(const SampleView<T>& outputs, const Likelihood& likelihood, double target_mean = 0,
                                     double target_sd = 1);

extern template RegressionSamples regression_samples(const SampleView<float>&, const Likelihood&, double, double);
extern template RegressionSamples regression_samples(const SampleView<double>&, const Likelihood&, double, double);

/// Sets the noise; if it is recalibrated, the moments too.
void set_noise(RegressionSamples& samples, std::shared_ptr<const NoiseDistribution> noise);

/// Mean of y [N]: of f over samples, unless the noise is recalibrated.
std::vector<double> mean_function(const RegressionSamples& samples);
/// The law of total variance at one input: the standard deviation of f over the samples (divisor S:
/// epistemic), the root mean square of s (aleatoric), and the standard deviation of y, which
/// includes both. If the noise is recalibrated, y has another standard deviation, and the two parts
/// are scaled by the same factor.
struct Spread {
    double function = 0, noise = 0, y = 0;
};
/// @param mean  of y at input i
Spread spread_at(const RegressionSamples& samples, double mean, std::size_t i);
/// Type-7 quantiles of f over samples, for each p: [n_p][N], without the noise of y (epistemic).
std::vector<std::vector<double>> function_quantiles(const RegressionSamples& samples, std::span<const double> p);

/// Quantile of the predictive distribution at one input: the root of F(y) = p, between the smallest
/// and the largest component's quantile, by Newton steps kept inside a bracket, by default to full precision.
/// @param s  all > 0; @param p in (0, 1)
/// @param last_step  a Newton step of this share of the smallest s is the last; its error is about
///                   that of the step squared. Above 1e-6, F is NoiseDistribution::tabulated_mixture
double mixture_quantile(const NoiseDistribution& noise, std::span<const double> f, std::span<const double> s, double p,
                        double last_step = 1e-8);
/// Predictive quantiles with noise, for each p: [n_p][N].
std::vector<std::vector<double>> predictive_quantiles(const RegressionSamples& samples, std::span<const double> p);

/// Share of targets with lower <= y <= upper.
double coverage(std::span<const double> lower, std::span<const double> upper, std::span<const double> targets);

/// nll_i = −ln (1/S) Σ p(y_i | f_s, s_s) by log-sum-exp, nats [N].
std::vector<double> regression_nll_each(const RegressionSamples& samples, std::span<const double> targets);

/// Probability integral transform F_i(y_i) of the predictive distribution with noise [N]: uniform on
/// [0, 1] if the predictions are calibrated. Source: Gneiting, Balabdaoui and Raftery 2007.
std::vector<double> pit_each(const RegressionSamples& samples, std::span<const double> targets);
/// Continuous ranked probability score of the predictive distribution with noise, target units [N]
/// (NoiseDistribution::mixture_crps). S² steps for each input.
std::vector<double> crps_each(const RegressionSamples& samples, std::span<const double> targets);

/// Interval score of the central interval [lower, upper] at `level`, target units:
///     (u − l) + 2/(1 − level) ((l − y)₊ + (y − u)₊)
/// Source: Gneiting and Raftery 2007, equation (43).
double interval_score(double lower, double upper, double target, double level);

struct RegressionScores {
    int n                    = 0;
    double rmse              = 0;   ///< √ mean (mean f − y)², target units
    double mae               = 0;   ///< mean |mean f − y|, target units
    double nll               = 0;   ///< mean of regression_nll_each, nats per example
    double crps              = 0;   ///< mean of crps_each, target units
    double level             = 0.95;
    double coverage          = 0;   ///< of the predictive intervals with noise at `level`
    double function_coverage = 0;   ///< of the credible intervals of f at `level`: they refer to f, not y
    double mean_width        = 0;   ///< of the predictive intervals, target units
    double interval_score    = 0;   ///< mean over the predictive intervals, target units
    double mean_function_sd =
        0;                      ///< mean over inputs of the sd of f over samples (divisor S): epistemic, target units
    double mean_noise_sd = 0;   ///< mean of s: aleatoric, target units
    double mean_fourth   = 0;   ///< mean (mean f − y)⁴, for the spread of the squared errors
};
/// @throws Error if there are no inputs, targets do not match, or a number is not finite
RegressionScores regression_scores(const RegressionSamples& samples, std::span<const double> targets,
                                   double level = 0.95);

}   // namespace credence
