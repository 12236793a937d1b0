// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace credence {

// The ways in which one writes a sign, as points that the pen passes. Our own drawings; x to the right, y down, about 60 wide and 100 high.

struct PenPoint {
    double x = 0, y = 0;
    bool corner = false;   ///< the pen stops and turns; elsewhere the line is smooth
};
using PenStroke = std::vector<PenPoint>;

struct StrokeShape {
    int weight = 1;   ///< how often, beside the other shapes of its sign
    std::vector<PenStroke> strokes;
};

/// Ten signs, each with two or more shapes.
using StrokeSigns = std::vector<std::vector<StrokeShape>>;
const StrokeSigns& digit_shapes();   ///< 0 to 9: 4 open and closed, 7 with and without bar, 1 with and without serif, …
const StrokeSigns& letter_shapes();   ///< A to J

}   // namespace credence
