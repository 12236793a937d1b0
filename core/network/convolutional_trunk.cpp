// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/convolutional_trunk.h"

#include "foundation/parallel.h"
#include "network/stages.h"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

constexpr long numbers_at_once =
    131072;   // bytes of the largest working set of one chunk, so that backward finds it in the L2 cache
constexpr int images_at_most = 8;
constexpr int most_groups    = 8;   // chunks whose weight gradients are added by one task

}   // namespace

template <class T>
ConvolutionalTrunk<T>::Memory::Memory(const ConvolutionalTrunk& front, int max_batch)
{
    const auto n = static_cast<std::size_t>(max_batch);
    output_gradient_.resize(n * front.size_);
    for (const auto& stage : front.stages_) {
        outputs_.emplace_back(n * stage->out().size());
        stages_.push_back(stage->memory(max_batch));
    }
}

template <class T>
ConvolutionalTrunk<T>::ConvolutionalTrunk(const Architecture& architecture)
    : length_(layers_that_see_images(architecture))
{
    if (length_ == 0)
        return;
    const std::vector<ImageShape> shapes = shapes_of(architecture);
    const std::vector<SavedImage> saved  = saved_images_of(architecture);
    const ParameterLayout layout         = layout_of(architecture);
    ImageShape in                        = *architecture.image;
    std::vector<std::unique_ptr<Stage<T>>> stages;
    for (std::size_t l = 0; l < length_; ++l) {
        const Layer& layer = architecture.layers[l];
        append_stage<T>(stages, layer, place_of(in, shapes[l], stages.size(), layout, n_weight_layers_, saved[l]));
        if (has_weights(layer))
            n_weights_ = layout.layer(n_weight_layers_++).biases.end();
        in = shapes[l];
    }
    size_            = in.size();
    long working_set = 1;
    for (auto& stage : stages) {
        working_set = std::max(working_set, stage->working_set());
        stages_.push_back(std::move(stage));
    }
    while (first_with_weights_ < stages_.size() && !stages_[first_with_weights_]->has_weights())
        ++first_with_weights_;
    images_at_once_ = static_cast<int>(std::clamp<long>(numbers_at_once / working_set, 1, images_at_most));
}

template <class T>
std::size_t ConvolutionalTrunk<T>::next_active(std::size_t s, const Memory& memory) const
{
    while (s < stages_.size() && !active(s, memory))
        ++s;
    return s;
}

template <class T>
Planes<T> ConvolutionalTrunk<T>::output_of(std::size_t s, Chunk chunk, Memory& memory) const
{
    const ImageShape shape     = stages_[s]->out();
    const std::ptrdiff_t first = std::ptrdiff_t{chunk.first} * shape.size();
    return s + 1 == stages_.size() ? image_by_image(memory.output_ + first, shape)
                                   : channel_by_channel(memory.outputs_[s].data() + first, shape, chunk.images);
}

/// The output of the last stage below that was not skipped.
template <class T>
Planes<const T> ConvolutionalTrunk<T>::input_of(std::size_t s, Chunk chunk, Memory& memory) const
{
    while (s-- > 0)
        if (active(s, memory))
            return output_of(s, chunk, memory);
    const ImageShape in = stages_.front()->in();
    return image_by_image(memory.inputs_ + std::ptrdiff_t{chunk.first} * in.size(), in);
}

template <class T>
StagePass<T> ConvolutionalTrunk<T>::pass_of(std::size_t s, const T* weights, Chunk chunk, Memory& memory,
                                            StageScratch<T>& scratch) const
{
    return {.weights = weights,
            .first   = chunk.first,
            .n       = chunk.images,
            .memory  = memory.stages_[s].get(),
            .scratch = &scratch};
}

template <class T>
void ConvolutionalTrunk<T>::forward(const T* weights, Chunk chunk, Memory& memory, StageScratch<T>& scratch,
                                    const std::optional<DropoutNoise>& dropout, std::size_t from) const
{
    for (std::size_t s = next_active(from, memory); s < stages_.size(); s = next_active(s + 1, memory)) {
        StagePass<T> pass    = pass_of(s, weights, chunk, memory, scratch);
        pass.dropout         = dropout ? &*dropout : nullptr;
        pass.inputs_prepared = chunk.inputs_prepared;
        stages_[s]->forward(pass, input_of(s, chunk, memory), output_of(s, chunk, memory));
        chunk.inputs_prepared = false;   // those of the first stage that runs
    }
}

