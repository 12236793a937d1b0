// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/network.h"

#include "foundation/aligned_vector.h"

#include <cassert>

namespace credence {

template <class T>
std::span<const T> Network<T>::forward_drawn(int draws, function_ref<const T*(std::size_t)> front_weights,
                                             DrawnDense<T>& dense, const T* input, Workspace& workspace,
                                             std::span<const DropoutNoise> dropout) const
{
    assert(draws >= 1 && draws <= workspace.max_batch_ && (front_.length() == 0 || workspace.max_draws_ == 1));
    workspace.n_       = draws;
    workspace.dropped_ = !dropout.empty();
    const T* x         = input;
    bool same          = true;   // the input is still the same in all samples
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

}   // namespace credence
