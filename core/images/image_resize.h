// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"

#include <cstdint>
#include <span>
#include <vector>

namespace credence {

/// The image at another size or with other channels: the one filter for pictures to train on and for out-of-distribution ones, so that a difference
/// between the two is never that of two filters. Each pixel is the mean over its area of the source, rounded to a byte (halves upwards); then grey is
/// 0.299 r + 0.587 g + 0.114 b (ITU-R BT.601), or colour is grey three times. Computed in whole numbers: every machine makes the same bytes.
/// @param image  [channels × height × width] of 1 or 3 channels, as `from` says
std::vector<std::uint8_t> resized(std::span<const std::uint8_t> image, const ImageShape& from, const ImageShape& to);

}   // namespace credence
