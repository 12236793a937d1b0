// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

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
    std::optional<double> absolute_mutual_information_gap{};   ///< mean of |I_p − I_q|, nats
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

/// The same for each of N points; the draws of a point are contiguous: a [N × S_a], b [N × S_b].
/// @throws Error also if n_points is 0 or does not divide the numbers of draws
std::vector<double> wasserstein_1_each(std::span<const double> a, std::span<const double> b, std::size_t n_points);
/// Their mean over the points.
double mean_wasserstein_1(std::span<const double> a, std::span<const double> b, std::size_t n_points);

}   // namespace credence
