// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kind.h"

namespace credence {

/// Converts colour to grey: the luma y = 0.299 r + 0.587 g + 0.114 b of each pixel (ITU-R BT.601).
/// Grey images pass unchanged. This preprocessing step (data.grey) is part of the network, so
/// pictures, disturbances and attacks apply to the original image and gradients pass through the
/// step.
struct Grey {
    bool operator==(const Grey&) const = default;

    static constexpr const char* syntax    = "grey";
    static constexpr const char* words     = "grey";
    static constexpr const char* json_name = "grey";
    static constexpr bool needs_image = true, has_weights = false;

    static constexpr bool has_noise() { return false; }
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::zero; }
    void pass(Flow& flow) const;   ///< 1 or 3 channels
    std::string text() const { return "grey"; }
    static std::optional<Grey> from_text(LayerWords& words)
    {
        return words.take("grey") ? std::optional(Grey{}) : std::nullopt;
    }
    LayerJsonMembers json() const { return {{json_name, true}}; }
    static Grey from_json(const LayerJson&) { return {}; }
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

}   // namespace credence
