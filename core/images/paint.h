// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace credence {

/// A place in an image, in pixels; the centre of the upper left pixel is (0, 0).
struct PixelPoint {
    double x = 0, y = 0;
};

using Colour = std::array<float, 3>;   ///< red, green, blue, 0 to 255

/// Covers the area of a convex polygon: 1 inside, 0 outside, and across its edge as far as the signed distance d to the nearest edge says, ½ − d / (2 soft).
/// @param corners  at least 3, in either sense of rotation; fewer cover nothing
/// @param soft     half the width of the edge in pixels, > 0; ½ is plain antialiasing
/// @param out      [height × width], overwritten, 0 to 1
void cover_convex(std::span<const PixelPoint> corners, double soft, std::size_t height, std::size_t width,
                  std::span<float> out);

/// Lays a colour over a picture where `cover` is above 0: c + cover · opacity · (colour − c).
/// @param picture  [3 × pixels]
/// @param cover    [pixels], 0 to 1
void paint(std::span<float> picture, std::span<const float> cover, const Colour& colour, double opacity = 1);

/// The mean over `length` pixels along a line: what a camera that moves sees. Bilinear between pixels; beyond the border the border goes on.
/// @param picture  [3 × height × width], in place
/// @param right, down  the way in pixels; shorter than a hundredth of a pixel: nothing happens
void blur_along(std::span<float> picture, std::size_t height, std::size_t width, double right, double down);

}   // namespace credence
