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

/// Says which layers dense_hessian does not know, as one sentence; empty if it knows them all.
std::optional<std::string> refusal_of_dense_hessian(const Architecture& architecture);

/// What dense_hessian may hold at once.
inline constexpr double most_hessian_bytes = 8e9;

/// Says that dense_hessian would hold more than most_hessian_bytes, as one sentence; empty if it does not. The same on every machine: counted for as many
/// products at once as it ever computes.
std::optional<std::string> refusal_of_hessian_bytes(const Architecture& architecture, std::size_t n,
                                                    std::size_t first_weight, bool whole);

/// Computes the exact second derivatives of Σ −ln p(y | x, θ) of a net of dense layers, one product with the Hessian (Pearlmutter's R-operator, exact) for each weight
/// from first_weight on; O(weights² · examples) altogether. Second derivatives of ReLU are 0 (they exist almost everywhere).
/// @param inputs    [n × d]
/// @param whole     the rows of the Hessian among the covered weights [covered × covered]; false: its diagonal alone [covered]
/// @param stop      asked before each product
/// @param advanced  called with the share that is done
/// @return  empty if stopped
/// @throws Error  refusal_of_dense_hessian, refusal_of_hessian_bytes
std::vector<double> dense_hessian(const Model& model, std::span<const double> weights, std::span<const double> inputs,
                                  const Targets& targets, int n, std::size_t first_weight, bool whole,
                                  const std::stop_token& stop, const std::function<void(double)>& advanced);

}   // namespace credence
