// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/parallel.h"
#include "network/convolutional_trunk.h"

#include <algorithm>

namespace credence {

template <class T>
void ConvolutionalTrunk<T>::layer_gradients(const T* weights, Memory& memory, const T* gradients, int columns,
                                            LayerGradients<T>& reader, int lowest_layer) const
{
    const int n = memory.n_, groups = image_groups(n);
    const std::size_t most       = widest([&](ImageShape shape) {
        return shape.channels * padded_row<T>(std::ptrdiff_t{columns} * shape.height * shape.width);
    });
    const StageScratch<T> of_one = stage_scratch(1);
    for (std::size_t s = 0; s < stages_.size(); ++s)
        stages_[s]->prepare_columns(weights, memory.stages_[s].get());
    memory.of_groups_.resize(most_image_groups);
    for (int g = 0; g < groups; ++g) {
        GroupScratch& scratch = memory.of_groups_[static_cast<std::size_t>(g)];
        for (auto& gradient : scratch.gradient)
            gradient.resize(std::max(gradient.size(), most + 64));
        scratch.columns.plain.inner.resize(of_one.inner.size());
    }
    parallel_for(static_cast<std::size_t>(groups), [&](std::size_t group) {
        const int begin = static_cast<int>(group) * n / groups, end = (static_cast<int>(group) + 1) * n / groups;
        for (int i = begin; i < end; ++i)
            image_gradients(weights, i, static_cast<int>(group), memory, gradients, columns, reader, lowest_layer);
    });
}

template <class T>
void ConvolutionalTrunk<T>::image_gradients(const T* weights, int image, int group, Memory& memory, const T* gradients,
                                            int columns, LayerGradients<T>& reader, int lowest_layer) const
{
    GroupScratch& scratch = memory.of_groups_[static_cast<std::size_t>(group)];
    const int n = memory.n_, first = image / images_at_once_ * images_at_once_;
    const Chunk chunk{first, std::min(images_at_once_, n - first)};
    const ImageShape out = stages_.back()->out();
    int at               = 0;   // position of dy
    Planes<T> dy         = channels_as_rows(scratch.gradient[at].data(), out, columns);
    copy_planes(Planes<const T>{gradients + std::ptrdiff_t{image} * size_, std::ptrdiff_t{out.height} * out.width,
                                std::ptrdiff_t{n} * size_},
                out, columns, dy);
    ColumnPass<T> pass{.weights = weights,
                       .first   = first,
                       .n       = chunk.images,
                       .example = image,
                       .columns = columns,
                       .group   = group,
                       .scratch = &scratch.columns,
                       .reader  = &reader,
                       .layer   = n_weight_layers_};
    scratch.columns.after_maxima = false;
    for (std::size_t s = stages_.size(); s-- > first_with_weights_;) {
        if (!active(s, memory))
            continue;
        const Stage<T>& stage = *stages_[s];
        std::size_t below     = s;
        while (below > 0 && !active(below - 1, memory))
            --below;
        pass.below  = below > 0 ? stages_[below - 1].get() : nullptr;
        pass.memory = memory.stages_[s].get();
        if (stage.has_weights())
            pass.lowest = --pass.layer <= lowest_layer;
        const int b        = pass.in_chunk();
        const Planes<T> dx = channels_as_rows(scratch.gradient[1 - at].data(), stage.in(), columns);
        const bool moved   = stage.columns(pass, only_image(input_of(s, chunk, memory), b),
                                           only_image(Planes<const T>(output_of(s, chunk, memory)), b), dy, dx);
        if (stage.has_weights() && pass.lowest)
            return;
        if (!moved)
            continue;
        dy = dx;
        at = 1 - at;
    }
}

template void ConvolutionalTrunk<float>::image_gradients(const float*, int, int, Memory&, const float*, int,
                                                         LayerGradients<float>&, int) const;
template void ConvolutionalTrunk<float>::layer_gradients(const float*, Memory&, const float*, int,
                                                         LayerGradients<float>&, int) const;
template void ConvolutionalTrunk<double>::image_gradients(const double*, int, int, Memory&, const double*, int,
                                                          LayerGradients<double>&, int) const;
template void ConvolutionalTrunk<double>::layer_gradients(const double*, Memory&, const double*, int,
                                                          LayerGradients<double>&, int) const;

}   // namespace credence
