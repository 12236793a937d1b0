// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/network.h"

#include "foundation/parallel.h"
#include "foundation/products.h"
#include "network/activations.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace credence {
namespace {

constexpr int columns_at_once = 256;   // of a bias gradient: one task

/// db[o] = Σ_n dz[n × o], rows added in order.
template <class T>
void bias_gradient(const T* dz, T* db, int n, int o)
{
    parallel_chunks(static_cast<std::size_t>(o), columns_at_once, [=](std::size_t begin, std::size_t end) {
        std::fill(db + begin, db + end, T(0));
        for (int row = 0; row < n; ++row) {
            const T* values = dz + static_cast<std::size_t>(row) * o;
#pragma omp simd
            for (std::size_t c = begin; c < end; ++c) db[c] += values[c];
        }
    });
}

/// Uniforms become the mask 0 or 1/(1 - rate), and the mask times x the output.
template <class T>
void drop(const T* __restrict x, T rate, T keep_scale, T* __restrict mask, T* __restrict out, std::size_t n)
{
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) {
        const T factor = mask[i] < rate ? T(0) : keep_scale;
        mask[i] = factor;
        out[i] = x[i] * factor;
    }
}
/// values *= mask on a tile of a row-major matrix with `width` columns.
template <class T>
void multiply(const T* mask, T* values, int width, TileRange tile)
{
    for (int row = tile.row_begin; row < tile.row_end; ++row) {
        const std::size_t start = static_cast<std::size_t>(row) * width;
#pragma omp simd
        for (int c = tile.column_begin; c < tile.column_end; ++c) values[start + c] *= mask[start + c];
    }
}
constexpr std::size_t mask_chunk = 2048;   // of one task: its numbers cost more than other passes
constexpr std::size_t mask_piece = 1024;   // uniforms that are still in the first-level cache when they become a mask

/// Rows of one task so that it handles about one elementwise chunk.
std::size_t rows_at_once(int width) { return std::max<std::size_t>(1, elementwise_chunk / static_cast<std::size_t>(width)); }

}  // namespace

template <class T>
Network<T>::Workspace::Workspace(const Network& network, int max_batch, int max_draws) : max_batch_(max_batch), max_draws_(max_draws)
{
    if (network.front_.length() > 0) {
        front_ = {network.front_, max_draws > 0 ? std::min(max_batch, network.front_.images_at_once()) : max_batch};
        front_outputs_.resize(static_cast<std::size_t>(max_draws) * max_batch * network.front_.size());
    }
    std::size_t widest = 0;
    for (const Stage& stage : network.stages_) {
        const std::size_t size = static_cast<std::size_t>(max_batch) * stage.out;
        outputs_.emplace_back(size);
        masks_.emplace_back(stage.kind == Stage::Kind::dropout ? size : 0);
        widest = std::max({widest, size, static_cast<std::size_t>(max_batch) * stage.in});
    }
    gradient_.resize(widest);
    next_gradient_.resize(widest);
}

/// Memory for `rows` rows of any stage.
template <class T>
void Network<T>::Workspace::provide_columns(const Network& network, std::size_t rows)
{
    std::size_t widest = 0;
    for (const Stage& stage : network.stages_) widest = std::max(widest, rows * static_cast<std::size_t>(std::max(stage.in, stage.out)));
    for (auto& memory : columns_)
        if (memory.size() < widest) memory.resize(widest);
}

template <class T>
Network<T>::Network(Architecture architecture) : architecture_(std::move(architecture)), layout_(layout_of(architecture_)), front_(architecture_)
{
    architecture_.check();
    int width = front_.length() > 0 ? front_.size() : architecture_.inputs;
    std::size_t block = 2 * static_cast<std::size_t>(front_.n_weight_layers());
    for (std::size_t l = front_.length(); l < architecture_.layers.size(); ++l) {
        const Layer& layer = architecture_.layers[l];
        if (const auto* dense = std::get_if<Dense>(&layer)) {
            stages_.push_back({Stage::Kind::dense, width, dense->units, layout_.blocks[block].begin, layout_.blocks[block + 1].begin});
            block += 2;
            width = dense->units;
        } else if (const auto* activation = std::get_if<Activation>(&layer)) {
            if (!stages_.empty() && stages_.back().kind == Stage::Kind::dense && stages_.back().activation == ActivationKind::identity)
                stages_.back().activation = activation->kind;
            else
                stages_.push_back({Stage::Kind::activation, width, width, 0, 0, activation->kind});
        } else if (std::holds_alternative<Dropout>(layer)) {
            stages_.push_back({Stage::Kind::dropout, width, width, 0, 0, ActivationKind::identity, std::get<Dropout>(layer).rate});
        }
    }
}

