// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/network.h"

#include "foundation/aligned_vector.h"
#include "foundation/parallel.h"
#include "network/stages.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace credence {

template <class T>
Network<T>::Workspace::Workspace(const Network& network, int max_batch, int max_draws)
    : max_batch_(max_batch), max_draws_(max_draws)
{
    if (network.front_.length() > 0) {
        front_ = {network.front_, max_draws > 0 ? std::min(max_batch, network.front_.images_at_once()) : max_batch};
        front_outputs_.resize(static_cast<std::size_t>(max_draws) * max_batch * network.front_.size());
    }
    std::size_t widest = 0;
    for (const Step& step : network.steps_) {
        const std::size_t size = static_cast<std::size_t>(max_batch) * step.out();
        outputs_.emplace_back(size);
        stages_.push_back(step.stage->memory(max_batch));
        widest = std::max({widest, size, static_cast<std::size_t>(max_batch) * step.in()});
    }
    gradient_.resize(widest);
    next_gradient_.resize(widest);
}

/// Memory for `rows` rows of any step.
template <class T>
void Network<T>::Workspace::provide_columns(const Network& network, std::size_t rows)
{
    std::size_t widest = 0;
    for (const Step& step : network.steps_)
        widest = std::max(widest, rows * static_cast<std::size_t>(std::max(step.in(), step.out())));
    for (auto& memory : columns_)
        if (memory.size() < widest)
            memory.resize(widest);
}

template <class T>
Network<T>::Network(Architecture architecture)
    : architecture_(std::move(architecture)), layout_(layout_of(architecture_)), front_(architecture_)
{
    architecture_.check();
    const std::vector<ImageShape> shapes = shapes_of(architecture_);
    int width = front_.length() > 0 ? front_.size() : architecture_.inputs, weight_layer = front_.n_weight_layers();
    std::vector<std::unique_ptr<Stage<T>>> stages;
    for (std::size_t l = front_.length(); l < architecture_.layers.size(); ++l) {
        const Layer& layer = architecture_.layers[l];
        const int out      = shapes[l].size();
        append_stage<T>(stages, layer,
                        place_of({1, 1, width}, {1, 1, out}, front_.n_stages() + stages.size(), layout_, weight_layer));
        weight_layer += has_weights(layer);
        width = out;
    }
    for (auto& stage : stages) {
        const DenseStage<T>* dense = stage->dense();
        steps_.push_back({std::move(stage), dense});
    }
    while (!steps_[lowest_dense_].dense)
        ++lowest_dense_;
}

template <class T>
std::optional<std::size_t> Network<T>::below(std::size_t s, const Workspace& workspace) const
{
    while (s > 0)
        if (active(--s, workspace))
            return s;
    return std::nullopt;
}

template <class T>
std::size_t Network<T>::after_pointwise(std::size_t s, const Workspace& workspace) const
{
    while (s < steps_.size() && !steps_[s].dense && (steps_[s].pointwise() || !active(s, workspace)))
        ++s;
    return s;
}

template <class T>
const T* Network<T>::input_of(std::size_t s, const Workspace& workspace) const
{
    const std::optional<std::size_t> from = below(s, workspace);
    return from ? workspace.outputs_[*from].data() : workspace.inputs_;
}

template <class T>
void Network<T>::for_rows(std::size_t s, const T* weights, Workspace& workspace,
                          function_ref<void(StagePass<T>&, Rows)> body) const
{
    const Stage<T>& stage = *steps_[s].stage;
    const int widest      = std::max(stage.in().size(), stage.out().size()),
              rows        = std::max(1, (stage.numbers_at_once() + widest / 2) / widest);
    workspace.scratch_.provide(concurrency(), [] { return StageScratch<T>{}; });
    parallel_chunks(static_cast<std::size_t>(workspace.n_), static_cast<std::size_t>(rows),
                    [&](std::size_t begin, std::size_t end) {
        typename WorkspacePool<StageScratch<T>>::Lease scratch(workspace.scratch_);
        const ScratchSize size = stage.scratch(rows);
        sized((*scratch).columns, size.columns);
        sized((*scratch).inner, size.inner);
        const Rows part{static_cast<int>(begin), static_cast<int>(end - begin)};
        StagePass<T> pass{.weights = weights,
                          .first   = part.first,
                          .n       = part.n,
                          .memory  = workspace.stages_[s].get(),
                          .scratch = &*scratch};
        body(pass, part);
    });
}

