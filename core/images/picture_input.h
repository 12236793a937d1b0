// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"

#include <cstdint>
#include <optional>
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

// Converts any picture to an input for a network trained on other images: it adapts the size and
// the channels and, if those images are light on dark, the polarity.

/// Border brightness of an image, 0 (black) to 255 (white): 0.299 r + 0.587 g + 0.114 b of the
/// medians of the outermost pixels.
/// @param image  [channels × height × width] with 1 or 3 channels
double border_brightness(std::span<const std::uint8_t> image, const ImageShape& shape);

/// Returns the common background brightness of a set of images: the median of their border
/// brightness, if the middle half of the values is in the darkest quarter (below 64) or the
/// lightest (above 191). Empty for mixed backgrounds, as in photographs, and for no images.
std::optional<double> shared_ground(std::vector<double> borders);

/// The result of `prepared_picture` and the changes made.
struct PreparedPicture {
    std::vector<std::uint8_t> pixels;   ///< [channels × height × width] as requested
    double border = 0;                  ///< border_brightness before inversion
    bool inverted = false;              ///< p became 255 - p
    /// Padded in the colour of its border to keep its proportions.
    bool widened = false;
};

/// Converts a picture to the size and channels of the images that a network was trained on, with
/// the filter of `resized`.
///
/// If those images share a background, a picture with other proportions is padded in the colour of
/// its border. It is inverted if the brightness of its border and of their background are on
/// opposite sides of 127.5. Otherwise it is stretched, like imported pictures, and not inverted.
/// @param picture  [channels × height × width] with 1 or 3 channels, shape as in `from`
/// @param ground   shared_ground of the images
/// @param invert   overrides the decision whether to invert
/// @throws Error   "found an empty image, expected at least one pixel." and the like if the sizes
///                 do not match
PreparedPicture prepared_picture(std::span<const std::uint8_t> picture, const ImageShape& from, const ImageShape& to,
                                 std::optional<double> ground, std::optional<bool> invert = {});

/// Inverts an image: 255 - p for every value p.
std::vector<std::uint8_t> inverted(std::span<const std::uint8_t> image);

}   // namespace credence
