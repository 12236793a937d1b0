// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/strokes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace credence {
namespace {

/// Text format of a shape: "x,y" for each point, ! after a corner, | between strokes.
struct Written {
    int sign;
    int weight;
    const char* points;
};

constexpr Written digits[] = {
    {0, 6, "32,0 10,18 2,50 10,84 30,100 50,84 58,50 50,16 30,1"},
    {0, 4, "44,6 22,4 4,34 4,70 24,100 48,88 58,52 50,18 34,0"},
    {0, 1, "32,0 10,18 2,50 10,84 30,100 50,84 58,50 50,16 30,1 | 48,14 12,88"},
    {1, 4, "30,0 30,50 30,100"},
    {1, 2, "36,0 33,50 26,100"},
    {1, 3, "10,24 34,0! 34,50 34,100"},
    {1, 2, "12,22 32,0! 32,50 32,100 | 8,100 56,100"},
    {2, 4, "4,22 16,4 36,0 54,16 50,40 28,70 2,100! 30,98 60,98"},
    {2, 4, "6,20 24,0 50,10 52,36 30,72 8,94 2,88 12,80 30,92 60,98"},
    {2, 3, "6,14 28,0 54,8 50,34 4,100! 30,100 58,100"},
    {3, 4, "4,12 26,0 50,10 48,34 22,46! 50,56 58,78 36,100 4,90"},
    {3, 2, "4,2 54,2! 24,42! 52,52 58,78 34,100 2,90"},
    {3, 3, "6,10 30,0 50,16 42,38 24,46 20,50 28,46 50,58 56,80 32,100 2,88"},
    {4, 3, "10,0 4,52! 30,53 56,54 | 44,20 42,100"},
    {4, 3, "44,0 2,64! 30,64 60,64 | 44,0 44,50 44,100"},
    {4, 2, "40,100 42,50 42,0! 2,62! 30,62 60,62"},
    {4, 3, "8,2 6,30 14,50 34,54 52,46 | 52,4 49,50 46,100"},
    {5, 3, "54,2 12,2! 8,42! 30,36 54,50 56,76 34,100 2,90"},
    {5, 3, "12,4 8,44! 34,38 56,58 50,88 26,100 2,90 | 12,4 56,0"},
    {5, 2, "54,4 24,2 10,20 16,40 44,52 54,76 34,98 2,92"},
    {6, 3, "46,0 20,26 4,60 10,90 32,100 54,84 50,62 28,56 8,72"},
    {6, 3, "40,0 10,40 4,76 24,100 50,90 52,64 32,54 10,66"},
    {6, 2, "54,8 36,0 12,22 4,62 14,94 36,100 56,82 48,60 24,58 6,76"},
    {7, 3, "2,4 30,3 56,2! 40,50 24,100"},
    {7, 3, "2,4 30,3 56,2! 40,50 24,100 | 14,50 54,46"},
    {7, 2, "4,16 6,2! 32,2 58,2! 34,48 26,100"},
    {7, 2, "0,10 20,2 56,6! 36,44 22,100"},
    {8, 4, "46,12 26,0 8,16 22,40 46,58 54,80 30,100 6,84 14,60 40,42 50,22 44,8"},
    {8, 2, "30,46 8,30 14,6 34,0 52,14 46,36 30,46 | 30,46 4,66 8,92 32,100 54,88 54,62 30,46"},
    {8, 3, "52,8 26,0 8,18 24,42 50,64 46,94 20,98 6,78 24,54 50,26 54,10"},
    {9, 3, "50,16 30,0 8,14 6,38 26,50 46,40 52,14! 50,60 44,100"},
    {9, 3, "52,18 34,0 10,10 6,36 24,50 46,38 52,14! 54,62 38,96 8,92"},
    {9, 2, "50,30 26,46 6,28 22,2 50,6! 46,50 42,100"},
};

constexpr Written letters[] = {
    {0, 3, "2,100 30,0! 58,100 | 12,64 50,62"},
    {0, 2, "2,100 6,30 30,0 54,30 58,100 | 6,58 54,58"},
    {0, 2, "52,40 28,34 4,60 10,94 34,96 52,70 | 54,38 52,88 60,100"},
    {1, 3, "6,0 6,50 6,100 | 6,2 40,0 50,22 36,46 8,48! 46,52 56,76 42,98 6,100"},
    {1, 2, "6,100 6,50 6,0! 46,6 44,40 8,48! 56,60 50,94 6,100"},
    {2, 3, "56,16 34,0 8,20 2,54 14,90 38,100 58,84"},
    {2, 2, "50,24 40,2 16,10 4,48 14,88 34,100 60,90"},
    {3, 3, "6,0 6,50 6,100 | 6,0 40,8 58,48 42,92 6,100"},
    {3, 2, "4,0 6,50 8,100! 44,88 56,46 36,8 0,4"},
    {4, 3, "54,2 6,2! 6,50 6,100! 56,98 | 6,48 46,48"},
    {4, 2, "52,8 24,0 8,20 30,46! 4,66 14,96 54,90"},
    {5, 3, "54,2 8,2! 7,50 6,100 | 8,46 44,46"},
    {5, 2, "0,8 24,2 60,4 | 24,2 20,50 14,100 | 4,50 44,46"},
    {6, 3, "54,16 30,0 6,24 4,68 26,100 52,88 54,56! 32,56"},
    {6, 2, "54,14 30,0 6,24 4,68 26,100 52,80 54,54 | 36,56 58,56 56,100"},
    {7, 3, "6,0 6,50 6,100 | 54,0 54,50 54,100 | 6,50 54,48"},
    {7, 2, "8,0 8,50 8,100! 10,60 30,46 48,60 50,100"},
    {8, 3, "30,0 30,50 30,100 | 8,0 52,0 | 8,100 52,100"},
    {8, 2, "34,0 28,50 24,100 | 14,2 58,0 | 2,100 46,98"},
    {9, 3, "46,0 46,36 46,72 30,100 6,84"},
    {9, 2, "18,2 62,2 | 44,2 44,38 44,74 26,100 4,82"},
};

StrokeShape parsed(const Written& written)
{
    StrokeShape shape{written.weight, {{}}};
    for (const char* at = written.points; *at;) {
        if (*at == ' ')
            ++at;
        else if (*at == '|')
            shape.strokes.emplace_back(), ++at;
        else if (*at == '!')
            shape.strokes.back().back().corner = true, ++at;
        else {
            char* end      = nullptr;
            const double x = static_cast<double>(std::strtol(at, &end, 10));
            const double y = static_cast<double>(std::strtol(end + 1, &end, 10));
            shape.strokes.back().push_back({x, y});
            at = end;
        }
    }
    return shape;
}

StrokeSigns parsed(std::span<const Written> all)
{
    StrokeSigns signs(10);
    for (const Written& one : all)
        signs[static_cast<std::size_t>(one.sign)].push_back(parsed(one));
    return signs;
}

}   // namespace

