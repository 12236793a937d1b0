// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/split.h"
#include "posterior/curvature.h"
#include "posterior/options.h"
#include "training/snapshot.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>

namespace credence {

/// Reports the completed share of the work, 0 to 1, and the estimated seconds left. Called on the
/// caller's thread, at most about twenty times per second.
using CurvatureProgress = std::function<void(double share, std::optional<double> seconds_left)>;

/// Limits of structure `full`: an eigenvalue problem of size r = min(weights, training examples ×
/// columns of the output curvature), and r × weights numbers.
inline constexpr std::size_t most_eigenvectors        = 2000;
inline constexpr std::size_t most_eigenvector_numbers = 50'000'000;
/// Limit for the directions of largest curvature: total numbers in the Lanczos vectors.
inline constexpr std::size_t most_lanczos_numbers = 100'000'000;
/// Maximum number of weights for an exact Hessian that differs from the GGN; it takes one pass
/// through the network per weight.
inline constexpr std::size_t most_hessian_weights = 4000;

/// Computes the curvature of the summed −ln p(y | x, θ) of all training data at θ_MAP. Batches are
/// summed in double in a fixed order, so the bits are the same for any number of threads. Dropout
/// layers pass their input through. Call it inside Threads::run.
///     GGN = Σ_n J_nᵀ Λ_n J_n, with Λ_n from network/likelihood.h
/// The diagonal and the Kronecker factors cover dense layers and convolutions. They are exact
/// except for the Kronecker product itself. The diagonal of an exact Hessian equals that of the GGN
/// where the network is piecewise linear in each weight (docs/maths.md, section 5); otherwise see
/// second_derivatives.h.
/// @param map   θ_MAP [layout size]
/// @param data  training_inputs, training.labels or training_targets, as used by the Trainer
/// @return      null if `stop` was requested
/// @throws Error  for a full structure above its limit; for an exact Hessian of a network with
///                convolutions or too many weights, or with structure kronecker; for outputs that
///                are not finite
/// Source: Hobbhahn 2020, (3.1)–(3.9); Martens and Grosse 2015; Grosse and Martens 2016;
/// Pearlmutter 1994 for products with the Hessian.
std::shared_ptr<const Curvature> fit_curvature(const Model& model, std::span<const float> map, const SplitData& data,
                                               const CurvatureOptions& options, std::stop_token stop = {},
                                               const CurvatureProgress& progress = {});

/// Returns the Error sentence that fit_curvature would throw, so that it can be shown before
/// training; empty if there is none.
/// @param n_data  number of training examples
std::optional<std::string> refusal_of_curvature(const Model& model, long n_data, const CurvatureOptions& options);

/// As above for plain arrays, in float or double. The full structure and exact Hessians are always
/// computed in double.
/// @param inputs  [n × d]
template <class T>
std::shared_ptr<const Curvature> curvature_of(const Model& model, std::span<const T> map, std::span<const T> inputs,
                                              const Targets& targets, long n, const CurvatureOptions& options,
                                              std::stop_token stop = {}, const CurvatureProgress& progress = {});

extern template std::shared_ptr<const Curvature> curvature_of(const Model&, std::span<const float>,
                                                              std::span<const float>, const Targets&, long,
                                                              const CurvatureOptions&, std::stop_token,
                                                              const CurvatureProgress&);
extern template std::shared_ptr<const Curvature> curvature_of(const Model&, std::span<const double>,
                                                              std::span<const double>, const Targets&, long,
                                                              const CurvatureOptions&, std::stop_token,
                                                              const CurvatureProgress&);

/// The first layer whose weights are uncertain, 0-based among the layers with weights, and the
/// index of its first weight in the flat weight vector.
int first_layer_of(const ParameterLayout& layout, CurvatureLayers layers);
std::size_t first_weight_of(const ParameterLayout& layout, CurvatureLayers layers);

/// True if the exact Hessian must be computed because it differs from the GGN. With learned noise
/// it always does, since that GGN takes the expectation over y. Otherwise the two agree for the
/// last layer, and their diagonals agree wherever the outputs are piecewise linear in each weight.
bool differs_from_ggn(const Model& model, const CurvatureOptions& options);

/// True if the full structure is truncated to the directions of largest curvature.
inline bool keeps_largest(const CurvatureOptions& options, std::size_t covered)
{
    return options.structure == CurvatureStructure::full && options.rank > 0
           && static_cast<std::size_t>(options.rank) < covered;
}

}   // namespace credence
