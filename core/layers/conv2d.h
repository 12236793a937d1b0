// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kind.h"

namespace credence {

/// Cross-correlation with `filters` square kernels over all channels; out = (in + 2 padding -
/// kernel) / stride + 1 along each side, rounded down. Weights are stored kernel by kernel [filters
/// × channels × rows × columns].
struct Conv2d {
    int filters                          = 20;
    int kernel                           = 5;
    int stride                           = 1;
    int padding                          = 0;
    bool operator==(const Conv2d&) const = default;

    static constexpr const char* syntax    = "conv FILTERS KERNEL [stride S] [pad P]";
    static constexpr const char* words     = "conv";
    static constexpr const char* json_name = "conv";
    static constexpr bool needs_image = true, has_weights = true;

    static constexpr bool has_noise() { return false; }
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::zero; }
    void pass(Flow& flow) const;
    LayerWeights layer_weights(ImageShape in, ImageShape out) const;
    std::string text() const;
    static std::optional<Conv2d> from_text(LayerWords& words);
    LayerJsonMembers json() const
    {
        return {{json_name, filters}, {"kernel", kernel}, {"stride", stride}, {"padding", padding}};
    }
    static Conv2d from_json(const LayerJson& json)
    {
        return {json.whole(json_name), json.whole("kernel"), json.whole("stride", 1), json.whole("padding", 0)};
    }
    /// Absorbs the activation that follows.
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

}   // namespace credence
