// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"
#include "images/stroke_ink.h"

#include <vector>

namespace credence {

/// One movement of the pen, or of the eraser. Points in pixels of the image that is to be made; the centre of the upper left pixel is (0, 0).
struct DrawnStroke {
    InkLine line;
    bool erases = false;
};

/// Strokes as an image of this shape, numbers 0 to 255, white on black, in the order in which they were made; all channels alike.
std::vector<float> drawn_image(const std::vector<DrawnStroke>& strokes, ImageShape shape);

/// The same, brought into place as MNIST's digits were (LeCun et al. 1998): what is to be seen is scaled, the width of the pen with it, so that its box
/// just fits 20 of 28 pixels, and shifted so that the centre of its mass lies in the middle. Scaled up at most three times, so that a dot stays
/// a dot. Nothing drawn: black.
std::vector<float> centred_drawing(const std::vector<DrawnStroke>& strokes, ImageShape shape);

}   // namespace credence
