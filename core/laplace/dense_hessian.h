// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/snapshot.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// Says which layers dense_hessian does not know, as one sentence; empty if it knows them all.
std::optional<std::string> refusal_of_dense_hessian(const Architecture& architecture);

/// Computes the exact second derivatives of Σ −ln p(y | x, θ) of a net of dense layers, one product with the Hessian (Pearlmutter's R-operator, exact) for each weight
/// from first_weight on; O(weights² · examples) altogether. Second derivatives of ReLU are 0 (they exist almost everywhere).
/// @param inputs    [n × d]
/// @param whole     the rows of the Hessian among the covered weights [covered × covered]; false: its diagonal alone [covered]
/// @param advanced  called with the share that is done; returns false to stop
/// @return  empty if stopped
/// @throws Error  refusal_of_dense_hessian
std::vector<double> dense_hessian(const Model& model, std::span<const double> weights, std::span<const double> inputs,
                                  const Targets& targets, int n, std::size_t first_weight, bool whole,
                                  const std::function<bool(double)>& advanced);

}   // namespace credence
