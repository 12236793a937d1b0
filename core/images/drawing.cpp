// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/drawing.h"

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

constexpr double soft = 0.75;   // same edge width as the stroke digits

/// Intensity, 0 to 1 [height × width].
std::vector<float> light_of(const std::vector<DrawnStroke>& strokes, double edge, std::size_t height, std::size_t width)
{
    std::vector<float> light(height * width, 0.0f), ink(height * width);
    for (const DrawnStroke& stroke : strokes) {
        draw_ink({&stroke.line, 1}, edge, height, width, ink);
        for (std::size_t i = 0; i < light.size(); ++i)
            light[i] = stroke.erases ? light[i] * (1 - ink[i]) : std::max(light[i], ink[i]);
    }
    return light;
}

/// p → (p − from) · scale + to
void move(std::vector<DrawnStroke>& strokes, double from_x, double from_y, double scale, double to_x, double to_y)
{
    for (DrawnStroke& stroke : strokes)
        for (InkPoint& p : stroke.line)
            p = {(p.x - from_x) * scale + to_x, (p.y - from_y) * scale + to_y, p.radius * scale};
}

struct Extent {
    double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300, x = 0, y = 0, mass = 0;
};

/// Bounding box of all pixels with an intensity of at least one half, and centre of mass of the
/// intensity; in pixels.
Extent extent_of(const std::vector<float>& light, std::size_t width)
{
    Extent out;
    for (std::size_t i = 0; i < light.size(); ++i) {
        if (light[i] <= 0)
            continue;
        const auto x = static_cast<double>(i % width), y = static_cast<double>(i / width);
        out.mass += light[i];
        out.x += light[i] * x;
        out.y += light[i] * y;
        if (light[i] >= 0.5f) {
            out.left   = std::min(out.left, x);
            out.right  = std::max(out.right, x);
            out.top    = std::min(out.top, y);
            out.bottom = std::max(out.bottom, y);
        }
    }
    if (out.mass > 0)
        out.x /= out.mass, out.y /= out.mass;
    return out;
}

std::vector<float> as_image(const std::vector<float>& light, ImageShape shape)
{
    std::vector<float> out;
    for (int c = 0; c < shape.channels; ++c)
        for (const float value : light)
            out.push_back(255 * value);
    return out;
}

}   // namespace

std::vector<float> drawn_image(const std::vector<DrawnStroke>& strokes, ImageShape shape)
{
    return as_image(
        light_of(strokes, soft, static_cast<std::size_t>(shape.height), static_cast<std::size_t>(shape.width)), shape);
}

std::vector<float> centred_drawing(const std::vector<DrawnStroke>& strokes, ImageShape shape)
{
    // Rendered at four times the resolution to find bounding box and centre of mass with subpixel
    // precision. Pixel i covers fine pixels 4i to 4i + 3.
    constexpr double fine = 4;
    const auto height = static_cast<std::size_t>(shape.height), width = static_cast<std::size_t>(shape.width);
    auto moved = strokes;
    move(moved, 0, 0, fine, (fine - 1) / 2, (fine - 1) / 2);
    const auto extent = extent_of(light_of(moved, soft, 4 * height, 4 * width), 4 * width);
    if (!(extent.mass > 0) || extent.right < extent.left)
        return drawn_image(strokes, shape);

    const double box   = std::min(shape.height, shape.width) * 20.0 / 28.0;
    const double side  = (std::max(extent.right - extent.left, extent.bottom - extent.top) + 1) / fine;
    const double scale = std::min(3.0, box / side);
    moved              = strokes;
    move(moved, (extent.x - (fine - 1) / 2) / fine, (extent.y - (fine - 1) / 2) / fine, scale, (shape.width - 1) / 2.0,
         (shape.height - 1) / 2.0);
    return drawn_image(moved, shape);
}

}   // namespace credence
