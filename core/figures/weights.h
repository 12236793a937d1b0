// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/density.h"
#include "posterior/prior.h"
#include "posterior/pruning.h"

#include <optional>

namespace credence {

/// What a rule of pruning removes (Blundell et al. 2015, Table 2).
struct Pruning {
    PruneRule rule{};
    std::vector<char> removed{};   ///< [n]
    std::size_t n_removed = 0;
    /// Where all weights are removed up to one value of |μ|/σ: that value. Empty for other orders, for layers each by itself, and if none is removed.
    std::optional<double> cut{};
};
/// |μ|/σ; infinite where σ = 0 and μ ≠ 0, 0 where both are 0.
double signal_to_noise(double mean, double sd);
/// Weights without any spread go by |μ|, as in PrunedPosterior.
Pruning prune(PruneRule rule, const ParameterLayout& layout, std::span<const float> mean, std::span<const float> sd);

/// Histograms of the means, of one draw and of the standard deviations of all weights.
struct WeightHistograms {
    std::size_t n = 0;
    Histogram means, kept_means;     ///< kept: in the same bins, what pruning leaves
    std::optional<Histogram> draw;   ///< none where a draw is the mean; in the bins of `means` if they hold it
    std::optional<Histogram> sds;    ///< none where no weight has a spread
    Pruning pruning;
};
/// @param draw     one draw of the weights; empty if the weights have no noise
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
