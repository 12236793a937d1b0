// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/density.h"
#include "network/architecture.h"
#include "posterior/posterior.h"
#include "posterior/prior.h"
#include "posterior/pruning.h"
#include "prediction/scores.h"
#include "runs/experiment.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// The weights that a pruning rule removes (Blundell et al. 2015, Table 2).
struct Pruning {
    PruneRule rule{};
    std::vector<char> removed{};   ///< [n]
    std::size_t n_removed = 0;
    /// The value of |μ|/σ up to which all weights are removed. Empty for other orders, for
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

/// What the first layer detects: the kernels of a convolution, or the weights of a dense layer's
/// units arranged like the image they multiply.
struct Kernels {
    std::string block;   ///< "conv 1 weights"
    bool convolution = true;
    int total        = 0;     ///< kernels (units) of the layer
    std::vector<int> index;   ///< the shown ones: all of a convolution up to a limit; of a dense layer those
                              ///< with the largest norm of the mean, in descending order
    int channels = 1, rows = 0, columns = 0;
    std::vector<float> mean;          ///< [shown × channels × rows × columns]
    std::vector<float> draw;          ///< one sample of them; empty if the weights have no spread
    std::optional<double> tau, rho;   ///< of the block
};

/// Returns true if the first layer with weights sees a grid of pixels.
bool has_kernels(const Architecture& architecture);

/// @param mean, draw  of all weights, flat; draw empty if they have no spread
/// @param block       description of the first block
/// @throws Error unless has_kernels
Kernels kernels(const Architecture& architecture, std::span<const float> mean, std::span<const float> draw,
                const BlockUncertainty& block);

/// Mean and sample side by side on one diverging scale, symmetric about 0.
Chart to_chart(const Kernels& kernels);

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

/// Shares at which pruning is scored, and those of Blundell et al. 2015, Table 2, which are listed
/// in the table.
inline constexpr std::array pruned_shares{0.0, 0.25, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98};
inline constexpr std::array published_shares{0.0, 0.5, 0.75, 0.95, 0.98};

/// A network's scores after a share of its weights is removed.
struct PruningCurve {
    struct Point {
        double share = 0;
        ClassificationScores scores{};
    };
    struct Curve {
        std::string name{};          ///< "|μ|/σ", or the name of a run
        std::vector<Point> points;   ///< at the mean weights, by rising share
        std::vector<Point> drawn;    ///< by the mean over `n_draws` draws; can be empty
        int n_draws = 0;
    };
    std::vector<Curve> curves;
    std::optional<double> now{};   ///< the share that is removed on screen
    std::string rows{};            ///< "test set"
    bool per_layer = false, biases = true;
};
/// Error in percent, NLL and ECE against the removed share in percent, one panel each; the table
/// has one row per curve and published share.
Chart to_chart(const PruningCurve& value);

/// How well a network with pruned weights predicts.
struct PrunedScores {
    PruneRule rule{};
    std::optional<ClassificationScores> classes{};   ///< empty: regression
    double rmse      = 0;                            ///< regression, in the target's units
    int n_draws      = 0;                            ///< 0: at the mean weights
    std::size_t rows = 0, all_rows = 0;              ///< scored rows, and all rows
};

/// Scores a snapshot's network without the weights that the rule removes, on its test set (training
/// set if there is none).
/// At the mean weights this is a single pass through the plain network, without dropout masks and
/// without linearisation: fast enough to follow a slider.
/// @param draws  samples of the remaining weights; 0: their means
/// @param rows   at most this many, evenly spaced over the set; 0: all
/// @return       empty if `stop` was requested
/// @throws Error if the share is outside [0, 1], if there are no rows, or if a prediction is not
/// finite
std::optional<PrunedScores> pruned_scores(const RunSnapshot& run, const PruneRule& rule, int draws, std::size_t rows,
                                          std::stop_token stop = {});

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

/// Returns one sample of a run's weights, or the weights themselves if they have no noise, without
/// those removed by `rule`.
/// @param seed  of its Study
WeightsOfRun weights_of_run(const Posterior& posterior, std::uint64_t seed, const PruneRule& rule, std::string name);

}   // namespace credence::view_support
