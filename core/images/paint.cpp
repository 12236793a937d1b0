// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/strokes.h"

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

/// The half-plane n · p + o < 0, n of length 1.
struct HalfPlane {
    float x, y, offset;
};

std::vector<HalfPlane> sides_of(std::span<const PixelPoint> corners)
{
    double area = 0;   // twice the signed area
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const PixelPoint &a = corners[i], &b = corners[(i + 1) % corners.size()];
        area += a.x * b.y - a.y * b.x;
    }
    const double sense = area < 0 ? -1 : 1;
    std::vector<HalfPlane> sides;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const PixelPoint &a = corners[i], &b = corners[(i + 1) % corners.size()];
        const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
        if (length < 1e-9)
            continue;
        const double nx = sense * dy / length, ny = -sense * dx / length;
        sides.push_back({static_cast<float>(nx), static_cast<float>(ny), static_cast<float>(-nx * a.x - ny * a.y)});
    }
    return sides;
}

/// Bilinear interpolation; x and y must be inside the image.
float between(const float* plane, std::size_t width, std::size_t height, float x, float y)
{
    const float left = std::floor(x), top = std::floor(y), u = x - left, v = y - top;
    const auto c = static_cast<std::size_t>(left), r = static_cast<std::size_t>(top);
    const std::size_t c2 = std::min(c + 1, width - 1), r2 = std::min(r + 1, height - 1);
    const float above = plane[r * width + c] * (1 - u) + plane[r * width + c2] * u;
    const float below = plane[r2 * width + c] * (1 - u) + plane[r2 * width + c2] * u;
    return above * (1 - v) + below * v;
}

}   // namespace

void cover_convex(std::span<const PixelPoint> corners, double soft, std::size_t height, std::size_t width,
                  std::span<float> out)
{
    std::fill(out.begin(), out.end(), 0.0f);
    const std::vector<HalfPlane> sides = sides_of(corners);
    if (sides.size() < 3)
        return;
    double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
    for (const PixelPoint& p : corners) {
        left = std::min(left, p.x), right = std::max(right, p.x);
        top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    }
    const auto first = [&](double low) {
        return static_cast<std::ptrdiff_t>(std::max(0.0, std::ceil(std::min(low - soft, 1e8))));
    };
    const auto last = [&](double high, std::size_t n) {
        return static_cast<std::ptrdiff_t>(std::min(static_cast<double>(n) - 1, std::floor(high + soft)));
    };
    const auto slope = static_cast<float>(0.5 / soft);
    for (std::ptrdiff_t y = first(top); y <= last(bottom, height); ++y)
        for (std::ptrdiff_t x = first(left); x <= last(right, width); ++x) {
            float distance = -1e9f;
            for (const HalfPlane& side : sides)
                distance = std::max(distance,
                                    side.x * static_cast<float>(x) + side.y * static_cast<float>(y) + side.offset);
            out[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] = std::clamp(0.5f - distance * slope,
                                                                                                0.0f, 1.0f);
        }
}

void paint(std::span<float> picture, std::span<const float> cover, const Colour& colour, double opacity)
{
    const auto strength = static_cast<float>(opacity);
    for (std::size_t c = 0; c < colour.size(); ++c) {
        float* plane = picture.data() + c * cover.size();
        for (std::size_t i = 0; i < cover.size(); ++i)
            plane[i] += cover[i] * strength * (colour[c] - plane[i]);
    }
}

void blur_along(std::span<float> picture, std::size_t height, std::size_t width, double right, double down)
{
    constexpr int half_taps = 3;
    if (std::hypot(right, down) < 0.01)
        return;
    const std::vector<float> before(picture.begin(), picture.end());
    const auto last_column = static_cast<float>(width - 1), last_row = static_cast<float>(height - 1);
    const std::size_t plane = height * width;
    std::fill(picture.begin(), picture.end(), 0.0f);
    for (int tap = -half_taps; tap <= half_taps; ++tap) {
        const auto dx = static_cast<float>(right * tap / (2.0 * half_taps)),
                   dy = static_cast<float>(down * tap / (2.0 * half_taps));
        for (std::size_t r = 0; r < height; ++r)
            for (std::size_t c = 0; c < width; ++c) {
                const float x = std::clamp(static_cast<float>(c) + dx, 0.0f, last_column),
                            y = std::clamp(static_cast<float>(r) + dy, 0.0f, last_row);
                for (std::size_t k = 0; k * plane < picture.size(); ++k)
                    picture[k * plane + r * width + c] += between(before.data() + k * plane, width, height, x, y)
                                                          / (2 * half_taps + 1);
            }
    }
}

}   // namespace credence
