// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kind.h"

namespace credence {

/// Converts colour to grey: the luma y = 0.299 r + 0.587 g + 0.114 b of each pixel (ITU-R BT.601).
/// Grey images pass unchanged. This preprocessing step (data.grey) is part of the network, so
/// pictures, disturbances and attacks apply to the original image and gradients pass through the
/// step.
struct Grey : LinearWord<Grey> {
    static constexpr const char *syntax = "grey", *words = "grey", *json_name = "grey";
    static constexpr bool needs_image = true;
    void pass(Flow& flow) const;   ///< 1 or 3 channels
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

/// Local normalisation (images/image_transforms.h): each pixel minus the mean of the SIZE × SIZE
/// window around it, divided by √(variance + FLOOR²), channel by channel. Windows are clipped at
/// the border. This preprocessing step (data.local_normalisation) is part of the network, so
/// pictures, disturbances and attacks apply to the original image and gradients pass through the
/// step.
struct LocalNorm {
    int size                                = 9;
    double floor                            = 0.02;   ///< in the units of the input
    bool operator==(const LocalNorm&) const = default;

    static constexpr const char* syntax    = "localnorm SIZE FLOOR";
    static constexpr const char* words     = "localnorm";
    static constexpr const char* json_name = "local_norm";
    static constexpr bool needs_image = true, has_weights = false;

    static constexpr bool has_noise() { return false; }
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::unknown; }
    void pass(Flow& flow) const;
    std::string text() const;
    static std::optional<LocalNorm> from_text(LayerWords& words);
    LayerJsonMembers json() const { return {{json_name, size}, {"floor", floor}}; }
    static LocalNorm from_json(const LayerJson& json) { return {json.whole(json_name), json.number("floor")}; }
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

}   // namespace credence
