// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "images/stroke_shapes.h"

#include <string>
#include <vector>

namespace credence {

enum class SignInk { red, white, blue, yellow, black, green, grey };

/// One layer of paint. x to the right, y down, the sign about 1 in radius round (0, 0).
struct SignPart {
    SignInk ink = SignInk::black;
    PenStroke points;   ///< the corners of a convex area, or a line
    double pen = 0;     ///< half the width of the line; 0: an area
};

/// A sign as it is printed: its parts lie one over the other, the first at the bottom.
struct SignDesign {
    std::string name;   ///< "Speed limit 30"
    std::vector<SignPart> parts;
};

/// Two dozen signs, our own drawings after the European ones: shape × colour × pictogram. Their numbers are their classes.
const std::vector<SignDesign>& sign_designs();

}   // namespace credence
