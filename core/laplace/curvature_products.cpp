// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/second_derivatives.h"

#include "foundation/parallel.h"
#include "network/likelihood.h"

#include <algorithm>

namespace credence {
namespace {

constexpr std::size_t side_by_side  = 8;     // tasks with separate sums
constexpr int examples_of_a_network = 256;   // Network runs its own threads

}   // namespace

CurvatureProducts::CurvatureProducts(const Model& model, std::span<const double> weights,
                                     std::span<const double> inputs, const Targets& targets, long n, int first_layer,
                                     CurvatureKind kind)
    : model_(model), weights_(weights), inputs_(inputs), targets_(targets), n_(n), first_layer_(first_layer),
      kind_(kind), network_(model.architecture),
      workspace_(network_, static_cast<int>(std::min<long>(n, examples_of_a_network))),
      first_weight_(network_.layout().layer(first_layer).weights.begin), along_(weights.size()),
      gradient_(weights.size())
{
    if (kind != CurvatureKind::hessian)
        return;
    tiled_.emplace(model.architecture, TiledNetwork::Order::second);
    tiles_ = tiled_->tiles(n);
    for (std::size_t t = 0; t < std::min(side_by_side, tiles_.size()); ++t)
        tasks_.emplace_back(*tiled_, tiles_);
}

Targets CurvatureProducts::targets_of(long first, int n) const
{
    Targets part;
    if (!targets_.labels.empty())
        part.labels = targets_.labels.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n));
    if (!targets_.values.empty())
        part.values = targets_.values.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n));
    return part;
}

double CurvatureProducts::nll()
{
    double sum = 0;
    for (long first = 0; first < n_; first += examples_of_a_network) {
        const int n        = static_cast<int>(std::min<long>(examples_of_a_network, n_ - first));
        const auto outputs = network_.forward(weights_, inputs_.data() + first * model_.architecture.inputs, n,
                                              workspace_);
        sum += negative_log_likelihood<double>(model_.likelihood, outputs, n, model_.architecture.outputs(),
                                               targets_of(first, n), {}, 1.0);
    }
    return sum;
}

void CurvatureProducts::operator()(std::span<const double> v, std::span<double> product, const std::stop_token& stop)
{
    std::copy(v.begin(), v.end(), along_.begin() + static_cast<std::ptrdiff_t>(first_weight_));
    std::fill(product.begin(), product.end(), 0.0);
    if (kind_ == CurvatureKind::ggn) {
        for (long first = 0; first < n_ && !stop.stop_requested(); first += examples_of_a_network)
            add_ggn(first, static_cast<int>(std::min<long>(examples_of_a_network, n_ - first)), product.data());
        return;
    }
    for (std::size_t first = 0; first < tiles_.size() && !stop.stop_requested(); first += tasks_.size()) {
        const std::size_t tiles = std::min(tasks_.size(), tiles_.size() - first);
        parallel_for(tiles, [&](std::size_t t) { multiply_by_hessian(tiles_[first + t], tasks_[t]); });
        for (std::size_t t = 0; t < tiles; ++t)   // in the order of the examples
            for (std::size_t i = 0; i < product.size(); ++i)
                product[i] += tasks_[t].sum[first_weight_ + i];
    }
}

/// The product with the Hessian of one tile, in task.sum.
void CurvatureProducts::multiply_by_hessian(TiledNetwork::Tile tile, Task& task) const
{
    const TiledNetwork::Inputs inputs = tiled_->inputs(inputs_, tile);
    const TiledNetwork::Along along{along_.data(), first_layer_, tiled_->layout().n_layers() - 1};
    const auto outputs = tiled_->forward(weights_.data(), inputs, task.point);
    const OutputLoss loss(model_.likelihood, outputs, tiled_->outputs(), tile, targets_,
                          tiled_->output_gradient(task.point));
    tiled_->backward(task.point, nullptr);
    const auto moved = tiled_->move(along, task.point, task.tangents);
    loss.multiply(moved, tiled_->output_tangent(task.point, task.tangents));
    std::fill(task.sum.begin(), task.sum.end(), 0.0);
    tiled_->add_product(along, task.point, task.tangents, task.sum.data());
}

void CurvatureProducts::add_ggn(long first, int n, double* sum)
{
    const int k = model_.architecture.outputs(), columns = model_.likelihood->curvature_columns(k);
    const auto outputs = network_.forward(weights_, inputs_.data() + first * model_.architecture.inputs, n, workspace_);
    std::vector<double> roots(static_cast<std::size_t>(columns) * n * k), back(static_cast<std::size_t>(n) * k);
    output_curvature_roots<double>(model_.likelihood, outputs, n, k, roots);
    const std::span<const double> direction(along_);
    const auto moved = network_.tangents(weights_, {&direction, 1}, workspace_, first_layer_);
    for (int c = 0; c < columns; ++c)
        for (int i = 0; i < n; ++i) {
            const double* root = roots.data() + (static_cast<std::size_t>(c) * n + i) * k;
            double part        = 0;
            for (int j = 0; j < k; ++j)
                part += root[j] * moved[static_cast<std::size_t>(i) * k + j];
            for (int j = 0; j < k; ++j)
                back[static_cast<std::size_t>(i) * k + j] += part * root[j];
        }
    network_.backward(weights_, back, workspace_, gradient_);
    for (std::size_t i = 0; i < covered(); ++i)
        sum[i] += gradient_[first_weight_ + i];
}

}   // namespace credence
