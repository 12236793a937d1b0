// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "random/noise.h"

#include <cstdint>

namespace credence {

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
