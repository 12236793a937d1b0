// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "random/noise.h"

#include <cstdint>

namespace credence {

/// Where the masks of dropout layers come from: number (layer, first_row + row, unit) of the key's uniforms, one mask per example.
struct DropoutNoise {
    NoiseKey key;
    std::uint64_t first_row =
        0;   ///< row of the data set that row 0 of the batch is, so that predictions do not depend on how inputs are split

    /// Number of the uniform of row `row` of the batch, unit 0, in stage `stage` of a network, `width` units wide.
    std::uint64_t number(std::size_t stage, int row, int width) const
    {
        return (static_cast<std::uint64_t>(stage) << 40)
               + (first_row + static_cast<std::uint64_t>(row)) * static_cast<std::uint64_t>(width);
    }
};

}   // namespace credence
