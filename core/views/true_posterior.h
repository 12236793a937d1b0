// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/class_predictions.h"
#include "views/chain_draws.h"
#include "views/probe_points.h"
#include "views/views.h"

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

// Distances between the predictions of two runs.
namespace credence::view_support {

/// Predictions at a set of points: mean probabilities for classification, the draws of the function
/// for regression.
struct PredictionsAt {
    ClassPredictions classes{};
    QuantityDraws functions{};
};
/// At the scored rows, and for one or two inputs also at the probe points.
struct RunPredictions {
    PredictionsAt rows{};
    std::optional<PredictionsAt> places{};
    int n_draws = 0;
};

/// Predicts at the scored rows and the probe points. Sets of draws are used whole, each draw once;
/// other posteriors use options.samples, or at least 1,000 samples.
/// @param options  its region is that of the points
/// @return  empty: stopped
std::optional<RunPredictions> run_predictions(const RunSnapshot& run, const ViewOptions& options,
                                              const std::stop_token& stop);

/// Predictions by all draws of the chains, and by each half of the chains; with one chain, by its
/// first and second half.
struct PredictionsByHalves {
    RunPredictions whole{}, first{}, second{};
};
std::optional<PredictionsByHalves> predictions_of_chains(const RunSnapshot& run, const ChainSnapshot& chains,
                                                         const ViewOptions& options, const std::stop_token& stop);

/// The distances for one set of points: agreement, total variation and the difference of the
/// epistemic part for classification; the 1-Wasserstein distance and the difference of the standard
/// deviation of f for regression. @param where  "test set", "map"
std::vector<Column> distance_columns(const Experiment& experiment, const std::string& where);
/// Distances of `one` from `reference`, in the order of distance_columns.
std::vector<double> distances(const PredictionsAt& one, const PredictionsAt& reference, Task task);
/// The distance at each point: total variation, or 1-Wasserstein.
std::vector<double> distance_each(const PredictionsAt& one, const PredictionsAt& reference, Task task);

/// The points at which all runs are evaluated; for two inputs the cells of a map.
ProbePoints places_of(const Experiment& experiment, const ViewOptions& options);

/// Returns true if both experiments have the same training rows, scored rows and targets.
bool same_data(const Experiment& a, const Experiment& b);

}   // namespace credence::view_support

/// Which of several runs is the reference posterior, and which can be compared with it.
namespace credence::view_support {

/// The first NUTS run, otherwise the first HMC run; empty: there is neither.
std::optional<std::size_t> reference_among(std::span<const RunSnapshot> runs);

/// Returns why a run cannot be the reference by itself; empty: it can.
std::optional<std::string> why_no_reference(const Experiment& experiment);

/// Why these runs cannot be compared; empty: they can. @param reference  as returned by reference_among
std::string why_not_compared(std::span<const RunSnapshot> runs, std::optional<std::size_t> reference);

}   // namespace credence::view_support

namespace credence {

/// A predictive distribution for N inputs, borrowed: p̄ [N × K], mean probabilities of K classes.
struct MeanProbabilities {
    std::span<const double> values{};
    std::size_t n_classes = 0;
    std::span<const double> mutual_information{};   ///< the epistemic part, nats [N]; empty if unknown

    std::size_t n_inputs() const { return n_classes > 0 ? values.size() / n_classes : 0; }
    std::span<const double> of_input(std::size_t i) const { return values.subspan(i * n_classes, n_classes); }
};

/// The distance between two predictive distributions, as means over the inputs (Izmailov, Vikram,
/// Hoffman and Wilson 2021).
struct PredictiveDistance {
    double agreement       = 0;   ///< share of inputs with the same most probable class, the lowest on ties
    double total_variation = 0;   ///< mean of ½ Σ_k |p̄_k − q̄_k|, in [0, 1]
    std::optional<double> mutual_information_gap{};   ///< mean of I_p − I_q, nats; empty unless both are given
};
/// @throws Error if there are no inputs, the shapes differ or a number is not finite
PredictiveDistance predictive_distance(const MeanProbabilities& p, const MeanProbabilities& q);

/// ½ Σ_k |p̄_k − q̄_k| of each input [N].
std::vector<double> total_variation_each(const MeanProbabilities& p, const MeanProbabilities& q);

/// 1-Wasserstein distance between the empirical distributions of two sets of draws, of any sizes:
///
///     W_1 = ∫_0^1 |F_a⁻¹(u) − F_b⁻¹(u)| du,   for equal sizes (1/n) Σ |a_(i) − b_(i)|
///
/// in the draws' unit. @throws Error if one set is empty or a draw is not finite
double wasserstein_1(std::span<const double> a, std::span<const double> b);

/// Computes the distance for each of N points; the draws of a point are contiguous: a [N × S_a], b
/// [N × S_b].
/// @throws Error also if n_points is 0 or does not divide the numbers of draws
std::vector<double> wasserstein_1_each(std::span<const double> a, std::span<const double> b, std::size_t n_points);
/// Returns the mean of these distances over the points.
double mean_wasserstein_1(std::span<const double> a, std::span<const double> b, std::size_t n_points);

}   // namespace credence
