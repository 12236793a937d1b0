// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"

#include <array>
#include <cstddef>
#include <cstdint>
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
