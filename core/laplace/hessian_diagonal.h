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

/// True if the outputs are piecewise linear in every single weight: the layers after the first one
/// with weights are only dense layers, convolutions, pooling, dropout and ReLU. Then ∂²f/∂w² = 0
/// wherever it exists, and the exact Hessian and the GGN have the same diagonal (docs/maths.md,
/// section 5).
bool piecewise_linear_in_each_weight(const Architecture& architecture);

/// Returns an error sentence naming a layer that hessian_diagonal does not support; empty if it
/// supports them all. Any layer is allowed before the first one with weights.
std::optional<std::string> refusal_of_hessian_diagonal(const Architecture& architecture);

/// The diagonal of the exact Hessian, and the loss itself.
struct HessianDiagonal {
    std::vector<double> values;   ///< ∂²/∂w² Σ −ln p(y | x, w) of the covered weights
    double nll = 0;               ///< Σ −ln p(y | x, w), nats
};

/// Computes the exact second derivatives of the summed loss in every single weight from
/// first_weight on, for networks with or without convolutions, in forward mode. Along one weight,
/// the values z of each layer have the first derivative ż and the second derivative z̈:
///     linear layers: ż' = L ż, z̈' = L z̈
///     activations:   ż' = f' ż, z̈' = f' z̈ + f'' ż²
///     outputs:       ∂²/∂w² = żᵀ Λ ż + gᵀ z̈
/// g and Λ are the first and second derivatives of −ln p(y | outputs). Each weight and example
/// takes one pass through the layers above the weight. At the kink of a ReLU or a maximum, the
/// one-sided derivative at the current values is used. The result has the same bits for any number
/// of threads.
/// @param inputs    [n × d]
/// @param advanced  called with the completed share of the work
/// @return  empty if stopped
/// @throws Error  as described by refusal_of_hessian_diagonal
std::optional<HessianDiagonal> hessian_diagonal(const Model& model, std::span<const double> weights,
                                                std::span<const double> inputs, const Targets& targets, int n,
                                                std::size_t first_weight, const std::stop_token& stop,
                                                const std::function<void(double)>& advanced);

}   // namespace credence
