// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/architecture.h"
#include "random/noise.h"

#include <span>
#include <variant>
#include <vector>

// A prior whose parameters are learned with those of the posterior (empirical Bayes; Blundell et
// al. 2015, section 3.3, found it worse than a fixed prior).

namespace credence {

/// N(mean, sd²) on each weight.
struct GaussianPrior {
    double mean = 0;
    double sd   = 1;

    static GaussianPrior from_sigma(double sigma, double mean = 0) { return {mean, sigma}; }
    static GaussianPrior from_precision(double precision, double mean = 0);
    bool operator==(const GaussianPrior&) const = default;
};

/// pi N(0, sigma_wide²) + (1 - pi) N(0, sigma_narrow²) on each weight (Blundell et al. 2015, (7),
/// with standard deviations instead of variances).
struct ScaleMixturePrior {
    double pi           = 0.5;
    double sigma_wide   = 1;
    double sigma_narrow = 0.0024787521766663585;   ///< e^{-6}

    bool operator==(const ScaleMixturePrior&) const = default;
};

using BlockPrior = std::variant<GaussianPrior, ScaleMixturePrior>;

/// One prior per block of a ParameterLayout.
struct Prior {
    std::vector<BlockPrior> blocks;
    /// A prior mean for each weight [layout.size()], e.g. a trained network; Gaussian blocks then
    /// use it instead of their own mean. Usually empty. Mixtures are always centred at 0.
    std::vector<double> means = {};

    static Prior same(const ParameterLayout& layout, BlockPrior prior);
    static Prior weights_and_biases(const ParameterLayout& layout, BlockPrior weights, BlockPrior biases);
    bool operator==(const Prior&) const = default;
};

/// ln p(w), nats.
double log_density(const BlockPrior& prior, double w);
/// d ln p / dw. Mixture: -w (R/σ1² + (1-R)/σ2²) with the responsibility R of the wide component
/// (docs/maths.md, section 3).
double log_density_gradient(const BlockPrior& prior, double w);
double wide_responsibility(const ScaleMixturePrior& prior, double w);

/// Samples every weight from the prior: a pure function of the key.
/// @param weights  [layout.size()], overwritten
void draw_from(const Prior& prior, const ParameterLayout& layout, NoiseKey key, std::span<float> weights);

/// The learned parameters, all unbounded:
///     Gaussian blocks   ln s of each; their means are fixed     [blocks]
///     scale mixture     logit π, ln σ_1, ln σ_2, of all blocks together: those of the first   [3]
std::vector<double> learned_parameters(const Prior& prior);
/// The learned parameters on their natural scale: s of each block; or π, σ_1 and σ_2.
std::vector<double> learned_values(const Prior& prior);

/// Writes learned parameters into the prior. Does not allocate.
template <class T>
void set_learned_parameters(Prior& prior, std::span<const T> parameters);

/// Clamps each parameter to [ln 10⁻⁶, ln 10⁶]: standard deviations between a millionth and a
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
std::vector<double> weights_per_learned(const Prior& prior, const ParameterLayout& layout);

}   // namespace credence
