// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/network_density.h"

#include "foundation/error.h"
#include "network/network.h"
#include "network/tiled_network.h"
#include "posterior/prior_terms.h"

#include <algorithm>
#include <numbers>

namespace credence {
namespace {

constexpr std::size_t most_rows_at_once = 256;   // for Network<double>

void require_that_fits(const Architecture& architecture, const Likelihood& likelihood, const Prior& prior,
                       std::size_t inputs, const Targets& targets)
{
    const auto refuse   = [](const std::string& sentence) { throw Error("Log density of a network: " + sentence); };
    const int k         = architecture.outputs();
    const bool classes  = likelihood->has_labels();
    const std::size_t n = classes ? targets.labels.size() : targets.values.size();
    if (inputs != n * static_cast<std::size_t>(architecture.inputs))
        refuse("found " + std::to_string(inputs) + " numbers as inputs, expected " + std::to_string(n) + " rows of "
               + std::to_string(architecture.inputs) + ".");
    const int wanted = likelihood->n_outputs(2);
    if (classes ? k < wanted : k != wanted)
        refuse("the net has " + std::to_string(k) + " outputs, the likelihood expects " + std::to_string(wanted)
               + (classes ? " or more." : "."));
    for (std::size_t i = 0; classes && i < n; ++i)
        if (targets.labels[i] < 0 || targets.labels[i] >= k)
            refuse("label " + std::to_string(i + 1) + " is " + std::to_string(targets.labels[i]) + ", expected 0 to "
                   + std::to_string(k - 1) + ".");
    if (prior.blocks.size() != layout_of(architecture).blocks.size())
        refuse("the prior has " + std::to_string(prior.blocks.size()) + " blocks, the net "
               + std::to_string(layout_of(architecture).blocks.size()) + ".");
}

/// Returns Σ ln p(w_k) over the weights begin .. begin + n - 1 of a block, nats, and computes its
/// gradient. The Gaussian takes a single pass.
double prior_and_gradient(const Prior& prior, std::size_t block, std::size_t begin, const double* w, std::size_t n,
                          double* gradient)
{
    if (const auto* gaussian = std::get_if<GaussianPrior>(&prior.blocks[block])) {
        const double precision = 1 / (gaussian->sd * gaussian->sd);
        double squares         = 0;
        with_prior_mean<double>(prior, *gaussian, [&](auto mean_at) {
#pragma omp simd reduction(+ : squares)
            for (std::size_t k = 0; k < n; ++k) {
                const double below = mean_at(begin + k) - w[k];
                squares += below * below;
                gradient[k] = precision * below;
            }
        });
        return -0.5 * precision * squares
               - static_cast<double>(n) * (std::log(gaussian->sd) + 0.5 * std::log(2 * std::numbers::pi));
    }
    prior_pull(prior, block, begin, w, n, gradient);
    for (std::size_t k = 0; k < n; ++k)
        gradient[k] = -gradient[k];
    return prior_log_density(prior, block, begin, w, n);
}

/// Workspace for `row_likelihood` with this stride, in numbers.
constexpr std::size_t row_likelihood_scratch(std::ptrdiff_t stride) { return 3 * static_cast<std::size_t>(stride); }

/// LikelihoodFamily::log_density with a gradient of 0 for padding rows.
/// @param targets  [padded] labels as numbers, or values
double row_likelihood(const Likelihood& likelihood, const UnitRows& at, const double* targets, double* scratch)
{
    const double sum = likelihood->log_density(at, targets, scratch);
    for (int k = 0; k < at.units; ++k)
        std::fill(at.outputs + k * at.stride + at.rows, at.outputs + k * at.stride + at.padded, 0.0);
    return sum;
}

/// The inputs that a dense first layer needs. An input that is 0 in every row, such as a border
/// pixel of MNIST, adds nothing to the outputs or to the gradient.
struct NeededInputs {
    NeededInputs(const Architecture& architecture, std::span<const float> x)
        : all(static_cast<std::size_t>(architecture.inputs)), units(layout_of(architecture).blocks.front().size / all)
    {
        if (!std::holds_alternative<Dense>(architecture.layers.front()))
            return;
        for (std::size_t i = 0; i < all; ++i)
            for (std::size_t at = i; at < x.size(); at += all)
                if (x[at] != 0) {
                    needed.push_back(i);
                    break;
                }
        if (needed.size() + all / 10 >= all)   // the copies would cost more than they save
            needed.clear();
    }
    bool some() const { return !needed.empty(); }   ///< false: the network takes all inputs

