// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kind.h"

namespace credence {

/// Flattens an image to a vector, channel by channel, row by row. Dense layers also do this
/// implicitly.
struct Flatten {
    bool operator==(const Flatten&) const = default;

    static constexpr const char* syntax    = "flatten";
    static constexpr const char* words     = "flatten";
    static constexpr const char* json_name = "flatten";
    static constexpr bool needs_image = false, has_weights = false;

    static constexpr bool has_noise() { return false; }
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::zero; }
    void pass(Flow& flow) const { flow.become_vector(flow.shape.size()); }
    std::string text() const { return "flatten"; }
    static std::optional<Flatten> from_text(LayerWords& words)
    {
        return words.take("flatten") ? std::optional(Flatten{}) : std::nullopt;
    }
    LayerJsonMembers json() const { return {{json_name, true}}; }
    static Flatten from_json(const LayerJson&) { return {}; }
    /// No stage: the numbers are already in the order that the next layer reads.
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace&) const
    {
        return nullptr;
    }
};

}   // namespace credence
