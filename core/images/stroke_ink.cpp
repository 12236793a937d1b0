// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/stroke_ink.h"

#include <algorithm>
#include <cmath>

namespace credence {

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

}   // namespace credence