template <class T>
std::span<const T> Network<T>::forward(std::span<const T> weights, const T* inputs, int n, Workspace& workspace,
                                       std::optional<DropoutNoise> dropout) const
{
    assert(n >= 1 && n <= workspace.max_batch_ && workspace.max_draws_ == 0 && weights.size() == layout_.size());
    return forward_from(
        weights, front_.length() > 0 ? front_.forward(weights.data(), inputs, n, workspace.front_, dropout) : inputs, n,
        workspace, dropout);
}

template <class T>
void Network<T>::forward_draws(std::span<const std::span<const T>> weights, const T* inputs, int n,
                               Workspace& workspace, std::span<const DropoutNoise> dropout,
                               function_ref<void(std::size_t, std::span<const T>)> read) const
{
    assert(n >= 1 && n <= workspace.max_batch_ && static_cast<int>(weights.size()) <= workspace.max_draws_);
    const std::size_t size = static_cast<std::size_t>(n) * front_.size();
    if (front_.length() > 0) {
        front_.forward_draws(
            weights.size(), [&](std::size_t d) { return weights[d].data(); }, inputs, n, workspace.front_, dropout,
            workspace.front_outputs_.data());
    }
    for (std::size_t d = 0; d < weights.size(); ++d) {
        const T* x = front_.length() > 0 ? workspace.front_outputs_.data() + d * size : inputs;
        read(d, forward_from(weights[d], x, n, workspace, dropout.empty() ? std::nullopt : std::optional(dropout[d])));
    }
}

template <class T>
std::span<const T> Network<T>::forward_from(std::span<const T> weights, const T* x, int n, Workspace& workspace,
                                            const std::optional<DropoutNoise>& dropout) const
{
    workspace.n_            = n;
    workspace.dropped_      = dropout.has_value();
    workspace.inputs_       = x;
    const auto pass_through = [&](std::size_t s, StagePass<T>& pass, const T* from, Rows rows) {
        const Stage<T>& stage = *steps_[s].stage;
        pass.dropout          = dropout ? &*dropout : nullptr;
        stage.forward(pass, planes_of(from, rows.first, stage.in()),
                      planes_of(workspace.outputs_[s].data(), rows.first, stage.out()));
    };
    for (std::size_t s = 0; s < steps_.size(); ++s) {
        if (!active(s, workspace))
            continue;   // the next step reads the same values
        T* y = workspace.outputs_[s].data();
        if (const auto& dense = steps_[s].dense) {
            // Following pointwise layers are applied to each tile while it is in the cache, if it
            // has whole rows.
            const std::size_t first = s + 1,
                              end   = dense->forward_makes_rows(n) ? after_pointwise(first, workspace) : first;
            dense->forward(weights.data(), x, y, n, [&](TileRange tile) {
                const T* from = y;
                for (std::size_t p = first; p < end; ++p)
                    if (active(p, workspace)) {
                        const Rows rows{tile.row_begin, tile.row_end - tile.row_begin};
                        StagePass<T> pass{.weights = weights.data(),
                                          .first   = rows.first,
                                          .n       = rows.n,
                                          .memory  = workspace.stages_[p].get()};
                        pass_through(p, pass, from, rows);
                        from = workspace.outputs_[p].data();
                    }
            });
            for (; s + 1 < end; ++s)
                if (active(s + 1, workspace))
                    y = workspace.outputs_[s + 1].data();
        } else {
            for_rows(s, weights.data(), workspace,
                     [&](StagePass<T>& pass, Rows rows) { pass_through(s, pass, x, rows); });
        }
        x = y;
    }
    return {x, static_cast<std::size_t>(n) * architecture_.outputs()};
}

template <class T>
void Network<T>::pull_back(std::size_t s, const T* weights, T* gradient, T* down, Workspace& workspace) const
{
    const Stage<T>& stage = *steps_[s].stage;
    const T *x = input_of(s, workspace), *y = workspace.outputs_[s].data();
    for_rows(s, weights, workspace, [&](StagePass<T>& pass, Rows rows) {
        const Planes<T> dx = planes_of(down, rows.first, stage.in());
        Planes<T> dy       = planes_of(gradient, rows.first, stage.out());
        if (stage.pointwise()) {
            if (down != gradient)
                std::copy_n(dy.data, std::ptrdiff_t{rows.n} * stage.out().size(), dx.data);
            dy = dx;
        }
        stage.backward(pass, planes_of(x, rows.first, stage.in()), planes_of(y, rows.first, stage.out()), dy, dx, {});
    });
}

