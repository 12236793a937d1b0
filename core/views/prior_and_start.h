// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/density.h"
#include "posterior/prior.h"

namespace credence {

/// The prior of all weights (or all biases) compared with the distribution from which training
/// starts (Steinbrener et al. 2020, Figs. 4 and 5). Both are mixtures over the weights of the kind:
/// of their priors, and of the initial Gaussians N(μ_i, σ_i²).
struct PriorAndStart {
    struct Kind {
        BlockKind kind = BlockKind::weights;
        std::size_t n  = 0;             ///< weights of this kind
        std::vector<double> x, prior;   ///< density
        std::vector<double> start;      ///< density at x; empty if the start has no spread
        Histogram start_means;          ///< of the values if the start has no spread
        double mean = 0, sd = 0;        ///< of the start's mixture
    };
    std::vector<Kind> kinds;
};
PriorAndStart prior_and_start(const ParameterLayout& layout, const Prior& prior, std::span<const float> start_mean,
                              std::span<const float> start_sd);
Chart to_chart(const PriorAndStart& figure);

}   // namespace credence
