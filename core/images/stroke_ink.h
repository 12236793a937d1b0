// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "images/stroke_shapes.h"

#include <cstdint>
#include <span>
#include <vector>

namespace credence {

/// A pen position, in pixels (the centre of the upper-left pixel is (0, 0)), and half the line
/// width there.
struct InkPoint {
    double x = 0, y = 0, radius = 1;
};
using InkLine = std::vector<InkPoint>;

/// A smooth line through the points of a stroke (Catmull–Rom, broken at corners), with `steps`
/// segments between two points. The radius is 1 everywhere.
InkLine pen_path(const PenStroke& stroke, int steps);

/// Scales all lines so that their longer side is `size` pixels, and moves their centre of mass to
/// the centre of an image of `pixels` × `pixels`. MNIST digits were normalised to 28×28 in this way
/// (size 20).
void fit_ink(std::span<InkLine> lines, double size, double pixels);

/// Draws white on black. The intensity depends on the distance d to the nearest line: 1 for d <=
/// radius - soft, 0 for d >= radius + soft.
/// @param out  [height × width], overwritten, 0 to 1
void draw_ink(std::span<const InkLine> lines, double soft, std::size_t height, std::size_t width, std::span<float> out);

}   // namespace credence
