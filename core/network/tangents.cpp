// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/parallel.h"
#include "foundation/products.h"
#include "network/activations.h"
#include "network/network.h"
#include "network/normalisation.h"

#include <algorithm>
#include <cassert>

namespace credence {
namespace {

int places_of(ImageShape shape) { return shape.height * shape.width; }

/// values += more on a tile of row-major matrices with `width` columns.
template <class T>
void add(const T* more, T* values, int width, TileRange tile)
{
    for (int row = tile.row_begin; row < tile.row_end; ++row) {
        const std::size_t start = static_cast<std::size_t>(row) * width;
#pragma omp simd
        for (int c = tile.column_begin; c < tile.column_end; ++c) values[start + c] += more[start + c];
    }
}

}  // namespace

template <class T>
void ImageFront<T>::provide_tangent_scratch(TangentScratch& scratch, std::size_t directions) const
{
    std::size_t widest = 0, columns = 0, inner = 0;
    for (const Stage& stage : stages_) {
        widest = std::max(widest, static_cast<std::size_t>(images_at_once_) * std::max(stage.in.size(), stage.out.size()));
        if (stage.kind == Stage::Kind::convolution) {
            columns = std::max(columns, stage.convolution().template matrix_size<T>(images_at_once_));
            inner = std::max(inner, stage.convolution().scratch_size(images_at_once_));
        } else if (stage.kind == Stage::Kind::normalisation) {
            inner = std::max(inner, static_cast<std::size_t>(4 * places_of(stage.out)));
        }
    }
    scratch.widest = static_cast<std::ptrdiff_t>(widest);
    for (auto& planes : scratch.planes)
        if (planes.size() < widest * directions) planes.resize(widest * directions);
    scratch.columns.resize(columns + 64 / sizeof(T));   // the last vector of an image's columns may reach into what follows
    scratch.inner.resize(inner);
}

template <class T>
void ImageFront<T>::tangents(const T* weights, std::span<const std::span<const T>> directions, Memory& memory, int lowest_layer, T* tangents) const
{
    assert(!memory.dropped_);
    std::size_t lowest = 0;
    for (int layer = -1; lowest < stages_.size(); ++lowest)
        if (stages_[lowest].kind == Stage::Kind::convolution && ++layer == lowest_layer) break;
    provide_tangent_scratch(memory.tangents_, directions.size());
    const int n = memory.n_;
    const ImageShape out = stages_.back().out;
    for (int first = 0; first < n; first += images_at_once_) {
        const Chunk chunk{first, std::min(images_at_once_, n - first)};
        const T* made = chunk_tangents(weights, directions, chunk, memory, lowest);
        for (std::size_t d = 0; d < directions.size(); ++d)
            copy_planes(channel_by_channel(made + static_cast<std::ptrdiff_t>(d) * memory.tangents_.widest, out, chunk.images), out, chunk.images,
                        image_by_image(tangents + (static_cast<std::ptrdiff_t>(d) * n + first) * size_, out));
    }
}

template <class T>
const T* ImageFront<T>::chunk_tangents(const T* weights, std::span<const std::span<const T>> directions, Chunk chunk, Memory& memory, std::size_t lowest) const
{
    TangentScratch& scratch = memory.tangents_;
    const int images = chunk.images;
    int at = 0;   // where the tangents of a stage's input stand
    for (std::size_t s = lowest; s < stages_.size(); ++s) {
        const Stage& stage = stages_[s];
        if (stage.kind == Stage::Kind::dropout) continue;
        const Planes<const T> x = input_of(s, chunk, memory);
        const Planes<const T> y = output_of(s, chunk, memory);
        const int channels = stage.out.channels, n_places = places_of(stage.out);
        const auto through_activation = [&](Planes<T> dy) {   // in place
            if (stage.activation == ActivationKind::identity) return;
            for (int c = 0; c < channels; ++c)
                for (int b = 0; b < images; ++b) multiply_by_derivative(stage.activation, y.plane(c, b), dy.plane(c, b), static_cast<std::size_t>(n_places));
        };
        const auto for_each_direction = [&](auto body) {
            for (std::size_t d = 0; d < directions.size(); ++d) {
                const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(d) * scratch.widest;
                body(directions[d].data(), channel_by_channel(scratch.planes[at].data() + place, stage.in, images),
                     channel_by_channel(scratch.planes[1 - at].data() + place, stage.out, images));
            }
        };
        switch (stage.kind) {
        case Stage::Kind::convolution: {
            const ConvolutionShape shape = stage.convolution();
            const auto product = [&](const T* kernels, Planes<T> dy, Begin begin, const T* start) {
                wide_product(Strided<T>{kernels, shape.patch()}, scratch.columns.data(), shape.columns_row<T>(images), dy.data, dy.channel, channels, shape.patch(),
                             images * n_places, begin, start);
            };
            patches_to_columns(shape, x, images, scratch.columns.data(), scratch.inner.data());
            for_each_direction([&](const T* along, Planes<T>, Planes<T> dy) { product(along + stage.weights, dy, Begin::rows, along + stage.biases); });
            for_each_direction([&](const T*, Planes<T> dx, Planes<T> dy) {
                if (s > lowest) {   // else the inputs stand still
                    patches_to_columns<T>(shape, dx, images, scratch.columns.data(), scratch.inner.data());
                    product(weights + stage.weights, dy, Begin::c, nullptr);
                }
                through_activation(dy);
            });
            break;
        }
        case Stage::Kind::activation:
            for_each_direction([&](const T*, Planes<T> dx, Planes<T>) { through_activation(dx); });
            continue;
        case Stage::Kind::pooling: {
            const PlaceInWindow* place = memory.places_[s].data() + (stage.pool.kind == Pool::Kind::maximum ? std::ptrdiff_t{chunk.first} * stage.out.size() : 0);
            for_each_direction([&](const T*, Planes<T> dx, Planes<T> dy) { pool_tangent<T>(PoolingShape{stage.in, stage.out, stage.pool}, dx, place, images, dy); });
            break;
        }
        case Stage::Kind::normalisation:
            for_each_direction([&](const T*, Planes<T> dx, Planes<T> dy) {
                for (int c = 0; c < channels; ++c)
                    for (int b = 0; b < images; ++b)
                        normalise_tangent<T>(stage.norm, stage.out.height, stage.out.width, x.plane(c, b), dx.plane(c, b), dy.plane(c, b), scratch.inner.data());
            });
            break;
        case Stage::Kind::dropout: break;
        }
        at = 1 - at;
    }
    return scratch.planes[at].data();
}

template <class T>
std::span<T> Network<T>::tangents(std::span<const T> weights, std::span<const std::span<const T>> directions, Workspace& workspace, int lowest_layer) const
{
    assert(!workspace.dropped_ && weights.size() == layout_.size());
    const int n = workspace.n_;
    workspace.provide_columns(*this, directions.size() * static_cast<std::size_t>(n));
    T* tangent = workspace.columns_[0].data();   // [directions × n × units]
    T* carried = workspace.columns_[1].data();
    int layer = front_.n_weight_layers();
    bool moves = lowest_layer < layer;           // the layers so far
    if (moves) front_.tangents(weights.data(), directions, workspace.front_, lowest_layer, tangent);
    for (std::size_t s = 0; s < stages_.size(); ++s) {
        const Stage& stage = stages_[s];
        const std::size_t size = static_cast<std::size_t>(n) * stage.out;   // of one direction
        const T* y = workspace.outputs_[s].data();
        if (stage.kind == Stage::Kind::activation && moves) {
            for (std::size_t d = 0; d < directions.size(); ++d) multiply_by_derivative(stage.activation, y, tangent + d * size, size);
        } else if (stage.kind == Stage::Kind::dense && layer++ >= lowest_layer) {
            const T* x = input_of(s, workspace);
            if (moves) product_forward(tangent, weights.data() + stage.weights, carried, static_cast<int>(directions.size()) * n, stage.in, stage.out);
            for (std::size_t d = 0; d < directions.size(); ++d) {
                T* out = tangent + d * size;
                product_forward(x, directions[d].data() + stage.weights, out, n, stage.in, stage.out, [&](TileRange tile) {
                    add_bias_and_activate(ActivationKind::identity, out, directions[d].data() + stage.biases, stage.out, tile);
                    if (moves) add(carried + d * size, out, stage.out, tile);
                    if (stage.activation != ActivationKind::identity) multiply_by_derivative(stage.activation, y, out, stage.out, tile);
                });
            }
            moves = true;
        }
    }
    return {tangent, directions.size() * static_cast<std::size_t>(n) * architecture_.outputs()};
}

template <class T>
void Network<T>::forward_linearised(std::span<const T> weights, std::span<const std::span<const T>> directions, const T* inputs, int n, Workspace& workspace, int lowest_layer,
                                    function_ref<void(std::size_t, std::span<const T>)> read) const
{
    const std::span<const T> at_weights = forward(weights, inputs, n, workspace);
    const std::span<T> all = tangents(weights, directions, workspace, lowest_layer);
    for (std::size_t d = 0; d < directions.size(); ++d) {
        const std::span<T> outputs = all.subspan(d * at_weights.size(), at_weights.size());
        for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] += at_weights[i];
        read(d, outputs);
    }
}

