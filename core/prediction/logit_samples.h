// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/posterior_predictive.h"
#include "simplex/logit_gaussian.h"

namespace credence {

/// Samples of the logits z(x; w_s) for weight samples (and dropout masks): the same samples as in
/// PosteriorPredictive, whose
/// probabilities are softmax(z).
/// @param inputs  standardised [n × d]
/// @return        [n_samples × n × K]; n_samples = 0 if `stop` was requested
OutputSamples sample_logits(const Model& model, const Posterior& posterior, std::span<const float> inputs, int n,
                            int n_samples, std::uint64_t seed, std::stop_token stop = {},
                            DrawsOf of = DrawsOf::weights);

inline constexpr int most_classes_of_a_covariance = 4096;   ///< 128 MiB for each input
void require_classes_of_a_covariance(int n_classes);        ///< @throws Error for more

/// Returns for each input the Gaussian with the mean and covariance (divisor S − 1) of its samples.
/// With S <= K samples the covariance is singular.
/// @param draws           logits [S × n × K], S >= 2, K from 2 to 4096. @throws Error otherwise
/// @param added_variance  added to each logit: 0, or least_variance_of_imported for imported predictions
std::vector<LogitGaussian> logits_by_moments(const OutputSamples& draws, double added_variance = 0);

/// The parts of this Gaussian needed by the Laplace Bridge, without the covariance: S K operations
/// instead of S K².
struct LogitSpread {
    std::vector<double> mu, variance, row_sums;   ///< [K]; row_sums is Σ1
};
/// For input i. @param draws  logits [S × n × K], S >= 2
LogitSpread spread_of_samples(const OutputSamples& draws, int i, double added_variance = 0);

/// Probabilities that were rounded when saved (for example to float16) can be 0 or 1 in all
/// samples. Their logits are then known only to about 0.01.
inline constexpr double least_variance_of_imported = 1e-4;

}   // namespace credence
