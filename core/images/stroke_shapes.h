// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace credence {

// Handwriting variants of each character, as pen positions. Drawn for this program; x to the right,
// y down, about 60 wide and 100 high.

struct PenPoint {
    double x = 0, y = 0;
    bool corner = false;   ///< the pen stops and turns; elsewhere the line is smooth
};
using PenStroke = std::vector<PenPoint>;

struct StrokeShape {
    int weight = 1;   ///< relative frequency among the shapes of its character
    std::vector<PenStroke> strokes;
};

/// Ten characters, each with two or more shapes.
using StrokeSigns = std::vector<std::vector<StrokeShape>>;
/// 0 to 9: open and closed 4, 7 with and without bar, 1 with and without serif, …
const StrokeSigns& digit_shapes();
const StrokeSigns& letter_shapes();   ///< A to J

}   // namespace credence