    Architecture network(Architecture architecture) const
    {
        if (some()) {
            architecture.inputs = static_cast<int>(needed.size());
            architecture.image  = {};
        }
        return architecture;
    }
    /// @param x  [rows × all]; returns [rows × needed]
    std::vector<float> rows(std::span<const float> x) const
    {
        std::vector<float> out;
        for (std::size_t first = 0; first < x.size(); first += all)
            for (const std::size_t i : needed)
                out.push_back(x[first + i]);
        return out;
    }
    void copy_weights(std::span<const double> weights, std::span<double> to) const
    {
        for (std::size_t u = 0; u < units; ++u)
            for (std::size_t i = 0; i < needed.size(); ++i)
                to[u * needed.size() + i] = weights[u * all + needed[i]];
        std::copy(weights.begin() + static_cast<std::ptrdiff_t>(units * all), weights.end(),
                  to.begin() + static_cast<std::ptrdiff_t>(units * needed.size()));
    }
    void add_gradient(std::span<const double> gradient, std::span<double> to) const
    {
        for (std::size_t u = 0; u < units; ++u)
            for (std::size_t i = 0; i < needed.size(); ++i)
                to[u * all + needed[i]] += gradient[u * needed.size() + i];
        for (std::size_t k = units * all; k < to.size(); ++k)
            to[k] += gradient[k - units * (all - needed.size())];
    }

    std::size_t all, units;            // units of the first layer
    std::vector<std::size_t> needed;   // ascending
};

/// Copies of the data for TiledNetwork, which runs on the calling thread and does not allocate.
struct TiledRows {
    TiledRows(const Architecture& architecture, const Likelihood& kind, std::span<const float> x,
              const Targets& targets)
        : needed(architecture, x), network(needed.network(architecture), TiledNetwork::Order::first), likelihood(kind),
          tiles(network.tiles(static_cast<long>(std::max(targets.labels.size(), targets.values.size()))))
    {
        const std::vector<float> fewer = needed.rows(x);
        for (const TiledNetwork::Tile& tile : tiles) {
            inputs.push_back(network.inputs(needed.some() ? std::span<const float>(fewer) : x, tile));
            aligned_vector<double>& own = outcomes.emplace_back(static_cast<std::size_t>(tile.padded()), -1.0);
            for (int i = 0; i < tile.n; ++i) {
                const auto row                   = static_cast<std::size_t>(tile.first + i);
                own[static_cast<std::size_t>(i)] = likelihood->has_labels() ? static_cast<double>(targets.labels[row])
                                                                            : static_cast<double>(targets.values[row]);
            }
        }
    }
    struct Memory {
        explicit Memory(const TiledRows& rows)
            : point(rows.network, rows.tiles), weights(rows.needed.some() ? rows.network.layout().size() : 0),
              gradient(weights.size()),
              scratch(row_likelihood_scratch(padded_row<double>(rows.tiles.empty() ? 0 : rows.tiles.front().padded())))
        {}
        TiledNetwork::Point point;
        aligned_vector<double> weights, gradient;   // of the needed inputs; empty if all are needed
        aligned_vector<double> scratch;
    };

    double add_gradient(std::span<const double> weights, std::span<double> gradient, Memory& memory) const
    {
        if (!needed.some())
            return add_gradient_of_network(weights.data(), gradient.data(), memory);
        needed.copy_weights(weights, memory.weights);
        std::ranges::fill(memory.gradient, 0.0);
        const double sum = add_gradient_of_network(memory.weights.data(), memory.gradient.data(), memory);
        needed.add_gradient(memory.gradient, gradient);
        return sum;
    }

    double add_gradient_of_network(const double* weights, double* gradient, Memory& memory) const
    {
        double sum = 0;
        for (std::size_t t = 0; t < tiles.size(); ++t) {
            const auto outputs = network.forward(weights, inputs[t], memory.point);
            const auto slope   = network.output_gradient(memory.point);
            std::copy_n(outputs.data, slope.channel * network.outputs(), slope.data);
            sum += row_likelihood(likelihood,
                                  {slope.data, slope.channel, network.outputs(), tiles[t].n, tiles[t].padded()},
                                  outcomes[t].data(), memory.scratch.data());
            network.backward(memory.point, gradient);
        }
        return sum;
    }

