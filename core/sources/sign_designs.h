// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "images/strokes.h"

#include <string>
#include <vector>

namespace credence {

enum class SignInk { red, white, blue, yellow, black, green, grey };

/// One layer of paint. x to the right, y down, the sign has a radius of about 1 around (0, 0).
struct SignPart {
    SignInk ink = SignInk::black;
    PenStroke points;   ///< the corners of a convex area, or a line
    double pen = 0;     ///< half the width of the line; 0: an area
};

/// A printed sign: its parts are painted over one another, the first at the bottom.
struct SignDesign {
    std::string name;   ///< "Speed limit 30"
    std::vector<SignPart> parts;
};

/// Two dozen signs, own drawings modelled on European signs: shape × colour × pictogram. Their
/// indices are the classes.
const std::vector<SignDesign>& sign_designs();

}   // namespace credence
