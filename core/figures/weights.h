// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/density.h"
#include "posterior/prior.h"
#include "posterior/pruning.h"

#include <optional>

namespace credence {

/// The weights that a pruning rule removes (Blundell et al. 2015, Table 2).
struct Pruning {
    PruneRule rule{};
    std::vector<char> removed{};   ///< [n]
    std::size_t n_removed = 0;
    /// If all weights up to one value of |μ|/σ are removed: that value. Empty for other orders, for
    /// layer-by-layer pruning, and if none is removed.
    std::optional<double> cut{};
};
/// |μ|/σ; infinite if σ = 0 and μ ≠ 0, 0 if both are 0.
double signal_to_noise(double mean, double sd);
/// Weights without spread are pruned by |μ|, as in PrunedPosterior.
Pruning prune(PruneRule rule, const ParameterLayout& layout, std::span<const float> mean, std::span<const float> sd);

/// Histograms of the means, of one sample and of the standard deviations of all weights.
struct WeightHistograms {
    std::size_t n = 0;
    Histogram means, kept_means;     ///< kept: the remaining weights, in the same bins
    std::optional<Histogram> draw;   ///< empty if a sample equals the mean; in the bins of `means`
                                     ///< if they cover it
    std::optional<Histogram> sds;    ///< empty if no weight has a spread
    Pruning pruning;
};
/// @param draw     one weight sample; empty if the weights have no noise
/// @param pruning  of the same weights
WeightHistograms weight_histograms(std::span<const float> mean, std::span<const float> sd, std::span<const float> draw,
                                   Pruning pruning);
Chart to_chart(const WeightHistograms& histograms);

/// Signal-to-noise ratio of all weights, 10 log10(|μ|/σ) in dB (Blundell et al. 2015, Fig. 4).
struct SignalToNoise {
    std::size_t n = 0, at_zero = 0;   ///< weights with mean 0 have no dB
    DensityCurve density;
    std::vector<double> x, cdf;   ///< share of weights with at most x dB
    std::optional<double> cut;    ///< dB up to which weights are pruned
    PruneRule pruned{};
};
SignalToNoise signal_to_noise_figure(std::span<const float> mean, std::span<const float> sd, const Pruning& pruning);
Chart to_chart(const SignalToNoise& figure);

/// The posterior of one weight over its prior.
struct OneWeight {
    std::size_t index = 0;
    std::string block;
    double mean = 0, sd = 0;   ///< of the Gaussian marginal
    BlockPrior prior;
};
Chart to_chart(const OneWeight& weight);

}   // namespace credence
