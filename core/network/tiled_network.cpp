// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/tiled_network.h"

#include "foundation/error.h"
#include "network/stages.h"

#include <algorithm>
#include <cassert>

namespace credence {
namespace {

// Bytes of all values of a tile: small enough for the second-level cache, large enough to amortise
// the cost per tile.
constexpr long bytes_of_a_tile = 98304;
constexpr long most_examples = 1024, least_examples = 32;
// Bytes of the patches of a tile of images.
constexpr long bytes_of_patches = 1048576;

/// The layers from the first one with weights on.
std::span<const Layer> layers_from_weights(const Architecture& architecture)
{
    const auto& layers = architecture.layers;
    const auto first   = std::find_if(layers.begin(), layers.end(), [](const Layer& l) { return has_weights(l); });
    return std::span(layers).subspan(static_cast<std::size_t>(first - layers.begin()));
}

/// Turns the values of an image, position by position, into units.
class ImageToUnits final : public Stage<double> {
public:
    using Stage::Stage;
    void forward(const StagePass<double>& pass, Planes<const double> x, Planes<double> y) const override
    {
        for_each_value(pass.n, x, y, [](const double& from, double& to) { to = from; });
    }
    void backward(const StagePass<double>& pass, Planes<const double>, Planes<const double>, Planes<double> dy,
                  Planes<double> dx, WeightSums<double>) const override
    {
        for_each_value(pass.n, dx, dy, [](double& to, const double& from) { to = from; });
    }
    void tangents(const StagePass<double>& pass, Planes<const double>, Planes<const double>,
                  std::span<const Direction<double>> directions, bool) const override
    {
        for (const Direction<double>& d : directions)
            forward(pass, d.dx, d.dy);
    }

private:
    template <class A, class B, class Body>
    void for_each_value(int n, Planes<A> image, Planes<B> units, Body body) const
    {
        const int places = in().height * in().width;
        for (int c = 0; c < in().channels; ++c)
            for (int b = 0; b < n; ++b)
                for (int i = 0; i < places; ++i)
                    body(image.plane(c, b)[i], units.plane(c * places + i, b)[0]);
    }
};

}   // namespace

std::optional<std::string> refusal_of_second_derivatives(const Architecture& architecture)
{
    for (const Layer& layer : layers_from_weights(architecture))
        if (second_derivative(layer) == SecondDerivative::unknown)
            return "The exact Hessian does not support the layer '" + text_of(layer)
                   + "' after layers with weights: choose the GGN.";
    return std::nullopt;
}

bool piecewise_linear_in_each_weight(const Architecture& architecture)
{
    const auto layers = layers_from_weights(architecture);
    return std::all_of(layers.begin(), layers.end(),
                       [](const Layer& layer) { return second_derivative(layer) == SecondDerivative::zero; });
}

TiledNetwork::TiledNetwork(const Architecture& architecture, Order order) : layout_(layout_of(architecture))
{
    if (const auto refusal = refusal_of_second_derivatives(architecture); refusal && order == Order::second)
        throw Error(*refusal);
    const std::vector<ImageShape> shapes = shapes_of(architecture);
    const std::vector<SavedImage> saved  = saved_images_of(architecture);
    const std::size_t images             = layers_that_see_images(architecture);
    ImageShape in                        = architecture.image.value_or(ImageShape{architecture.inputs, 1, 1});
    if (images == 0)
        in = {architecture.inputs, 1, 1};
    for (std::size_t l = 0; l < shapes.size(); ++l) {
        const Layer& layer = architecture.layers[l];
        const bool image   = l < images;
        if (l == images && l > 0) {
            const ImageShape units{in.size(), 1, 1};
            steps_.push_back({std::make_unique<ImageToUnits>(StagePlace{in, units}), true});
            in = units;
        }
        const ImageShape out    = image ? shapes[l] : ImageShape{shapes[l].size(), 1, 1};
        const auto weight_layer = static_cast<int>(of_layer_.size());
        const auto* activation  = std::get_if<Activation>(&layer);
        const bool absorbed     = order == Order::first && activation && !steps_.empty()
                              && steps_.back().stage->absorb_activation(activation->kind);
        auto stage = absorbed ? nullptr
                              : stage_of<double>(layer, place_of(in, out, l, layout_, weight_layer, saved[l]));
        if (stage && !stage->only_with_dropout()) {
            if (has_weights(layer))
                of_layer_.push_back(steps_.size());
            steps_.push_back({std::move(stage), image, second_derivative(layer) == SecondDerivative::known,
                              has_weights(layer) ? weight_layer : -1});
        }
        in = out;
    }
    long numbers = 0, patches = 1;
    for (const Step& step : steps_) {
        numbers += step.stage->out().size();
        patches = std::max(patches, step.stage->working_set());
    }
    constexpr long size = sizeof(double);
    most_in_tile_       = static_cast<int>(
        images > 0 ? std::clamp(bytes_of_patches / (size * patches) / line * line, long{line}, least_examples)
                         : std::clamp(bytes_of_a_tile / (size * numbers), least_examples, most_examples));
}

std::vector<TiledNetwork::Tile> TiledNetwork::tiles(long n) const
{
    const long count = std::max(1L, (n + most_in_tile_ - 1) / most_in_tile_);
    const long each  = ((n + count - 1) / count + line - 1) / line * line;
    std::vector<Tile> tiles;
    for (long first = 0; first < n; first += each)
        tiles.push_back({first, static_cast<int>(std::min(each, n - first))});
    return tiles;
}

template <class T>
TiledNetwork::Inputs TiledNetwork::inputs(std::span<const T> rows, Tile tile) const
{
    Inputs inputs{tile, aligned_vector<double>(size_at(0, tile.padded()))};
    const ImageShape in        = shape_at(0);
    const Planes<double> to    = at(0, inputs.values, tile.padded());
    const Planes<const T> from = image_by_image(rows.data() + tile.first * in.size(), in);
    for (int c = 0; c < in.channels; ++c)
        for (int b = 0; b < tile.n; ++b)
            std::copy_n(from.plane(c, b), in.height * in.width, to.plane(c, b));
    return inputs;
}
template TiledNetwork::Inputs TiledNetwork::inputs(std::span<const float>, Tile) const;
template TiledNetwork::Inputs TiledNetwork::inputs(std::span<const double>, Tile) const;

std::size_t TiledNetwork::size_at(std::size_t step, int n) const
{
    const ImageShape shape = shape_at(step);
    return static_cast<std::size_t>(shape.channels
                                    * padded_row<double>(std::ptrdiff_t{n} * shape.height * shape.width));
}

int TiledNetwork::largest(std::span<const Tile> tiles)
{
    int most = line;
    for (const Tile& tile : tiles)
        most = std::max(most, tile.padded());
    return most;
}

StageScratch<double> TiledNetwork::scratch(int n) const
{
    ScratchSize most;
    for (const Step& step : steps_) {
        const ScratchSize size = step.stage->scratch(n);
        most                   = {std::max(most.columns, size.columns), std::max(most.inner, size.inner)};
    }
    StageScratch<double> scratch;
    scratch.columns.resize(most.columns);
    scratch.column_gradient.resize(most.columns);
    scratch.inner.resize(most.inner);
    return scratch;
}

StagePass<double> TiledNetwork::pass_of(std::size_t step, const Point& point, StageScratch<double>& scratch) const
{
    return {
        .weights = point.weights_, .first = 0, .n = point.n_, .memory = point.memory_[step].get(), .scratch = &scratch};
}

TiledNetwork::Point::Point(const TiledNetwork& network, std::span<const Tile> tiles)
    : scratch_(network.scratch(largest(tiles)))
{
    const int n = largest(tiles);
    for (std::size_t s = 0; s <= network.steps_.size(); ++s) {
        values_.emplace_back(s == 0 ? 0 : network.size_at(s, n));
        gradients_.emplace_back(s <= network.of_layer_.front() ? 0 : network.size_at(s, n));
    }
    for (const Step& step : network.steps_)
        memory_.push_back(step.stage->memory(n));
}

TiledNetwork::Tangents::Tangents(const TiledNetwork& network, std::span<const Tile> tiles)
    : scratch_(network.scratch(largest(tiles)))
{
    std::size_t most = 0;
    for (std::size_t s = 0; s <= network.steps_.size(); ++s) {
        values_.emplace_back(network.size_at(s, largest(tiles)));
        most = std::max(most, values_.back().size());
    }
    for (auto& back : back_)
        back.resize(most);
}

Planes<const double> TiledNetwork::forward(const double* weights, const Inputs& inputs, Point& point) const
{
    point.weights_ = weights;
    point.inputs_  = &inputs;
    point.n_       = inputs.tile.padded();
    for (std::size_t s = 0; s < steps_.size(); ++s)
        steps_[s].stage->forward(pass_of(s, point, point.scratch_), values_at(s, point),
                                 at(s + 1, point.values_[s + 1], point.n_));
    return values_at(steps_.size(), point);
}

void TiledNetwork::backward(Point& point, double* weight_gradient) const
{
    const std::size_t lowest = of_layer_.front();
    for (std::size_t s = steps_.size(); s-- > lowest;) {
        const Stage<double>& stage = *steps_[s].stage;
        Planes<double> dy          = at(s + 1, point.gradients_[s + 1], point.n_);
        const Planes<double> dx    = s > lowest ? at(s, point.gradients_[s], point.n_) : Planes<double>{};
        if (stage.pointwise()) {
            std::copy_n(dy.data, size_at(s, point.n_), dx.data);
            dy = dx;
        }
        if (dx.data || weight_gradient)
            stage.backward(pass_of(s, point, point.scratch_), values_at(s, point), values_at(s + 1, point), dy, dx,
                           {weight_gradient, true});
    }
}

Planes<const double> TiledNetwork::move(const Along& along, const Point& point, Tangents& tangents) const
{
    const std::size_t first = of_layer_[static_cast<std::size_t>(along.first_layer)];
    for (std::size_t s = first; s < steps_.size(); ++s) {
        const Stage<double>& stage = *steps_[s].stage;
        Direction<double> direction{moves(along, s) ? along.vector : nullptr, at(s, tangents.values_[s], point.n_),
                                    at(s + 1, tangents.values_[s + 1], point.n_)};
        if (stage.pointwise()) {
            std::copy_n(direction.dx.data, size_at(s, point.n_), direction.dy.data);
            direction.dx = direction.dy;
        }
        stage.tangents(pass_of(s, point, tangents.scratch_), values_at(s, point), values_at(s + 1, point),
                       {&direction, 1}, s > first);
    }
    return at(steps_.size(), tangents.values_.back(), point.n_);
}

double TiledNetwork::bend(const Along& along, const Point& point, Tangents& tangents) const
{
    assert(along.first_layer == along.last_layer);
    const int n = point.n_;
    double sum  = 0;
    for (std::size_t s = of_layer_[static_cast<std::size_t>(along.first_layer)] + 1; s < steps_.size(); ++s) {
        if (!steps_[s].bends)
            continue;
        const Planes<const double> u = at(s, tangents.values_[s], n);
        const Planes<double> dx      = at(s, tangents.back_[0], n);
        std::fill_n(dx.data, size_at(s, n), 0.0);
        steps_[s].stage->second_order(pass_of(s, point, tangents.scratch_), values_at(s, point),
                                      values_at(s + 1, point), at(s + 1, point.gradients_[s + 1], n), {nullptr, u, dx});
        for_each_run(
            shape_at(s), n,
            [&](const double* a, const double* b, std::size_t count) {
#pragma omp simd reduction(+ : sum)
            for (std::size_t i = 0; i < count; ++i)
                sum += a[i] * b[i];
            },
            Planes<const double>(dx), u);
    }
    return sum;
}

void TiledNetwork::add_product(const Along& along, const Point& point, Tangents& tangents, double* product) const
{
    const std::size_t first = of_layer_[static_cast<std::size_t>(along.first_layer)];
    const int n             = point.n_;
    int free                = 0;   // the memory that does not contain the gradient's tangent
    for (std::size_t s = steps_.size(); s-- > first;) {
        const Stage<double>& stage   = *steps_[s].stage;
        const StagePass<double> pass = pass_of(s, point, tangents.scratch_);
        const bool lowest            = s == first;
        const Planes<double> back    = at(s + 1, tangents.back_[1 - free], n);
        const Planes<double> down    = lowest              ? Planes<double>{}
                                       : stage.pointwise() ? back
                                                           : at(s, tangents.back_[free], n);
        stage.backward(pass, values_at(s, point), values_at(s + 1, point), back, down, {product, true});
        stage.second_order(pass, values_at(s, point), values_at(s + 1, point), at(s + 1, point.gradients_[s + 1], n),
                           {moves(along, s) ? along.vector : nullptr,
                            lowest ? Planes<const double>{} : Planes<const double>(at(s, tangents.values_[s], n)), down,
                            product});
        if (!stage.pointwise())
            free = 1 - free;
    }
}

}   // namespace credence