template <class T>
std::span<const T> Network<T>::forward(std::span<const T> weights, const T* inputs, int n, Workspace& workspace, std::optional<DropoutNoise> dropout) const
{
    assert(n >= 1 && n <= workspace.max_batch_ && workspace.max_draws_ == 0 && weights.size() == layout_.size());
    return forward_behind(weights, front_.length() > 0 ? front_.forward(weights.data(), inputs, n, workspace.front_, dropout) : inputs, n, workspace, dropout);
}

template <class T>
void Network<T>::forward_draws(std::span<const std::span<const T>> weights, const T* inputs, int n, Workspace& workspace,
                               std::span<const DropoutNoise> dropout, function_ref<void(std::size_t, std::span<const T>)> read) const
{
    assert(n >= 1 && n <= workspace.max_batch_ && static_cast<int>(weights.size()) <= workspace.max_draws_);
    const std::size_t size = static_cast<std::size_t>(n) * front_.size();
    if (front_.length() > 0) {
        std::vector<const T*> vectors;
        for (const auto& each : weights) vectors.push_back(each.data());
        front_.forward_draws(vectors, inputs, n, workspace.front_, dropout, workspace.front_outputs_.data());
    }
    for (std::size_t d = 0; d < weights.size(); ++d) {
        const T* x = front_.length() > 0 ? workspace.front_outputs_.data() + d * size : inputs;
        read(d, forward_behind(weights[d], x, n, workspace, dropout.empty() ? std::nullopt : std::optional(dropout[d])));
    }
}

template <class T>
std::span<const T> Network<T>::forward_behind(std::span<const T> weights, const T* x, int n, Workspace& workspace,
                                              const std::optional<DropoutNoise>& dropout) const
{
    workspace.n_ = n;
    workspace.dropped_ = dropout.has_value();
    workspace.inputs_ = x;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
        const Stage& stage = stages_[s];
        T* out = workspace.outputs_[s].data();
        const std::size_t size = static_cast<std::size_t>(n) * stage.out;
        switch (stage.kind) {
        case Stage::Kind::dense: {
            const T* bias = weights.data() + stage.biases;
            product_forward(x, weights.data() + stage.weights, out, n, stage.in, stage.out, [&](TileRange tile) {
                add_bias_and_activate(stage.activation, out, bias, stage.out, tile);
            });
            break;
        }
        case Stage::Kind::activation:
            parallel_chunks(size, elementwise_chunk, [&](std::size_t begin, std::size_t end) {
                std::copy(x + begin, x + end, out + begin);
                activate(stage.activation, out + begin, end - begin);
            });
            break;
        case Stage::Kind::dropout:
            if (!dropout) continue;   // the next stage reads the same values
            T* mask = workspace.masks_[s].data();
            const T keep_scale = static_cast<T>(1 / (1 - stage.rate));
            const T rate = static_cast<T>(stage.rate);
            const std::uint64_t first = dropout->number(front_.n_stages() + s, 0, stage.out);
            const NoiseKey key = dropout->key;
            parallel_chunks(size, mask_chunk, [=](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; i += mask_piece) {
                    const std::size_t count = std::min(mask_piece, end - i);
                    uniforms(key, first + i, std::span<T>(mask + i, count));
                    drop(x + i, rate, keep_scale, mask + i, out + i, count);
                }
            });
            break;
        }
        x = out;
    }
    return {x, static_cast<std::size_t>(n) * architecture_.outputs()};
}