    NeededInputs needed;
    TiledNetwork network;
    Likelihood likelihood;
    std::vector<TiledNetwork::Tile> tiles;
    std::vector<TiledNetwork::Inputs> inputs;
    std::vector<aligned_vector<double>> outcomes;   // of each tile: labels or values
};

/// Copies of the data for Network<double>.
struct NetworkRows {
    NetworkRows(const Architecture& architecture, const Likelihood& kind, std::span<const float> x,
                const Targets& targets)
        : network(architecture), likelihood(kind), inputs(x.begin(), x.end()),
          labels(targets.labels.begin(), targets.labels.end()), values(targets.values.begin(), targets.values.end()),
          n(std::max(labels.size(), values.size())), at_once(std::clamp(n, std::size_t{1}, most_rows_at_once))
    {}
    struct Memory {
        explicit Memory(const NetworkRows& rows)
            : workspace(rows.network, static_cast<int>(rows.at_once)),
              output_gradient(rows.at_once * static_cast<std::size_t>(rows.network.architecture().outputs())),
              weight_gradient(rows.network.layout().size())
        {}
        Network<double>::Workspace workspace;
        aligned_vector<double> output_gradient, weight_gradient;
    };

    double add_gradient(std::span<const double> weights, std::span<double> gradient, Memory& memory) const
    {
        const auto k = static_cast<std::size_t>(network.architecture().outputs());
        const auto d = static_cast<std::size_t>(network.architecture().inputs);
        double nll   = 0;
        for (std::size_t first = 0; first < n; first += at_once) {
            const std::size_t rows = std::min(at_once, n - first);
            const auto outputs     = network.forward(weights, inputs.data() + first * d, static_cast<int>(rows),
                                                     memory.workspace);
            const std::span<double> slope(memory.output_gradient.data(), rows * k);
            const Targets some{labels.empty() ? std::span<const int>() : std::span(labels).subspan(first, rows),
                               values.empty() ? std::span<const float>() : std::span(values).subspan(first, rows)};
            nll += negative_log_likelihood<double>(likelihood, outputs, static_cast<int>(rows), static_cast<int>(k),
                                                   some, slope, 1.0);
            network.backward(weights, slope, memory.workspace, memory.weight_gradient);
            for (std::size_t i = 0; i < gradient.size(); ++i)
                gradient[i] -= memory.weight_gradient[i];
        }
        return -nll;
    }

    Network<double> network;
    Likelihood likelihood;
    aligned_vector<double> inputs;
    std::vector<int> labels;
    std::vector<float> values;
    std::size_t n, at_once;
};

}   // namespace

struct NetworkDensity::Data {
    ParameterLayout layout;
    Prior prior;
    std::optional<TiledRows> tiled;
    std::optional<NetworkRows> network;   // exactly one of the two
};

struct NetworkDensity::Memory {
    std::optional<TiledRows::Memory> tiled;
    std::optional<NetworkRows::Memory> network;
};

std::shared_ptr<const NetworkDensity::Data> NetworkDensity::data_of(const Architecture& architecture,
                                                                    const Likelihood& likelihood, const Prior& prior,
                                                                    std::span<const float> inputs,
                                                                    const Targets& targets, Way way)
{
    require_that_fits(architecture, likelihood, prior, inputs.size(), targets);
    auto data    = std::make_shared<Data>();
    data->layout = layout_of(architecture);
    data->prior  = prior;
    if (layers_that_see_images(architecture) == 0 && way == Way::fastest)
        data->tiled.emplace(architecture, likelihood, inputs, targets);
    else
        data->network.emplace(architecture, likelihood, inputs, targets);
    return data;
}

NetworkDensity::NetworkDensity(const Architecture& architecture, const Likelihood& likelihood, const Prior& prior,
                               std::span<const float> inputs, const Targets& targets, Way way)
    : NetworkDensity(data_of(architecture, likelihood, prior, inputs, targets, way))
{}

NetworkDensity::NetworkDensity(std::shared_ptr<const Data> data)
    : data_(std::move(data)), memory_(std::make_unique<Memory>())
{
    if (data_->tiled)
        memory_->tiled.emplace(*data_->tiled);
    else
        memory_->network.emplace(*data_->network);
}

NetworkDensity::~NetworkDensity() = default;

std::unique_ptr<NetworkDensity> NetworkDensity::another() const
{
    return std::unique_ptr<NetworkDensity>(new NetworkDensity(data_));
}

std::size_t NetworkDensity::dimension() const { return data_->layout.size(); }
const ParameterLayout& NetworkDensity::layout() const { return data_->layout; }

double NetworkDensity::evaluate(std::span<const double> theta, std::span<double> gradient)
{
    log_prior_ = 0;
    for (std::size_t b = 0; b < data_->layout.blocks.size(); ++b) {
        const Block& block = data_->layout.blocks[b];
        log_prior_ += prior_and_gradient(data_->prior, b, block.begin, theta.data() + block.begin, block.size,
                                         gradient.data() + block.begin);
    }
    log_likelihood_ = data_->tiled ? data_->tiled->add_gradient(theta, gradient, *memory_->tiled)
                                   : data_->network->add_gradient(theta, gradient, *memory_->network);
    return log_likelihood_ + log_prior_;
}

}   // namespace credence
