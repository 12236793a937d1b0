// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "images/stroke_shapes.h"

#include <cstdint>
#include <span>
#include <vector>

namespace credence {

/// Where the pen was, in pixels (the centre of the upper left pixel is 0, 0), and half the width of its line there.
struct InkPoint {
    double x = 0, y = 0, radius = 1;
};
using InkLine = std::vector<InkPoint>;

/// A smooth line through the points of a stroke (Catmull–Rom, broken at corners), `steps` pieces between two of them; radius 1 everywhere.
InkLine pen_path(const PenStroke& stroke, int steps);

/// Moves and scales all lines so that they fill a square of `size` pixels with their longer side and their ink has its centre of mass in the middle
/// of a picture of `pixels` × `pixels`: the way MNIST's digits were brought to 28×28 (size 20).
void fit_ink(std::span<InkLine> lines, double size, double pixels);

/// White on black. A pixel is as light as its distance d from the nearest line says: 1 for d <= radius - soft, 0 for d >= radius + soft.
/// @param out  [height × width], overwritten, 0 to 1
void draw_ink(std::span<const InkLine> lines, double soft, std::size_t height, std::size_t width, std::span<float> out);

}   // namespace credence
