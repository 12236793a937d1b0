// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace credence {

/// A point in an image, in pixels; the centre of the upper-left pixel is (0, 0).
struct PixelPoint {
    double x = 0, y = 0;
};

using Colour = std::array<float, 3>;   ///< red, green, blue, 0 to 255

/// Computes the coverage of a convex polygon: 1 inside and 0 outside. Near the edge it is ½ − d /
/// (2 soft), where d is the signed distance to the nearest edge.
/// @param corners  at least 3, in either orientation; fewer cover nothing
/// @param soft     half the width of the edge in pixels, > 0; ½ is plain antialiasing
/// @param out      [height × width], overwritten, 0 to 1
void cover_convex(std::span<const PixelPoint> corners, double soft, std::size_t height, std::size_t width,
                  std::span<float> out);

/// Blends a colour over an image where `cover` is above 0: c + cover · opacity · (colour − c).
/// @param picture  [3 × pixels]
/// @param cover    [pixels], 0 to 1
void paint(std::span<float> picture, std::span<const float> cover, const Colour& colour, double opacity = 1);

/// Motion blur: the mean along the line (right, down), with bilinear interpolation. The border
/// pixels extend beyond the image.
/// @param picture  [3 × height × width], in place
/// @param right, down  extent in pixels; no effect if shorter than a hundredth of a pixel
void blur_along(std::span<float> picture, std::size_t height, std::size_t width, double right, double down);

}   // namespace credence
