// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace credence {

// A picture from anywhere, made an input of a net that has learned from other images: of their size and channels, and light on dark if they are.

/// The brightness of an image's border, 0 (black) to 255 (white): 0.299 r + 0.587 g + 0.114 b of the medians of its outermost pixels.
/// @param image  [channels × height × width] of 1 or 3 channels
double border_brightness(std::span<const std::uint8_t> image, const ImageShape& shape);

/// The ground on which images lie: the median of the brightness of their borders, if the middle half of these lies in the dark quarter (below 64) or in the light
/// one (above 191). Empty: they lie on grounds of all kinds, as photographs do, or there are none.
std::optional<double> shared_ground(std::vector<double> borders);

/// What `prepared_picture` made, and what it did.
struct PreparedPicture {
    std::vector<std::uint8_t> pixels;   ///< [channels × height × width] as asked for
    double border = 0;                  ///< border_brightness before it was inverted
    bool inverted = false;              ///< p is 255 - p
    bool widened  = false;   ///< it stands between strips in the colour of its border, so that it keeps its proportions
};

/// The picture at the size and with the channels of the images that a net has learned from, by the one filter (`resized`).
///
/// If these share a ground, a picture of other proportions keeps them on the colour of its border, and it is inverted if its border is on the other side of
/// the middle (127.5) than their ground. Else it is stretched, as imported pictures are, and not inverted.
/// @param picture  [channels × height × width] of 1 or 3 channels, as `from` says
/// @param ground   shared_ground of the images
/// @param invert   in place of that decision
/// @throws Error   "found an empty image, expected at least one pixel." and the like if the sizes do not fit
PreparedPicture prepared_picture(std::span<const std::uint8_t> picture, const ImageShape& from, const ImageShape& to,
                                 std::optional<double> ground, std::optional<bool> invert = {});

/// Light for dark: 255 - p for every number p. Twice is the image itself.
std::vector<std::uint8_t> inverted(std::span<const std::uint8_t> image);

}   // namespace credence