const StrokeSigns& digit_shapes()
{
    static const StrokeSigns signs = parsed(digits);
    return signs;
}

const StrokeSigns& letter_shapes()
{
    static const StrokeSigns signs = parsed(letters);
    return signs;
}

namespace {

/// Smooths points first..last of a stroke, which have no corner between them.
void smooth_part(const PenStroke& stroke, std::size_t first, std::size_t last, int steps, InkLine& line)
{
    const auto at = [&](std::ptrdiff_t i) {   // extrapolated linearly beyond the ends
        const auto begin = static_cast<std::ptrdiff_t>(first), end = static_cast<std::ptrdiff_t>(last);
        if (i >= begin && i <= end)
            return stroke[static_cast<std::size_t>(i)];
        const PenPoint& border = stroke[i < begin ? first : last];
        const PenPoint& inside = stroke[i < begin ? first + 1 : last - 1];
        return PenPoint{2 * border.x - inside.x, 2 * border.y - inside.y};
    };
    for (std::size_t i = first; i < last; ++i) {
        const auto k     = static_cast<std::ptrdiff_t>(i);
        const PenPoint a = at(k - 1), b = at(k), c = at(k + 1), d = at(k + 2);
        for (int s = 1; s <= steps; ++s) {
            const double t  = static_cast<double>(s) / steps;
            const double wa = t * (-0.5 + t * (1 - 0.5 * t)), wb = 1 + t * t * (-2.5 + 1.5 * t);
            const double wc = t * (0.5 + t * (2 - 1.5 * t)), wd = t * t * (-0.5 + 0.5 * t);
            line.push_back({wa * a.x + wb * b.x + wc * c.x + wd * d.x, wa * a.y + wb * b.y + wc * c.y + wd * d.y});
        }
    }
}

struct Box {
    double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300;
};

/// Lightens the pixels near the segment from a to b.
void draw_piece(const InkPoint& a, const InkPoint& b, double soft, std::size_t height, std::size_t width,
                std::span<float> out)
{
    const double reach = std::max(a.radius, b.radius) + soft;
    const auto first   = [&](double u, double v) {
        return static_cast<std::ptrdiff_t>(std::max(0.0, std::ceil(std::min(u, v) - reach)));
    };
    const auto last = [&](double u, double v, std::size_t n) {
        return static_cast<std::ptrdiff_t>(std::min(static_cast<double>(n) - 1, std::floor(std::max(u, v) + reach)));
    };
    const auto ax = static_cast<float>(a.x), ay = static_cast<float>(a.y), dx = static_cast<float>(b.x) - ax,
               dy     = static_cast<float>(b.y) - ay;
    const float scale = dx * dx + dy * dy > 0 ? 1 / (dx * dx + dy * dy) : 0;
    const auto radius = static_cast<float>(a.radius), growth = static_cast<float>(b.radius - a.radius);
    const auto edge = static_cast<float>(soft), slope = static_cast<float>(0.5 / soft);
    for (std::ptrdiff_t y = first(a.y, b.y); y <= last(a.y, b.y, height); ++y)
        for (std::ptrdiff_t x = first(a.x, b.x); x <= last(a.x, b.x, width); ++x) {
            const float px = static_cast<float>(x) - ax, py = static_cast<float>(y) - ay;
            const float t  = std::clamp((px * dx + py * dy) * scale, 0.0f, 1.0f);
            const float ex = px - t * dx, ey = py - t * dy;
            const float light = (radius + t * growth + edge - std::sqrt(ex * ex + ey * ey)) * slope;
            float& pixel      = out[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
            pixel             = std::max(pixel, std::min(light, 1.0f));
        }
}

}   // namespace

InkLine pen_path(const PenStroke& stroke, int steps)
{
    InkLine line;
    if (stroke.empty())
        return line;
    line.push_back({stroke[0].x, stroke[0].y});
    for (std::size_t first = 0; first + 1 < stroke.size();) {
        std::size_t last = first + 1;
        while (last + 1 < stroke.size() && !stroke[last].corner)
            ++last;
        smooth_part(stroke, first, last, steps, line);
        first = last;
    }
    return line;
}

void fit_ink(std::span<InkLine> lines, double size, double pixels)
{
    Box box;
    double mass = 0, x = 0, y = 0;
    for (const InkLine& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i) {
            const InkPoint& p = line[i];
            box               = {std::min(box.left, p.x), std::max(box.right, p.x), std::min(box.top, p.y),
                                 std::max(box.bottom, p.y)};
            if (i == 0)
                continue;
            const InkPoint& q = line[i - 1];
            const double ink  = std::hypot(p.x - q.x, p.y - q.y) * (p.radius + q.radius);
            mass += ink;
            x += ink * (p.x + q.x) / 2;
            y += ink * (p.y + q.y) / 2;
        }
    if (!(mass > 0))
        return;
    const double scale = size / std::max(box.right - box.left, box.bottom - box.top);
    for (InkLine& line : lines)
        for (InkPoint& p : line) {
            p.x = (p.x - x / mass) * scale + (pixels - 1) / 2;
            p.y = (p.y - y / mass) * scale + (pixels - 1) / 2;
        }
}

void draw_ink(std::span<const InkLine> lines, double soft, std::size_t height, std::size_t width, std::span<float> out)
{
    std::fill(out.begin(), out.end(), 0.0f);
    for (const InkLine& line : lines) {
        if (line.size() == 1)
            draw_piece(line[0], line[0], soft, height, width, out);
        for (std::size_t i = 1; i < line.size(); ++i)
            draw_piece(line[i - 1], line[i], soft, height, width, out);
    }
}

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
