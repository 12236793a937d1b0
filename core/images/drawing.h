// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"
#include "images/stroke_ink.h"

#include <vector>

namespace credence {

/// One stroke of the pen or the eraser. Points are in pixels of the final image; the centre of the
/// upper-left pixel is (0, 0).
struct DrawnStroke {
    InkLine line;
    bool erases = false;
};

/// Renders the strokes in order as an image of this shape: white on black, 0 to 255, all channels
/// equal.
std::vector<float> drawn_image(const std::vector<DrawnStroke>& strokes, ImageShape shape);

/// The same, normalised like MNIST digits (LeCun et al. 1998). The drawing, including its line
/// width, is scaled so that its bounding box fits 20 of 28 pixels. It is then shifted so that its
/// centre of mass is at the image centre. The magnification is at most three, so that a dot stays a
/// dot. Without visible strokes the image is black.
std::vector<float> centred_drawing(const std::vector<DrawnStroke>& strokes, ImageShape shape);

}   // namespace credence
