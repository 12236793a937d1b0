// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/standardiser.h"
#include "posterior/curvature.h"
#include "training/snapshot.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace credence {

/// Share of the work that is done, 0 to 1, and an estimate of the seconds left. Called on the caller's thread, at most some twenty times a second.
using CurvatureProgress = std::function<void(double share, std::optional<double> seconds_left)>;

/// What bounds structure `full`: an eigenvalue problem of size r = min(weights, training examples × columns of the outputs' curvature), and r × weights numbers.
inline constexpr std::size_t most_eigenvectors        = 2000;
inline constexpr std::size_t most_eigenvector_numbers = 50'000'000;
/// What bounds the directions of largest curvature: numbers of the vectors that their iterations hold.
inline constexpr std::size_t most_lanczos_numbers = 100'000'000;
/// Weights of a net whose exact Hessian is computed where it is not the GGN: one way through the net for each weight.
inline constexpr std::size_t most_hessian_weights = 4000;

/// Curvature of the summed −ln p(y | x, θ) of all training data at θ_MAP, in batches whose sums stand in double and are added in a fixed order: the same bits
/// for any number of threads. Dropout layers pass their input through. Run it inside Threads::run.
///     GGN = Σ_n J_nᵀ Λ_n J_n, Λ_n of output_curvature.h; diagonal and Kronecker factors for dense layers and convolutions, exact but for the Kronecker product
/// @param map   θ_MAP [layout size]
/// @param data  training_inputs, training.labels or training_targets, as the Trainer sees them
/// @return      null if `stop` was requested
///     The diagonal of an exact Hessian is that of the GGN where the net is piecewise linear in each weight (docs/maths.md, section 5); else hessian_diagonal.h.
/// @throws Error  full structure above its limit; an exact full Hessian of a net with convolutions, of too many weights, or with structure kronecker;
///                outputs that are not finite
/// Source: Hobbhahn 2020, (3.1)–(3.9); Martens and Grosse 2015; Grosse and Martens 2016; Pearlmutter 1994 for products with the Hessian.
std::shared_ptr<const Curvature> fit_curvature(const Model& model, std::span<const float> map, const SplitData& data,
                                               const CurvatureOptions& options, std::stop_token stop = {},
                                               const CurvatureProgress& progress = {});

/// Says what fit_curvature would refuse, before any training: the sentence of its Error; empty if nothing. @param n_data  training examples
std::optional<std::string> refusal_of_curvature(const Model& model, long n_data, const CurvatureOptions& options);

/// The same on plain arrays, in float or double. Structure full and exact Hessians are computed in double in any case.
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

}   // namespace credence
