// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/posterior_predictive.h"
#include "simplex/logit_gaussian.h"

namespace credence {

/// What the network says before the softmax, z(x; w_s), for draws of the weights (and of dropout masks): the very draws of PosteriorPredictive, whose
/// probabilities are softmax(z).
/// @param inputs  standardised [n × d]
/// @return        [n_samples × n × K]; n_samples = 0 if `stop` was requested
OutputSamples sample_logits(const Model& model, const Posterior& posterior, std::span<const float> inputs, int n,
                            int n_samples, std::uint64_t seed, std::stop_token stop = {},
                            DrawsOf of = DrawsOf::weights);

inline constexpr int most_classes_of_a_covariance = 4096;   ///< 128 MiB for each input
void require_classes_of_a_covariance(int n_classes);        ///< @throws Error for more

/// For each input the Gaussian with the mean and the covariance (divisor S − 1) of its draws. With S <= K draws the covariance is singular.
/// @param draws           logits [S × n × K], S >= 2, K from 2 to 4096. @throws Error otherwise
/// @param added_variance  to each logit by itself: 0, or least_variance_at_hand for outputs from elsewhere
std::vector<LogitGaussian> logits_by_moments(const OutputSamples& draws, double added_variance = 0);

/// What the Laplace Bridge needs of such a Gaussian, without its covariance: S K operations in place of S K².
struct LogitSpread {
    std::vector<double> mu, variance, row_sums;   ///< [K]; row_sums is Σ1
};
/// Of input i. @param draws  logits [S × n × K], S >= 2
LogitSpread spread_of_draws(const OutputSamples& draws, int i, double added_variance = 0);

/// Probabilities that were rounded before they were saved (to float16, say) may agree in all draws, as 0 and 1: their logits are then known to about 0.01, no better.
inline constexpr double least_variance_at_hand = 1e-4;

}   // namespace credence
