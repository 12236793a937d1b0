// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/tiled_network.h"
#include "training/snapshot.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace credence {

/// −ln p(y | outputs) of a tile and its derivatives in the outputs: one loss per example.
class OutputLoss {
public:
    /// Writes the gradient to `gradient` as well, 0 for padding examples.
    OutputLoss(const Likelihood& likelihood, Planes<const double> outputs, int k, TiledNetwork::Tile tile,
               const Targets& targets, Planes<double> gradient);
    int n() const { return n_; }
    double nll() const { return nll_; }   ///< sum over the examples, nats
    /// Multiplies the second derivative of each example by a tangent of the outputs.
    void multiply(Planes<const double> tangent, Planes<double> product) const;

private:
    int k_, n_, padded_;
    double nll_ = 0;
    std::vector<double> curvature_;   // [n × k × k]
};

struct ExactHessian {
    std::vector<double> values;   ///< the matrix [covered × covered], or its diagonal [covered]
    double nll = 0;               ///< Σ −ln p(y | x, w), nats
};

/// Computes the exact second derivatives of L = Σ −ln p(y | x, w) in the weights from first_weight
/// on, along one weight after another (see TiledNetwork):
///     diagonal:  ∂²L/∂w² = żᵀ Λ ż + gᵀ z̈
///     matrix:    H e_w by a product; those of different layers once
/// z are the outputs, g and Λ the first and second derivatives of L in them. Each weight and example
/// takes one or two passes through the layers above the weight. The result has the same bits for
/// any number of threads.
/// @param inputs    [n × d]
/// @param whole     the matrix; otherwise the diagonal
/// @param stop      checked before each pass
/// @param advanced  called with the completed share of the work
/// @return  empty if stopped
/// @throws Error  as described by refusal_of_second_derivatives
std::optional<ExactHessian> exact_hessian(const Model& model, std::span<const double> weights,
                                          std::span<const double> inputs, const Targets& targets, long n,
                                          std::size_t first_weight, bool whole, const std::stop_token& stop,
                                          const std::function<void(double)>& advanced);

}   // namespace credence
