// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/prior.h"

#include <span>
#include <vector>

// A prior whose parameters are learned with those of the posterior (empirical Bayes; Blundell et
// al. 2015, section 3.3, found it worse than a fixed prior).
namespace credence {

/// The learned parameters, all unbounded:
///     Gaussian blocks   ln s of each; their means are fixed     [blocks]
///     scale mixture     logit π, ln σ_1, ln σ_2, of all blocks together: those of the first   [3]
std::vector<double> learned_parameters(const Prior& prior);
/// The same in readable form: s of each block; or π, σ_1 and σ_2.
std::vector<double> learned_values(const Prior& prior);

/// Sets them in the prior. Does not allocate.
template <class T>
void set_learned_parameters(Prior& prior, std::span<const T> parameters);

/// Limits each to between ln 10⁻⁶ and ln 10⁶: standard deviations between a millionth and a
/// million, π between 10⁻⁶ and 1 − 10⁻⁶.
template <class T>
void guard_learned_parameters(std::span<T> parameters);

/// Derivatives of the closed KL(q‖p) to Gaussian blocks, nats:  ∂/∂ln s = Σ_i (1 − (σ_i² + (μ_i −
/// m_i)²)/s²), the sum over the weights of the block.
/// @param mean, sd  marginal moments of q [layout.size()]
/// @param gradient  [blocks]
/// @throws Error    (field "training.complexity") if a block has a mixture
void closed_prior_gradient(const Prior& prior, const ParameterLayout& layout, std::span<const float> mean,
                           std::span<const float> sd, std::span<double> gradient);

/// Derivatives of the sampled complexity ln q(w) − ln p(w), nats. Gaussian:  ∂/∂ln s = Σ_i (1 −
/// (w_i − m_i)²/s²). Mixture, R_i the responsibility of the wide component for w_i:
///     ∂/∂logit π = Σ_i (π − R_i)
///     ∂/∂ln σ_1  = Σ_i R_i (1 − w_i²/σ_1²),   ∂/∂ln σ_2 = Σ_i (1 − R_i)(1 − w_i²/σ_2²)
/// @param weights   a sample [layout.size()]
/// @param gradient  [learned_parameters]
template <class T>
void sampled_prior_gradient(const Prior& prior, const ParameterLayout& layout, std::span<const T> weights,
                            std::span<double> gradient);

/// Number of weights that each parameter applies to [learned_parameters].
std::vector<double> weights_behind_learned(const Prior& prior, const ParameterLayout& layout);

}   // namespace credence
