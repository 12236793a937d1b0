// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace credence {

/// The shape of one image, or of the values between two layers: channel by channel, row by row. A
/// plain vector of n numbers is n × 1 × 1.
struct ImageShape {
    int channels = 1;
    int height   = 1;
    int width    = 1;

    int size() const { return channels * height * width; }
    bool operator==(const ImageShape&) const = default;
};

}   // namespace credence
