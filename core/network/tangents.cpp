// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/network.h"

#include <algorithm>
#include <cassert>

namespace credence {

template <class T>
void ConvolutionalTrunk<T>::tangents(const T* weights, std::span<const std::span<const T>> directions, Memory& memory,
                                     int lowest_layer, T* tangents) const
{
    assert(!memory.dropped_);
    std::size_t lowest = 0;
    for (int layer = -1; lowest < stages_.size(); ++lowest)
        if (stages_[lowest]->has_weights() && ++layer == lowest_layer)
            break;
    TangentScratch& scratch = memory.tangents_;
    const std::size_t most  = static_cast<std::size_t>(images_at_once_)
                             * widest([](ImageShape shape) { return shape.size(); });
    scratch.widest = static_cast<std::ptrdiff_t>(most);
    for (auto& planes : scratch.planes)
        if (planes.size() < most * directions.size())
            planes.resize(most * directions.size());
    if (scratch.stage.columns.empty())
        scratch.stage = stage_scratch(images_at_once_);
    const int n          = memory.n_;
    const ImageShape out = stages_.back()->out();
    for (int first = 0; first < n; first += images_at_once_) {
        const Chunk chunk{first, std::min(images_at_once_, n - first)};
        const T* made = chunk_tangents(weights, directions, chunk, memory, lowest);
        for (std::size_t d = 0; d < directions.size(); ++d)
            copy_planes(channel_by_channel(made + static_cast<std::ptrdiff_t>(d) * scratch.widest, out, chunk.images),
                        out, chunk.images,
                        image_by_image(tangents + (static_cast<std::ptrdiff_t>(d) * n + first) * size_, out));
    }
}

template <class T>
const T* ConvolutionalTrunk<T>::chunk_tangents(const T* weights, std::span<const std::span<const T>> directions,
                                               Chunk chunk, Memory& memory, std::size_t lowest) const
{
    TangentScratch& scratch = memory.tangents_;
    std::vector<Direction<T>> moves(directions.size());
    int at = 0;   // position of the tangents of a stage's input
    for (std::size_t s = lowest; s < stages_.size(); ++s) {
        if (!active(s, memory))
            continue;
        const Stage<T>& stage = *stages_[s];
        const int to          = stage.pointwise() ? at : 1 - at;
        for (std::size_t d = 0; d < directions.size(); ++d) {
            const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(d) * scratch.widest;
            T *const in = scratch.planes[at].data() + place, *const out = scratch.planes[to].data() + place;
            moves[d] = {directions[d].data(), channel_by_channel(in, stage.in(), chunk.images),
                        channel_by_channel(out, stage.out(), chunk.images)};
        }
        stage.tangents(pass_of(s, weights, chunk, memory, scratch.stage), input_of(s, chunk, memory),
                       output_of(s, chunk, memory), moves, s > lowest);
        at = to;
    }
    return scratch.planes[at].data();
}

template <class T>
std::span<T> Network<T>::tangents(std::span<const T> weights, std::span<const std::span<const T>> directions,
                                  Workspace& workspace, int lowest_layer) const
{
    assert(!workspace.dropped_ && weights.size() == layout_.size());
    const int n            = workspace.n_;
    const std::size_t rows = directions.size() * static_cast<std::size_t>(n);
    workspace.provide_columns(*this, rows);
    T* tangent = workspace.columns_[0].data();   // [directions × n × units]
    T* free    = workspace.columns_[1].data();
    int layer  = front_.n_weight_layers();
    bool moves = lowest_layer < layer;   // true if the weights of an earlier layer change
    if (moves)
        front_.tangents(weights.data(), directions, workspace.front_, lowest_layer, tangent);
    for (std::size_t s = 0; s < steps_.size(); ++s) {
        if (!active(s, workspace))
            continue;
        const T* x = input_of(s, workspace);
        const T* y = workspace.outputs_[s].data();
        if (const auto& dense = steps_[s].dense) {
            if (layer++ < lowest_layer)
                continue;
            dense->tangents(weights.data(), directions, x, y, n, moves, tangent, free);
            moves = true;
        } else if (moves) {
            const Stage<T>& stage = *steps_[s].stage;
            T* to                 = stage.pointwise() ? tangent : free;
            for_rows(s, weights.data(), workspace, [&](StagePass<T>& pass, Rows part) {
                std::vector<Direction<T>> along;
                for (std::size_t d = 0; d < directions.size(); ++d) {
                    const int first = static_cast<int>(d) * n + part.first;
                    along.push_back({directions[d].data(), planes_of(tangent, first, stage.in()),
                                     planes_of(to, first, stage.out())});
                }
                stage.tangents(pass, planes_of(x, part.first, stage.in()), planes_of(y, part.first, stage.out()), along,
                               true);
            });
            if (to == free)
                std::swap(tangent, free);
        }
    }
    return {tangent, rows * static_cast<std::size_t>(architecture_.outputs())};
}

template <class T>
void Network<T>::forward_linearised(std::span<const T> weights, std::span<const std::span<const T>> directions,
                                    const T* inputs, int n, Workspace& workspace, int lowest_layer,
                                    function_ref<void(std::size_t, std::span<const T>)> read) const
{
    const std::span<const T> at_weights = forward(weights, inputs, n, workspace);
    const std::span<T> all              = tangents(weights, directions, workspace, lowest_layer);
    for (std::size_t d = 0; d < directions.size(); ++d) {
        const std::span<T> outputs = all.subspan(d * at_weights.size(), at_weights.size());
        for (std::size_t i = 0; i < outputs.size(); ++i)
            outputs[i] += at_weights[i];
        read(d, outputs);
    }
}

template const float* ConvolutionalTrunk<float>::chunk_tangents(const float*, std::span<const std::span<const float>>,
                                                                Chunk, Memory&, std::size_t) const;
template void ConvolutionalTrunk<float>::tangents(const float*, std::span<const std::span<const float>>, Memory&, int,
                                                  float*) const;
template std::span<float> Network<float>::tangents(std::span<const float>, std::span<const std::span<const float>>,
                                                   Workspace&, int) const;
template void Network<float>::forward_linearised(std::span<const float>, std::span<const std::span<const float>>,
                                                 const float*, int, Workspace&, int,
                                                 function_ref<void(std::size_t, std::span<const float>)>) const;
template const double* ConvolutionalTrunk<double>::chunk_tangents(const double*,
                                                                  std::span<const std::span<const double>>, Chunk,
                                                                  Memory&, std::size_t) const;
template void ConvolutionalTrunk<double>::tangents(const double*, std::span<const std::span<const double>>, Memory&,
                                                   int, double*) const;
template std::span<double> Network<double>::tangents(std::span<const double>, std::span<const std::span<const double>>,
                                                     Workspace&, int) const;
template void Network<double>::forward_linearised(std::span<const double>, std::span<const std::span<const double>>,
                                                  const double*, int, Workspace&, int,
                                                  function_ref<void(std::size_t, std::span<const double>)>) const;

}   // namespace credence
