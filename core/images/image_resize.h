// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"

#include <cstdint>
#include <span>
#include <vector>

namespace credence {

/// Resizes an image and converts its channels. Training images and out-of-distribution images use
/// the same filter, so that it cannot cause differences between them. Each pixel is the mean over
/// its area of the source, rounded to a byte (halves up). Then colour becomes grey, 0.299 r + 0.587
/// g + 0.114 b (ITU-R BT.601), or grey is repeated in three channels. Integer arithmetic gives the
/// same bytes on every machine.
/// @param image  [channels × height × width] with 1 or 3 channels, shape as in `from`
std::vector<std::uint8_t> resized(std::span<const std::uint8_t> image, const ImageShape& from, const ImageShape& to);

}   // namespace credence
