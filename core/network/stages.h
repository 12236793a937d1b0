// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/stage.h"
#include "network/architecture.h"

#include <memory>
#include <vector>

namespace credence {

/// @param weight_layer  number of layers with weights below
inline StagePlace place_of(ImageShape in, ImageShape out, std::size_t number, const ParameterLayout& layout,
                           int weight_layer, SavedImage saved = {})
{
    if (weight_layer >= layout.n_layers())
        return {in, out, number, 0, 0, saved};   // no further layer
    const auto [weights, biases] = layout.layer(weight_layer);
    return {in, out, number, weights.begin, biases.begin, saved};
}

/// Makes the stage of a layer; null if it has no effect.
template <class T>
std::unique_ptr<Stage<T>> stage_of(const Layer& layer, const StagePlace& place)
{
    auto stage            = std::visit([&](const auto& kind) { return kind.template stage<T>(place); }, layer);
    const bool sees_saved = stage && stage->in().channels > place.in.channels;   // 'swap' and 'add'
    if (stage && place.saved.channels > 0 && !sees_saved)
        return pass_saved_through<T>(std::move(stage), place);
    return stage;
}

/// Appends the stage of a layer; none if the stage below includes the layer, or if it has no
/// effect.
template <class T>
void append_stage(std::vector<std::unique_ptr<Stage<T>>>& stages, const Layer& layer, const StagePlace& place)
{
    if (const auto* activation = std::get_if<Activation>(&layer);
        activation && !stages.empty() && stages.back()->absorb_activation(activation->kind))
        return;
    if (auto stage = stage_of<T>(layer, place))
        stages.push_back(std::move(stage));
}

}   // namespace credence