template <class T>
const T* Network<T>::input_of(std::size_t s, const Workspace& workspace) const
{
    while (s-- > 0)
        if (stages_[s].kind != Stage::Kind::dropout || workspace.dropped_) return workspace.outputs_[s].data();
    return workspace.inputs_;
}

template <class T>
void Network<T>::backward(std::span<const T> weights, std::span<const T> output_gradient, Workspace& workspace, std::span<T> weight_gradient,
                          std::span<T> input_gradient) const
{
    const int n = workspace.n_;
    assert(weight_gradient.size() == layout_.size() && output_gradient.size() == static_cast<std::size_t>(n) * architecture_.outputs());

    // Input of each stage: the output of the last one that did something.
    const auto active = [&](std::size_t s) { return stages_[s].kind != Stage::Kind::dropout || workspace.dropped_; };
    const auto stage_below = [&](std::size_t s) -> std::optional<std::size_t> {
        while (s > 0)
            if (active(--s)) return s;
        return std::nullopt;
    };
    const auto fuses_activation = [&](std::size_t s) { return stages_[s].kind == Stage::Kind::dense && stages_[s].activation != ActivationKind::identity; };
    const std::optional<std::size_t> top = stage_below(stages_.size());
    if (!top) return;
    // Nothing below the lowest dense layer has weights, and the gradient stops there, unless a front with weights or the caller wants it.
    const bool has_front = front_.length() > 0;
    const bool to_the_end = !input_gradient.empty() || (has_front && front_.n_weights() > 0);
    T* const gradient_below = has_front ? workspace.front_.output_gradient() : input_gradient.data();
    std::size_t lowest_dense = 0;
    while (stages_[lowest_dense].kind != Stage::Kind::dense) ++lowest_dense;
    const auto goes_on = [&](std::size_t s) { return s > lowest_dense || to_the_end; };

    // gradient: dL/d output of stage s, already multiplied by the derivative of the activation inside that stage.
    const T* gradient = output_gradient.data();
    if (fuses_activation(*top)) {
        T* scaled = workspace.gradient_.data();
        std::copy(output_gradient.begin(), output_gradient.end(), scaled);
        multiply_by_derivative(stages_[*top].activation, workspace.outputs_[*top].data(), scaled, output_gradient.size());
        gradient = scaled;
    }
    for (std::optional<std::size_t> at = top; at;) {
        const Stage& stage = stages_[*at];
        const std::optional<std::size_t> below = stage_below(*at);
        const T* x = below ? workspace.outputs_[*below].data() : workspace.inputs_;
        const bool fused = below && fuses_activation(*below);
        const auto memory_of = [&](bool lowest) {   // of the gradient below this stage
            if (lowest && to_the_end) return gradient_below;
            return gradient == workspace.gradient_.data() ? workspace.next_gradient_.data() : workspace.gradient_.data();
        };
        const std::size_t size = static_cast<std::size_t>(n) * stage.in;

        if (stage.kind == Stage::Kind::dense) {
            product_weight_gradient(gradient, x, weight_gradient.data() + stage.weights, n, stage.in, stage.out);
            bias_gradient(gradient, weight_gradient.data() + stage.biases, n, stage.out);
            if (goes_on(*at) && (below || to_the_end)) {
                // What stands between this product and the next one is done on each tile while it is in the cache: a mask, a derivative.
                const T* mask = below && stages_[*below].kind == Stage::Kind::dropout ? workspace.masks_[*below].data() : nullptr;
                const std::optional<std::size_t> source = mask ? stage_below(*below) : below;
                const bool derivative = source && fuses_activation(*source);
                T* down = memory_of(!source);
                product_input_gradient(gradient, weights.data() + stage.weights, down, n, stage.in, stage.out, [&](TileRange tile) {
                    if (mask) multiply(mask, down, stage.in, tile);
                    if (derivative) multiply_by_derivative(stages_[*source].activation, workspace.outputs_[*source].data(), down, stage.in, tile);
                });
                gradient = down;
                at = source;
                continue;
            }
        } else if (below || to_the_end) {
            T* down = memory_of(!below);
            const std::size_t chunk = rows_at_once(stage.in) * static_cast<std::size_t>(stage.in);
            parallel_chunks(size, chunk, [&](std::size_t begin, std::size_t end) {
                if (stage.kind == Stage::Kind::dropout) {
                    const T* mask = workspace.masks_[*at].data();
#pragma omp simd
                    for (std::size_t i = begin; i < end; ++i) down[i] = gradient[i] * mask[i];
                } else {
                    std::copy(gradient + begin, gradient + end, down + begin);
                    multiply_by_derivative(stage.activation, workspace.outputs_[*at].data() + begin, down + begin, end - begin);
                }
                if (fused) multiply_by_derivative(stages_[*below].activation, x + begin, down + begin, end - begin);
            });
            gradient = down;
        }
        at = goes_on(*at) ? below : std::nullopt;
    }
    if (has_front && to_the_end) front_.backward(weights.data(), workspace.front_, weight_gradient.data(), input_gradient.data());
}

