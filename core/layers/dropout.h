// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kind.h"
#include "random/noise.h"

#include <cstdint>

namespace credence {

/// Sets each input to zero with probability `rate` and scales the others by 1/(1 - rate), with one
/// mask per example.
struct Dropout {
    double rate                           = 0.5;
    bool operator==(const Dropout&) const = default;

    static constexpr const char* syntax    = "dropout RATE";
    static constexpr const char* words     = "dropout";
    static constexpr const char* json_name = "dropout";
    static constexpr bool needs_image = false, has_weights = false;

    bool has_noise() const { return rate > 0; }
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::zero; }
    void pass(Flow& flow) const;
    std::string text() const;
    static std::optional<Dropout> from_text(LayerWords& words);
    LayerJsonMembers json() const { return {{json_name, rate}}; }
    static Dropout from_json(const LayerJson& json) { return {json.number(json_name)}; }
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

/// Source of dropout masks: uniform number (layer, first_row + row, unit) of the key, one mask per
/// example.
struct DropoutNoise {
    NoiseKey key;
    std::uint64_t first_row = 0;   ///< data-set row of the batch's row 0; predictions do not depend on the batch split

    /// The index of the uniform for row `row` of the batch, unit 0, in stage `stage` of the
    /// network, which is `width` units wide.
    std::uint64_t number(std::size_t stage, int row, int width) const
    {
        return (static_cast<std::uint64_t>(stage) << 40)
               + (first_row + static_cast<std::uint64_t>(row)) * static_cast<std::uint64_t>(width);
    }
};

}   // namespace credence
