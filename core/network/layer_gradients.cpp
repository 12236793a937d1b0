// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/layer_gradients.h"

#include "foundation/parallel.h"
#include "network/activations.h"
#include "network/image_front.h"
#include "network/normalisation.h"
#include "network/transposed_convolution.h"

#include <algorithm>

namespace credence {
namespace {

int places_of(ImageShape shape) { return shape.height * shape.width; }

template <class T>
Planes<T> only_image(Planes<T> planes, int image)
{
    return {planes.plane(0, image), planes.channel, planes.image};
}

}  // namespace

template <class T>
void ImageFront<T>::layer_gradients(const T* weights, Memory& memory, const T* gradients, int columns, LayerGradients<T>& reader, int lowest_layer) const
{
    const int n = memory.n_, groups = image_groups(n);
    std::size_t widest = 0, widest_planes = 0, most_places = 0;
    std::vector<std::optional<TransposedConvolution<T>>> transposed(stages_.size());
    for (const Stage& stage : stages_) {
        for (const ImageShape shape : {stage.in, stage.out})
            widest = std::max(widest, static_cast<std::size_t>(shape.channels * spread_row<T>(std::ptrdiff_t{columns} * places_of(shape))));
        if (stage.kind == Stage::Kind::convolution) transposed[static_cast<std::size_t>(&stage - stages_.data())].emplace(stage.convolution(), weights + stage.weights);
        widest_planes = std::max(widest_planes, static_cast<std::size_t>(4 * places_of(stage.out)));
        most_places = std::max(most_places, static_cast<std::size_t>(stage.out.size()));
    }
    memory.of_groups_.resize(most_image_groups);
    for (int g = 0; g < groups; ++g) {
        ColumnScratch& scratch = memory.of_groups_[static_cast<std::size_t>(g)];
        for (auto& gradient : scratch.gradient) gradient.resize(std::max(gradient.size(), widest + 64));
        scratch.planes.resize(widest_planes);
        scratch.places.resize(most_places);
    }
    const auto stage_below = [&](std::size_t s) -> const Stage* {
        while (s-- > 0)
            if (stages_[s].kind != Stage::Kind::dropout) return &stages_[s];
        return nullptr;
    };
    parallel_for(static_cast<std::size_t>(groups), [&](std::size_t group) {
        ColumnScratch& scratch = memory.of_groups_[group];
        const int begin = static_cast<int>(group) * n / groups, end = (static_cast<int>(group) + 1) * n / groups;
        for (int i = begin; i < end; ++i) {
            const int first = i / images_at_once_ * images_at_once_, b = i - first;
            const Chunk chunk{first, std::min(images_at_once_, n - first)};
            int at = 0;   // where dy stands
            Planes<T> dy = channels_as_rows(scratch.gradient[at].data(), stages_.back().out, columns);
            for (int channel = 0; channel < stages_.back().out.channels; ++channel)
                for (int c = 0; c < columns; ++c)
                    std::copy_n(gradients + (static_cast<std::ptrdiff_t>(c) * n + i) * size_ + std::ptrdiff_t{channel} * places_of(stages_.back().out), places_of(stages_.back().out),
                                dy.plane(channel, c));
            int layer = n_weight_layers_;
            bool behind_maxima = false;   // scratch.before knows dz already
            for (std::size_t s = stages_.size(); s-- > first_convolution_;) {
                const Stage& stage = stages_[s];
                if (stage.kind == Stage::Kind::dropout) continue;
                const Planes<const T> x = only_image(input_of(s, chunk, memory), b);
                const Planes<const T> y = only_image(Planes<const T>(output_of(s, chunk, memory)), b);
                const int channels = stage.out.channels, places = places_of(stage.out);
                const auto through_activation = [&](ActivationKind activation) {   // dy in place
                    if (activation == ActivationKind::identity) return;
                    for (int k = 0; k < channels; ++k)
                        for (int c = 0; c < columns; ++c) multiply_by_derivative(activation, y.plane(k, 0), dy.plane(k, c), static_cast<std::size_t>(places));
                };
                if (stage.kind == Stage::Kind::activation) {
                    through_activation(stage.activation);
                    continue;
                }
                const Planes<T> dx = channels_as_rows(scratch.gradient[1 - at].data(), stage.in, columns);
                if (stage.kind == Stage::Kind::convolution) {
                    if (!behind_maxima) {
                        through_activation(stage.activation);
                        scratch.before.set(stage.convolution(), dy, columns);
                    }
                    behind_maxima = false;
                    reader.convolution(--layer, static_cast<int>(group), i, stage.convolution(), x, scratch.before);
                    if (layer <= lowest_layer) break;
                    transposed[s]->run(scratch.before, dx, scratch.pixels);
                } else if (stage.kind == Stage::Kind::pooling) {
                    const PoolingShape shape{stage.in, stage.out, stage.pool};
                    if (stage.pool.kind == Pool::Kind::maximum) {
                        const PlaceInWindow* all = memory.places_[s].data() + std::ptrdiff_t{chunk.first} * stage.out.size();
                        for (int k = 0; k < channels; ++k) std::copy_n(all + (std::ptrdiff_t{k} * chunk.images + b) * places, places, scratch.places.data() + std::ptrdiff_t{k} * places);
                        const Stage* below = stage_below(s);
                        if (below && below->kind == Stage::Kind::convolution && !ColumnGradients<T>::overlap(stage.pool)) {
                            through_activation(below->activation);   // at a maximum, its output is what leaves the pooling
                            scratch.before.set_behind_maxima(shape, dy, scratch.places.data(), columns);
                            behind_maxima = true;
                            continue;
                        }
                    }
                    for (int c = 0; c < columns; ++c)
                        pool_backward<T>(shape, only_image(Planes<const T>(dy), c), scratch.places.data(), 1, only_image(dx, c));
                } else {
                    for (int k = 0; k < channels; ++k)
                        for (int c = 0; c < columns; ++c)
                            normalise_backward(stage.norm, stage.out.height, stage.out.width, x.plane(k, 0), dy.plane(k, c), dx.plane(k, c), scratch.planes.data());
                }
                dy = dx;
                at = 1 - at;
            }
        }
    });
}

template void ImageFront<float>::layer_gradients(const float*, Memory&, const float*, int, LayerGradients<float>&, int) const;
template void ImageFront<double>::layer_gradients(const double*, Memory&, const double*, int, LayerGradients<double>&, int) const;

}  // namespace credence
