// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/snapshot.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// Returns an error sentence naming the layers that dense_hessian does not support; empty if it
/// supports them all.
std::optional<std::string> refusal_of_dense_hessian(const Architecture& architecture);

/// Memory limit of dense_hessian, bytes.
inline constexpr double most_hessian_bytes = 8e9;

/// Returns an error sentence if dense_hessian would exceed most_hessian_bytes; empty if not. The
/// estimate assumes the largest number of simultaneous products, so it is the same on every
/// machine.
std::optional<std::string> refusal_of_hessian_bytes(const Architecture& architecture, std::size_t n,
                                                    std::size_t first_weight, bool whole);

/// Computes the exact second derivatives of Σ −ln p(y | x, θ) for a network of dense layers, with
/// one Hessian–vector product (Pearlmutter's R-operator, exact) per weight from first_weight on.
/// The total cost is O(weights² · examples). Second derivatives of ReLU are taken as 0, which is
/// exact almost everywhere.
/// @param inputs    [n × d]
/// @param whole     true: the Hessian of the covered weights [covered × covered]; false: only its
///                  diagonal [covered]
/// @param stop      checked before each product
/// @param advanced  called with the completed share of the work
/// @return  empty if stopped
/// @throws Error  as described by refusal_of_dense_hessian and refusal_of_hessian_bytes
std::vector<double> dense_hessian(const Model& model, std::span<const double> weights, std::span<const double> inputs,
                                  const Targets& targets, int n, std::size_t first_weight, bool whole,
                                  const std::stop_token& stop, const std::function<void(double)>& advanced);

}   // namespace credence
