// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/second_derivatives.h"

#include "foundation/parallel.h"
#include "network/likelihood.h"
#include "network/workspace_pool.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace credence {
namespace {

constexpr std::size_t weights_of_a_task = 4, weights_at_once = 16;

/// Computes the derivatives along single weights, for one tile of examples after another.
class UnitDirections {
public:
    UnitDirections(const TiledNetwork& network, std::span<const TiledNetwork::Tile> tiles, std::span<double> result,
                   std::size_t first_weight, bool whole)
        : network_(network), result_(result), first_weight_(first_weight),
          covered_(network.layout().size() - first_weight), whole_(whole)
    {
        for (int l = 0; l < network.layout().n_layers(); ++l)
            of_weight_.resize(network.layout().layer(l).biases.end(), l);
        tasks_.provide(concurrency(), [&] { return Task(network, tiles); });
    }

    /// Adds the second derivatives in weights begin to end − 1, counted from first_weight.
    void add(std::size_t begin, std::size_t end, const TiledNetwork::Point& point, const OutputLoss& loss,
             const std::stop_token& stop)
    {
        WorkspacePool<Task>::Lease lease(tasks_);
        for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i)
            add(i, point, loss, *lease);
    }

    /// Fills the matrix from the rows of each weight, which cover its own layer and those above.
    void symmetrise() const
    {
        for (std::size_t i = 0; i < covered_; ++i)
            for (std::size_t j = 0; j < i; ++j) {
                double &low = result_[i * covered_ + j], &high = result_[j * covered_ + i];
                if (of_weight_[first_weight_ + i] == of_weight_[first_weight_ + j])
                    high = 0.5 * (low + high);   // symmetric despite rounding
                low = high;
            }
    }

private:
    struct Task {
        Task() = default;
        Task(const TiledNetwork& network, std::span<const TiledNetwork::Tile> tiles)
            : tangents(std::in_place, network, tiles), along(network.layout().size()), product(along.size())
        {}
        std::optional<TiledNetwork::Tangents> tangents;
        std::vector<double> along, product;
    };

    void add(std::size_t i, const TiledNetwork::Point& point, const OutputLoss& loss, Task& task)
    {
        const std::size_t weight = first_weight_ + i;
        const int layer          = of_weight_[weight];
        const TiledNetwork::Along along{task.along.data(), layer, layer};
        task.along[weight] = 1;
        const auto moved   = network_.move(along, point, *task.tangents);
        const auto product = network_.output_tangent(point, *task.tangents);
        loss.multiply(moved, product);
        if (whole_) {
            const std::size_t from = std::max(first_weight_, network_.layout().layer(layer).weights.begin);
            std::fill(task.product.begin(), task.product.end(), 0.0);
            network_.add_product(along, point, *task.tangents, task.product.data());
            for (std::size_t q = from; q < task.product.size(); ++q)
                result_[i * covered_ + q - first_weight_] += task.product[q];
        } else {
            double sum = 0;
            for (int k = 0; k < network_.outputs(); ++k)
                sum = std::inner_product(moved.plane(k, 0), moved.plane(k, 0) + loss.n(), product.plane(k, 0), sum);
            result_[i] += sum + network_.bend(along, point, *task.tangents);
        }
        task.along[weight] = 0;
    }

    const TiledNetwork& network_;
    std::span<double> result_;
    std::size_t first_weight_, covered_;
    bool whole_;
    std::vector<int> of_weight_;   // layer of each weight
    WorkspacePool<Task> tasks_;
};

}   // namespace

OutputLoss::OutputLoss(const Likelihood& likelihood, Planes<const double> outputs, int k, TiledNetwork::Tile tile,
                       const Targets& targets, Planes<double> gradient)
    : k_(k), n_(tile.n), padded_(tile.padded())
{
    const auto numbers = [](int n) { return static_cast<std::size_t>(n); };
    std::vector<double> z(numbers(n_) * numbers(k)), slope(z.size());   // [n × k]
    for (int i = 0; i < n_; ++i)
        for (int c = 0; c < k; ++c)
            z[numbers(i * k + c)] = outputs.plane(c, i)[0];
    Targets own;
    if (!targets.labels.empty())
        own.labels = targets.labels.subspan(static_cast<std::size_t>(tile.first), numbers(n_));
    if (!targets.values.empty())
        own.values = targets.values.subspan(static_cast<std::size_t>(tile.first), numbers(n_));
    nll_ = negative_log_likelihood<double>(likelihood, z, n_, k, own, slope, 1.0);
    for (int c = 0; c < k; ++c)
        for (int i = 0; i < padded_; ++i)
            gradient.plane(c, i)[0] = i < n_ ? slope[numbers(i * k + c)] : 0.0;
    curvature_.resize(z.size() * numbers(k));
    for (int i = 0; i < n_; ++i)
        likelihood->hessian(std::span(z).subspan(numbers(i * k), numbers(k)),
                            own.values.empty() ? 0.0 : static_cast<double>(own.values[numbers(i)]),
                            std::span(curvature_).subspan(numbers(i * k * k), numbers(k * k)));
}

void OutputLoss::multiply(Planes<const double> tangent, Planes<double> product) const
{
    for (int a = 0; a < k_; ++a) {
        double* const to = product.plane(a, 0);
        std::fill_n(to, padded_, 0.0);
        for (int b = 0; b < k_; ++b) {
            const double *from = tangent.plane(b, 0), *of_pair = curvature_.data() + std::ptrdiff_t{a} * k_ + b;
            for (int i = 0; i < n_; ++i)
                to[i] += of_pair[std::ptrdiff_t{i} * k_ * k_] * from[i];
        }
    }
}

std::optional<ExactHessian> exact_hessian(const Model& model, std::span<const double> weights,
                                          std::span<const double> inputs, const Targets& targets, long n,
                                          std::size_t first_weight, bool whole, const std::stop_token& stop,
                                          const std::function<void(double)>& advanced)
{
    const TiledNetwork network(model.architecture, TiledNetwork::Order::second);
    const auto tiles = network.tiles(n);
    TiledNetwork::Point point(network, tiles);
    const std::size_t covered = weights.size() - first_weight;
    ExactHessian hessian{.values = std::vector<double>(whole ? covered * covered : covered)};
    UnitDirections directions(network, tiles, hessian.values, first_weight, whole);
    for (const TiledNetwork::Tile& tile : tiles) {
        const TiledNetwork::Inputs tile_inputs = network.inputs(inputs, tile);
        const auto outputs                     = network.forward(weights.data(), tile_inputs, point);
        const OutputLoss loss(model.likelihood, outputs, network.outputs(), tile, targets,
                              network.output_gradient(point));
        network.backward(point, nullptr);
        hessian.nll += loss.nll();
        for (std::size_t begin = 0; begin < covered; begin += weights_at_once) {
            const std::size_t end = std::min(covered, begin + weights_at_once);
            parallel_chunks(end - begin, weights_of_a_task, [&](std::size_t from, std::size_t to) {
                directions.add(begin + from, begin + to, point, loss, stop);
            });
            if (stop.stop_requested())
                return std::nullopt;
            const double done = static_cast<double>(tile.first)
                                + tile.n * static_cast<double>(end) / static_cast<double>(covered);
            advanced(done / static_cast<double>(n));
        }
    }
    if (whole)
        directions.symmetrise();
    return hessian;
}

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
