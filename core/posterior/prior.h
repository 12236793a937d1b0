// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/architecture.h"

#include <span>
#include <variant>
#include <vector>

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

}   // namespace credence
