// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kind.h"

namespace credence {

/// Local response normalisation within a channel:
///     y = x s^-β,   s = 1 + (α / size²) Σ x²
/// summed over the surrounding size × size values, with zeros beyond the border. The derivative and
/// its transpose, with sums over the same values:
///     dy = dx s^-β - (2 α β / size²) x s^(-β-1) Σ x dx
///     dx = dy s^-β - (2 α β / size²) x Σ dy x s^(-β-1)
struct ResponseNorm {
    int size                                   = 3;
    double alpha                               = 5e-5;
    double beta                                = 0.75;
    bool operator==(const ResponseNorm&) const = default;

    static constexpr const char* syntax    = "norm SIZE ALPHA BETA";
    static constexpr const char* words     = "norm";
    static constexpr const char* json_name = "response_norm";
    static constexpr bool needs_image = true, has_weights = false;

    static constexpr bool has_noise() { return false; }
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::unknown; }
    void pass(Flow& flow) const;
    std::string text() const;
    static std::optional<ResponseNorm> from_text(LayerWords& words);   ///< accepts "lrn" as a synonym for "norm"
    LayerJsonMembers json() const { return {{json_name, size}, {"alpha", alpha}, {"beta", beta}}; }
    static ResponseNorm from_json(const LayerJson& json)
    {
        return {json.whole(json_name), json.number("alpha"), json.number("beta")};
    }
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

}   // namespace credence