template <class T>
int ConvolutionalTrunk<T>::n_groups(int n) const
{
    return std::min(most_groups, (n + images_at_once_ - 1) / images_at_once_);
}

template <class T>
StageScratch<T> ConvolutionalTrunk<T>::stage_scratch(int images) const
{
    ScratchSize most;
    for (const auto& stage : stages_) {
        const ScratchSize size = stage->scratch(images);
        most                   = {std::max(most.columns, size.columns), std::max(most.inner, size.inner)};
    }
    StageScratch<T> scratch;
    scratch.columns.resize(most.columns);
    scratch.inner.resize(most.inner);
    return scratch;
}

template <class T>
void ConvolutionalTrunk<T>::provide_scratch(Memory& memory, int count) const
{
    memory.scratch_.provide(count, [&] { return TaskScratch{stage_scratch(images_at_once_), {}}; });
}

template <class T>
std::size_t ConvolutionalTrunk<T>::n_shared_stages() const
{
    std::size_t s = 0;
    if (first_with_weights_
        < stages_.size())   // otherwise the last shared stage would write into the memory of each sample
        while (s < first_with_weights_ && !stages_[s]->only_with_dropout())
            ++s;
    return s;
}

template <class T>
void ConvolutionalTrunk<T>::forward_draws(std::size_t draws, function_ref<const T*(std::size_t)> weights,
                                          const T* inputs, int n, Memory& memory, std::span<const DropoutNoise> dropout,
                                          T* outputs) const
{
    provide_scratch(memory, 1);
    typename WorkspacePool<TaskScratch>::Lease lease(memory.scratch_);
    StageScratch<T>& scratch = (*lease).stage;
    memory.dropped_          = !dropout.empty();
    const std::size_t shared = n_shared_stages(), from = next_active(shared, memory);
    const ImageShape in = stages_.front()->in();
    for (int first = 0; first < n; first += images_at_once_) {
        Chunk chunk{0, std::min(images_at_once_, n - first)};
        memory.inputs_ = inputs + std::ptrdiff_t{first} * in.size();
        for (std::size_t s = 0; s < shared; ++s)
            stages_[s]->forward(pass_of(s, nullptr, chunk, memory, scratch), input_of(s, chunk, memory),
                                output_of(s, chunk, memory));
        chunk.inputs_prepared = stages_[from]->prepare_inputs(pass_of(from, nullptr, chunk, memory, scratch),
                                                              input_of(from, chunk, memory), images_at_once_);
        for (std::size_t d = 0; d < draws; ++d) {
            memory.output_ = outputs + (static_cast<std::ptrdiff_t>(d) * n + first) * size_;
            std::optional<DropoutNoise> noise;
            if (memory.dropped_)
                noise = DropoutNoise{dropout[d].key, dropout[d].first_row + static_cast<std::uint64_t>(first)};
            forward(weights(d), chunk, memory, scratch, noise, from);
        }
    }
}

template <class T>
const T* ConvolutionalTrunk<T>::forward(const T* weights, const T* inputs, int n, Memory& memory,
                                        const std::optional<DropoutNoise>& dropout) const
{
    memory.inputs_  = inputs;
    memory.output_  = memory.outputs_.back().data();
    memory.n_       = n;
    memory.dropped_ = dropout.has_value();
    provide_scratch(memory, concurrency());
    const int chunks = (n + images_at_once_ - 1) / images_at_once_;
    parallel_for(static_cast<std::size_t>(chunks), [&](std::size_t c) {
        const int first = static_cast<int>(c) * images_at_once_;
        typename WorkspacePool<TaskScratch>::Lease scratch(memory.scratch_);
        forward(weights, Chunk{first, std::min(images_at_once_, n - first)}, memory, (*scratch).stage, dropout);
    });
    return memory.outputs_.back().data();
}

