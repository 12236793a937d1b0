// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/density.h"
#include "posterior/prior.h"
#include "posterior/pruning.h"
#include "runs/experiment.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

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

/// The weights of one run among several.
struct WeightsOfRun {
    std::string name{};
    bool drawn            = false;   ///< one posterior sample; otherwise the weights themselves
    std::size_t n_removed = 0;       ///< pruned, and not in `values`
    std::vector<double> values{};    ///< remaining weights and biases
    PruneRule removed_by{};          ///< as applied: weights without spread are pruned by |μ|
};

/// The densities of the weights of several runs in one panel (Blundell et al. 2015, Fig. 3), on one
/// axis: from the lowest 0.05 % quantile to the highest 99.95 % quantile, so that a few large
/// weights do not squeeze the others. The table has one row per run. No runs: a message.
Chart overlay_of_weights(std::span<const WeightsOfRun> runs);

}   // namespace credence

namespace credence::view_support {

/// Moments of every weight.
struct Moments {
    std::vector<float> mean, sd;
};
/// Families without noise in the weights have sd 0 here, even if they have noise elsewhere.
Moments moments_of(const Posterior& posterior);

/// Samples the weights: the same sample while the posterior is unchanged; empty if the weights have
/// no noise.
std::vector<float> one_draw(const Posterior& posterior, std::uint64_t seed);

/// One sample of a run's weights, or the weights themselves if they have no noise, without those
/// removed by `rule`. @param seed  of its Study
WeightsOfRun weights_of_run(const Posterior& posterior, std::uint64_t seed, const PruneRule& rule, std::string name);

}   // namespace credence::view_support
