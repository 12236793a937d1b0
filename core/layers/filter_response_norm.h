// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kind.h"

namespace credence {

/// Filter response normalisation of each channel of each image, without weights:
///     y = r x,   r = 1 / √(ν² + ε),   ν² = mean of x² over the height × width positions
/// It needs no other image of the batch, so an image has the same outputs alone and in a batch.
/// With m(·) the mean over the positions, its symmetric Jacobian and second derivative:
///     dy = r u - r³ m(x u) x
///     d²: -r³ (m(x u) v + m(x v) u + m(u v) x) + 3 r⁵ m(x u) m(x v) x
/// The scale γ, shift β and threshold τ of the paper are omitted: if a ReLU follows, the next
/// convolution can absorb γ, and the biases of the previous convolution shift the threshold.
/// Source: Singh and Krishnan 2020
struct FilterResponseNorm {
    double epsilon                                   = 1e-6;
    bool operator==(const FilterResponseNorm&) const = default;

    static constexpr const char* syntax    = "frn [EPSILON]";
    static constexpr const char* words     = "frn";
    static constexpr const char* json_name = "filter_response_norm";
    static constexpr bool needs_image = true, has_weights = false;

    static constexpr bool has_noise() { return false; }
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::known; }
    void pass(Flow& flow) const;
    std::string text() const;
    static std::optional<FilterResponseNorm> from_text(LayerWords& words);
    LayerJsonMembers json() const { return {{json_name, epsilon}}; }
    static FilterResponseNorm from_json(const LayerJson& json) { return {json.number(json_name)}; }
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

}   // namespace credence