template <class T>
void Network<T>::through_activation(std::size_t s, T* gradient, const Workspace& workspace) const
{
    if (!steps_[s].has_activation())
        return;
    const T* y = workspace.outputs_[s].data();
    parallel_chunks(static_cast<std::size_t>(workspace.n_) * steps_[s].out(), elementwise_chunk,
                    [&](std::size_t begin, std::size_t end) {
        steps_[s].dense->through_activation(y + begin, gradient + begin, end - begin);
    });
}

template <class T>
void Network<T>::backward(std::span<const T> weights, std::span<const T> output_gradient, Workspace& workspace,
                          std::span<T> weight_gradient, std::span<T> input_gradient) const
{
    const int n = workspace.n_;
    assert((weight_gradient.empty() || weight_gradient.size() == layout_.size())
           && output_gradient.size() == static_cast<std::size_t>(n) * architecture_.outputs());
    // The gradient stops at the lowest dense layer, unless the caller or a convolutional trunk with
    // weights needs it.
    const bool has_front    = front_.length() > 0;
    const bool to_the_end   = !input_gradient.empty() || (has_front && front_.n_weights() > 0);
    T* const gradient_below = has_front ? workspace.front_.output_gradient() : input_gradient.data();

    const T* gradient = output_gradient
                            .data();   // dL/d (W x + b) of the dense layer at `at`; the last one has no activation
    const auto memory_of = [&](bool lowest) {   // of the gradient below this step
        if (lowest)
            return gradient_below;
        return gradient == workspace.gradient_.data() ? workspace.next_gradient_.data() : workspace.gradient_.data();
    };
    for (std::optional<std::size_t> at = steps_.size() - 1; at;) {
        const DenseStage<T>& dense = *steps_[*at].dense;
        if (*at == lowest_dense_ && !to_the_end) {
            if (!weight_gradient.empty())
                dense.weight_gradient(gradient, input_of(*at, workspace), n, weight_gradient.data());
            break;
        }
        // Operations between this product and the next (pointwise layers, an activation) are
        // applied to each tile while it is in the cache.
        const std::optional<std::size_t> first = below(*at, workspace);
        std::optional<std::size_t> source      = first;
        while (source && steps_[*source].pointwise())
            source = below(*source, workspace);
        T* down         = memory_of(!source);
        const auto done = [&](TileRange tile) {
            for (std::optional<std::size_t> s = first; s != source; s = below(*s, workspace))
                static_cast<const PointwiseStage<T>&>(*steps_[*s].stage)
                    .multiply_by_slope(workspace.stages_[*s].get(), input_of(*s, workspace),
                                       workspace.outputs_[*s].data(), down, dense.in().size(), tile);
            if (source && steps_[*source].has_activation())
                steps_[*source].dense->through_activation(workspace.outputs_[*source].data(), down, tile);
        };
        if (weight_gradient.empty())
            dense.input_gradient(weights.data(), gradient, down, n, done);
        else
            dense.gradients(weights.data(), gradient, input_of(*at, workspace), weight_gradient.data(), down, n, done);
        gradient = down;
        // Other layers need a separate pass.
        while (source && !steps_[*source].dense) {
            const std::optional<std::size_t> next = below(*source, workspace);
            T* further                            = next && steps_[*source].pointwise() ? down : memory_of(!next);
            pull_back(*source, weights.data(), down, further, workspace);
            if (next)
                through_activation(*next, further, workspace);
            gradient = down = further;
            source          = next;
        }
        at = source;
    }
    if (has_front && to_the_end)
        front_.backward(weights.data(), workspace.front_, weight_gradient.empty() ? nullptr : weight_gradient.data(),
                        input_gradient.data());
}

template <class T>
void Network<T>::layer_gradients(std::span<const T> weights, std::span<const T> output_gradients, int columns,
                                 Workspace& workspace, LayerGradients<T>& reader, int lowest_layer) const
{
    const int n = workspace.n_;
    assert(!workspace.dropped_
           && output_gradients.size() == static_cast<std::size_t>(columns) * n * architecture_.outputs());
    const std::size_t rows = static_cast<std::size_t>(columns) * n;
    workspace.provide_columns(*this, rows);
    T* gradient = workspace.columns_[0].data();
    T* free     = workspace.columns_[1].data();
    std::copy(output_gradients.begin(), output_gradients.end(), gradient);
    int layer = layout_.n_layers();
    for (std::size_t s = steps_.size(); s-- > 0;) {
        if (!active(s, workspace))
            continue;
        const Step& step  = steps_[s];
        const auto column = [&](T* of, int c, int width) { return of + static_cast<std::ptrdiff_t>(c) * n * width; };
        if (!step.dense) {
            T* down = step.pointwise() ? gradient : free;
            for (int c = 0; c < columns; ++c)
                pull_back(s, weights.data(), column(gradient, c, step.out()), column(down, c, step.in()), workspace);
            if (down == free)
                std::swap(gradient, free);
            continue;
        }
        for (int c = 0; c < columns; ++c)
            through_activation(s, column(gradient, c, step.out()), workspace);
        reader.dense(--layer, input_of(s, workspace), gradient, columns, n, step.in(), step.out());
        if (layer <= lowest_layer)
            return;
        step.dense->input_gradient(weights.data(), gradient, free, static_cast<int>(rows), [](TileRange) {});
        std::swap(gradient, free);
    }
    if (front_.n_weights() > 0)
        front_.layer_gradients(weights.data(), workspace.front_, gradient, columns, reader, lowest_layer);
}

