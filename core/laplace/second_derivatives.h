// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/network.h"
#include "network/tiled_network.h"
#include "posterior/options.h"
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

/// Multiplies vectors by the curvature of the summed −ln p(y | x, w) over all data, without forming
/// the matrix. Each product takes a few passes through the network.
///     GGN:      Σ_n J_nᵀ Λ_n (J_n v), J v by forward mode, Jᵀ by backward mode; any network
///     Hessian:  derivative of the gradient along v, exact: see TiledNetwork
/// The result has the same bits for any number of threads. Arguments are borrowed and must outlive
/// this object.
class CurvatureProducts {
public:
    /// @throws Error  for kind hessian, as described by refusal_of_second_derivatives
    CurvatureProducts(const Model& model, std::span<const double> weights, std::span<const double> inputs,
                      const Targets& targets, long n, int first_layer, CurvatureKind kind);

    std::size_t covered() const { return weights_.size() - first_weight_; }
    /// product = curvature · v, both [covered]. The product is incomplete if `stop` is requested.
    void operator()(std::span<const double> v, std::span<double> product, const std::stop_token& stop = {});
    /// Σ −ln p(y | x, w), nats.
    double nll();

private:
    struct Task {
        Task(const TiledNetwork& network, std::span<const TiledNetwork::Tile> tiles)
            : point(network, tiles), tangents(network, tiles), sum(network.layout().size())
        {}
        TiledNetwork::Point point;
        TiledNetwork::Tangents tangents;
        std::vector<double> sum;
    };
    Targets targets_of(long first, int n) const;
    void add_ggn(long first, int n, double* sum);
    void multiply_by_hessian(TiledNetwork::Tile tile, Task& task) const;

    const Model& model_;
    std::span<const double> weights_, inputs_;
    Targets targets_;
    long n_;
    int first_layer_;
    CurvatureKind kind_;
    Network<double> network_;
    Network<double>::Workspace workspace_;
    // For the Hessian
    std::optional<TiledNetwork> tiled_;
    std::vector<TiledNetwork::Tile> tiles_;
    std::vector<Task> tasks_;
    std::size_t first_weight_;
    // v padded with 0 for weights not covered; batch gradient
    std::vector<double> along_, gradient_;
};

}   // namespace credence
