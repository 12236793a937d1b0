// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/logit_gaussian.h"
#include "training/snapshot.h"

#include <span>
#include <stop_token>
#include <vector>

namespace credence {

/// Means of the logits and the parts of their covariances needed by the Laplace Bridge, for n inputs.
struct LogitMoments {
    int n = 0, K = 0;
    std::vector<float> mu;         ///< [n × K]
    std::vector<float> variance;   ///< diag Σ [n × K]
    std::vector<float> row_sum;    ///< Σ1 [n × K]
};

/// The Gaussian over logits implied by a Gaussian over weights, with the network linearised at the
/// mean weights (Hobbhahn 2020, (3.6)–(3.8)):
///     z ~ N(f(x; θ̄), J Σ Jᵀ),  J = ∂f/∂θ at θ̄ [K × weights]
/// with Σ in the form of Posterior::covariance.
/// For posteriors other than Laplace approximations, it approximates the distribution of the
/// samples' logits, whose moments logit_samples.h computes. Ignores dropout masks. J is not formed if
/// Σ is diagonal or Kronecker-factored in dense layers; otherwise for a few inputs at a time.
/// @param inputs  standardised [n × d]
/// @return        one per input; empty if `stop` was requested
/// @throws Error  a family without noise in its weights; a network with fewer than 2 outputs
std::vector<LogitGaussian> linearised_logits(const Model& model, const Posterior& posterior,
                                             std::span<const float> inputs, int n, std::stop_token stop = {});

/// Computes only the moments, for whole sets.
LogitMoments linearised_moments(const Model& model, const Posterior& posterior, std::span<const float> inputs, int n,
                                std::stop_token stop = {});

/// Plain arrays, in float or double, for any number of outputs: mu [n × K] and Σ [n × K × K].
template <class T>
struct LinearisedOutputs {
    int n = 0, K = 0;
    std::vector<T> mu;
    std::vector<double> covariance;
};
template <class T>
LinearisedOutputs<T> linearised_outputs(const Model& model, const BasicPosterior<T>& posterior,
                                        std::span<const T> inputs, int n, std::stop_token stop = {});

extern template LinearisedOutputs<float> linearised_outputs(const Model&, const Posterior&, std::span<const float>, int,
                                                            std::stop_token);
extern template LinearisedOutputs<double> linearised_outputs(const Model&, const BasicPosterior<double>&,
                                                             std::span<const double>, int, std::stop_token);

}   // namespace credence
