// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kind.h"

#include <cstddef>
#include <span>

namespace credence {

/// y = W x + b. An image is flattened channel by channel, row by row. Weights are stored neuron by
/// neuron [units × inputs].
struct Dense {
    int units = 100;
    /// The last units whose weights are ignored: each equals its bias for every input.
    int constant                        = 0;
    bool operator==(const Dense&) const = default;

    static constexpr const char* syntax    = "dense UNITS";
    static constexpr const char* words     = "dense";
    static constexpr const char* json_name = "dense";
    static constexpr bool needs_image = false, has_weights = true;

    static constexpr bool has_noise() { return false; }
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::zero; }
    void pass(Flow& flow) const;
    LayerWeights layer_weights(ImageShape in, ImageShape) const { return {"dense", in.size(), units, units}; }
    std::string text() const
    {
        return "dense " + std::to_string(units) + (constant > 0 ? " constant " + std::to_string(constant) : "");
    }
    static std::optional<Dense> from_text(LayerWords& words);
    LayerJsonMembers json() const
    {
        LayerJsonMembers members{{json_name, units}};
        if (constant > 0)
            members.emplace_back("constant", constant);
        return members;
    }
    static Dense from_json(const LayerJson& json) { return {json.whole(json_name), json.whole("constant", 0)}; }
    /// A DenseStage, which absorbs the activation that follows.
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

/// Flattens an image to a vector, channel by channel, row by row. Dense layers also do this
/// implicitly.
struct Flatten : LinearWord<Flatten> {
    static constexpr const char *syntax = "flatten", *words = "flatten", *json_name = "flatten";
    static constexpr bool needs_image = false;
    void pass(Flow& flow) const { flow.become_vector(flow.shape.size()); }
    /// No stage: the numbers are already in the order that the next layer reads.
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace&) const
    {
        return nullptr;
    }
};

}   // namespace credence