template <class T>
std::span<const T> Network<T>::features(const Workspace& workspace) const
{
    const std::size_t last = steps_.size() - 1;
    return {input_of(last, workspace), static_cast<std::size_t>(workspace.n_) * steps_[last].in()};
}

template <class T>
std::optional<int> Network<T>::first_layer_not_finite(const Workspace& workspace) const
{
    int layer = front_.n_weight_layers();
    if (layer > 0)
        if (const auto found = front_.first_layer_not_finite(workspace.front_))
            return found;
    for (std::size_t s = 0; s < steps_.size(); ++s) {
        if (!steps_[s].dense)
            continue;
        const T* out           = workspace.outputs_[s].data();
        const std::size_t size = static_cast<std::size_t>(workspace.n_) * steps_[s].out();
        if (!std::all_of(out, out + size, [](T value) { return std::isfinite(value); }))
            return layer;
        ++layer;
    }
    return std::nullopt;
}

template <class T>
std::span<const T> Network<T>::forward_drawn(int draws, function_ref<const T*(std::size_t)> front_weights,
                                             DrawnDense<T>& dense, const T* input, Workspace& workspace,
                                             std::span<const DropoutNoise> dropout) const
{
    assert(draws >= 1 && draws <= workspace.max_batch_ && (front_.length() == 0 || workspace.max_draws_ == 1));
    workspace.n_       = draws;
    workspace.dropped_ = !dropout.empty();
    const T* x         = input;
    bool same          = true;   // true while the input is the same in all samples
    if (front_.length() > 0) {
        front_.forward_draws(static_cast<std::size_t>(draws), front_weights, input, 1, workspace.front_, dropout,
                             workspace.front_outputs_.data());
        x    = workspace.front_outputs_.data();
        same = false;
    }
    int layer = front_.n_weight_layers();
    for (std::size_t s = 0; s < steps_.size(); ++s) {
        if (!active(s, workspace))
            continue;
        const Step& step = steps_[s];
        T* y             = workspace.outputs_[s].data();
        if (step.dense) {
            dense.outputs(layer++, x, same, y, draws);
            step.dense->activate(y, static_cast<std::size_t>(draws) * static_cast<std::size_t>(step.out()));
        } else {
            workspace.scratch_.provide(1, [] { return StageScratch<T>{}; });
            typename WorkspacePool<StageScratch<T>>::Lease scratch(workspace.scratch_);
            const ScratchSize size = step.stage->scratch(1);
            sized((*scratch).columns, size.columns);
            sized((*scratch).inner, size.inner);
            for (int d = 0; d < draws; ++d)   // each with its own masks
                step.stage->forward({.weights = nullptr,
                                     .first   = 0,
                                     .n       = 1,
                                     .memory  = workspace.stages_[s].get(),
                                     .scratch = &*scratch,
                                     .dropout = dropout.empty() ? nullptr : &dropout[static_cast<std::size_t>(d)]},
                                    planes_of(x, same ? 0 : d, step.stage->in()), planes_of(y, d, step.stage->out()));
        }
        x    = y;
        same = false;
    }
    return {x, static_cast<std::size_t>(draws) * static_cast<std::size_t>(architecture_.outputs())};
}

template std::span<const float> Network<float>::forward_drawn(int, function_ref<const float*(std::size_t)>,
                                                              DrawnDense<float>&, const float*, Workspace&,
                                                              std::span<const DropoutNoise>) const;
template std::span<const double> Network<double>::forward_drawn(int, function_ref<const double*(std::size_t)>,
                                                                DrawnDense<double>&, const double*, Workspace&,
                                                                std::span<const DropoutNoise>) const;

template class Network<float>;
template class Network<double>;

}   // namespace credence