template <class T>
void ConvolutionalTrunk<T>::backward(const T* weights, Chunk chunk, Memory& memory, TaskScratch& scratch,
                                     WeightSums<T> sums, T* input_gradient) const
{
    const int images         = chunk.images;
    const std::size_t lowest = input_gradient ? 0 : first_with_weights_;
    Planes<T> dy             = image_by_image(memory.output_gradient_.data() + std::ptrdiff_t{chunk.first} * size_,
                                              stages_.back()->out());
    bool given               = true;   // dy was written by the caller and is preserved
    int free                 = 0;      // the scratch that does not contain dy
    for (std::size_t s = stages_.size(); s-- > lowest;) {
        if (!active(s, memory))
            continue;
        const Stage<T>& stage = *stages_[s];
        if (given && (stage.reads_rows() || stage.pointwise())) {
            const Planes<T> rows = channels_as_rows(scratch.gradient[free].data(), stage.out(), images);
            copy_planes<T>(dy, stage.out(), images, rows);
            dy   = rows;
            free = 1 - free;
        }
        given              = false;
        const bool wanted  = s > lowest || input_gradient;
        const Planes<T> dx = stage.pointwise() ? dy
                             : wanted          ? channels_as_rows(scratch.gradient[free].data(), stage.in(), images)
                                               : Planes<T>{};
        stage.backward(pass_of(s, weights, chunk, memory, scratch.stage), input_of(s, chunk, memory),
                       output_of(s, chunk, memory), dy, dx, sums);
        if (!wanted)
            return;
        dy = dx;
        if (!stage.pointwise())
            free = 1 - free;
    }
    if (input_gradient) {
        const ImageShape in = stages_.front()->in();
        copy_planes<T>(dy, in, images, image_by_image(input_gradient + std::ptrdiff_t{chunk.first} * in.size(), in));
    }
}

template <class T>
void ConvolutionalTrunk<T>::backward(const T* weights, Memory& memory, T* weight_gradient, T* input_gradient) const
{
    const int n = memory.n_, chunks = (n + images_at_once_ - 1) / images_at_once_, groups = n_groups(n);
    const std::size_t most = widest([&](ImageShape shape) {
        return shape.channels * padded_row<T>(std::ptrdiff_t{images_at_once_} * shape.height * shape.width);
    });
    memory.scratch_.for_each([&](TaskScratch& scratch) {   // not needed by a forward pass alone
        scratch.stage.column_gradient.resize(scratch.stage.columns.size());
        for (auto& gradient : scratch.gradient)
            gradient.resize(most);
    });
    if (weight_gradient)
        memory.weight_gradients_.resize(
            std::max(memory.weight_gradients_.size(), static_cast<std::size_t>(groups) * n_weights_));
    T* parts = memory.weight_gradients_.data();
    parallel_for(static_cast<std::size_t>(groups), [&](std::size_t g) {
        typename WorkspacePool<TaskScratch>::Lease scratch(memory.scratch_);
        const int begin = static_cast<int>(g) * chunks / groups, end = (static_cast<int>(g) + 1) * chunks / groups;
        for (int c = begin; c < end; ++c) {
            const int first = c * images_at_once_;
            backward(weights, Chunk{first, std::min(images_at_once_, n - first)}, memory, *scratch,
                     {weight_gradient ? parts + g * n_weights_ : nullptr, c > begin}, input_gradient);
        }
    });
    if (!weight_gradient)
        return;
    parallel_chunks(n_weights_, elementwise_chunk, [&](std::size_t begin, std::size_t end) {
        std::copy(parts + begin, parts + end, weight_gradient + begin);
        for (int g = 1; g < groups; ++g) {
            const T* part = parts + static_cast<std::size_t>(g) * n_weights_;
            for (std::size_t i = begin; i < end; ++i)
                weight_gradient[i] += part[i];
        }
    });
}

template <class T>
std::optional<int> ConvolutionalTrunk<T>::first_layer_not_finite(const Memory& memory) const
{
    int layer = 0;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
        if (!stages_[s]->has_weights())
            continue;
        const T* out = memory.outputs_[s].data();
        if (!std::all_of(out, out + static_cast<std::size_t>(memory.n_) * stages_[s]->out().size(),
                         [](T value) { return std::isfinite(value); }))
            return layer;
        ++layer;
    }
    return std::nullopt;
}

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

template class ConvolutionalTrunk<float>;
template class ConvolutionalTrunk<double>;

}   // namespace credence
