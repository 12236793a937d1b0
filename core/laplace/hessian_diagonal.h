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

/// Says whether the outputs are piecewise linear in every single weight: behind the first layer with weights stand only dense layers, convolutions, pooling, dropout and
/// ReLU. Then ∂²f/∂w² = 0 wherever it exists, and the diagonals of the exact Hessian and of the GGN are the same (docs/maths.md, section 5).
bool piecewise_linear_in_each_weight(const Architecture& architecture);

/// Says which layer hessian_diagonal does not know, as one sentence; empty if it knows them all. What stands in front of all weights may be any layer.
std::optional<std::string> refusal_of_hessian_diagonal(const Architecture& architecture);

/// The diagonal of an exact Hessian, and the loss itself.
struct HessianDiagonal {
    std::vector<double> values;   ///< ∂²/∂w² Σ −ln p(y | x, w) of the covered weights
    double nll = 0;               ///< Σ −ln p(y | x, w), nats
};

/// Computes the exact second derivatives of the summed loss in every single weight from first_weight on, of nets with or without convolutions, in forward mode: along one
/// weight the values z of each layer move by ż to first and by z̈ to second order,
///     linear layers: ż' = L ż, z̈' = L z̈        activations: ż' = f' ż, z̈' = f' z̈ + f'' ż²        ∂²/∂w² = żᵀ Λ ż + gᵀ z̈ at the outputs,
/// g and Λ the first and second derivatives of −ln p(y | outputs). One way through the layers above for each weight and example. Where a ReLU or a maximum has its kink the
/// derivative of the side on which the values stand. The same bits for any number of threads.
/// @param inputs    [n × d]
/// @param advanced  called with the share that is done
/// @return  empty if stopped
/// @throws Error  refusal_of_hessian_diagonal
std::optional<HessianDiagonal> hessian_diagonal(const Model& model, std::span<const double> weights,
                                                std::span<const double> inputs, const Targets& targets, int n,
                                                std::size_t first_weight, const std::stop_token& stop,
                                                const std::function<void(double)>& advanced);

}   // namespace credence