template void ImageFront<float>::provide_tangent_scratch(TangentScratch&, std::size_t) const;
template const float* ImageFront<float>::chunk_tangents(const float*, std::span<const std::span<const float>>, Chunk, Memory&, std::size_t) const;
template void ImageFront<float>::tangents(const float*, std::span<const std::span<const float>>, Memory&, int, float*) const;
template std::span<float> Network<float>::tangents(std::span<const float>, std::span<const std::span<const float>>, Workspace&, int) const;
template void Network<float>::forward_linearised(std::span<const float>, std::span<const std::span<const float>>, const float*, int, Workspace&, int,
                                             function_ref<void(std::size_t, std::span<const float>)>) const;
template void ImageFront<double>::provide_tangent_scratch(TangentScratch&, std::size_t) const;
template const double* ImageFront<double>::chunk_tangents(const double*, std::span<const std::span<const double>>, Chunk, Memory&, std::size_t) const;
template void ImageFront<double>::tangents(const double*, std::span<const std::span<const double>>, Memory&, int, double*) const;
template std::span<double> Network<double>::tangents(std::span<const double>, std::span<const std::span<const double>>, Workspace&, int) const;
template void Network<double>::forward_linearised(std::span<const double>, std::span<const std::span<const double>>, const double*, int, Workspace&, int,
                                             function_ref<void(std::size_t, std::span<const double>)>) const;

}  // namespace credence