template <class T>
void Network<T>::layer_gradients(std::span<const T> weights, std::span<const T> output_gradients, int columns, Workspace& workspace, LayerGradients<T>& reader,
                                 int lowest_layer) const
{
    const int n = workspace.n_;
    assert(!workspace.dropped_ && output_gradients.size() == static_cast<std::size_t>(columns) * n * architecture_.outputs());
    const std::size_t rows = static_cast<std::size_t>(columns) * n;
    /// gradient *= derivative of stage s's activation, for every column.
    const auto through_activation = [&](std::size_t s, T* gradient) {
        const Stage& stage = stages_[s];
        const std::size_t size = static_cast<std::size_t>(n) * stage.out, chunk = rows_at_once(stage.out) * static_cast<std::size_t>(stage.out);
        if (stage.activation == ActivationKind::identity) return;
        for (int c = 0; c < columns; ++c)
            parallel_chunks(size, chunk, [&](std::size_t begin, std::size_t end) {
                multiply_by_derivative(stage.activation, workspace.outputs_[s].data() + begin, gradient + static_cast<std::size_t>(c) * size + begin, end - begin);
            });
    };
    workspace.provide_columns(*this, rows);
    T* gradient = workspace.columns_[0].data();
    T* free = workspace.columns_[1].data();
    std::copy(output_gradients.begin(), output_gradients.end(), gradient);
    int layer = static_cast<int>(layout_.blocks.size() / 2);
    for (std::size_t s = stages_.size(); s-- > 0;) {
        const Stage& stage = stages_[s];
        if (stage.kind == Stage::Kind::dropout) continue;
        through_activation(s, gradient);
        if (stage.kind != Stage::Kind::dense) continue;
        reader.dense(--layer, input_of(s, workspace), gradient, columns, n, stage.in, stage.out);
        if (layer <= lowest_layer) return;
        product_input_gradient(gradient, weights.data() + stage.weights, free, static_cast<int>(rows), stage.in, stage.out, [](TileRange) {});
        std::swap(gradient, free);
    }
    if (front_.n_weights() > 0) front_.layer_gradients(weights.data(), workspace.front_, gradient, columns, reader, lowest_layer);
}

template <class T>
std::span<const T> Network<T>::features(const Workspace& workspace) const
{
    std::size_t last = stages_.size() - 1;
    while (stages_[last].kind != Stage::Kind::dense) --last;
    return {input_of(last, workspace), static_cast<std::size_t>(workspace.n_) * stages_[last].in};
}

template <class T>
std::optional<int> Network<T>::first_layer_not_finite(const Workspace& workspace) const
{
    int layer = front_.n_weight_layers();
    if (layer > 0)
        if (const auto found = front_.first_layer_not_finite(workspace.front_)) return found;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
        if (stages_[s].kind != Stage::Kind::dense) continue;
        const T* out = workspace.outputs_[s].data();
        const std::size_t size = static_cast<std::size_t>(workspace.n_) * stages_[s].out;
        if (!std::all_of(out, out + size, [](T value) { return std::isfinite(value); })) return layer;
        ++layer;
    }
    return std::nullopt;
}

template class Network<float>;
template class Network<double>;

}  // namespace credence
