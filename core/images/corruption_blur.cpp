// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/corruption_parts.h"

#include <cmath>
#include <numbers>
#include <numeric>

namespace credence::corruption_parts {
namespace {

std::vector<Tap> sum_to_one(std::vector<Tap> taps)
{
    const double sum = std::accumulate(taps.begin(), taps.end(), 0.0,
                                       [](double all, const Tap& tap) { return all + tap.weight; });
    for (auto& tap : taps)
        tap.weight /= sum;
    return taps;
}

/// A disc; each weight is the share of its pixel that the disc covers, by 8 × 8 points.
std::vector<Tap> disc(double radius)
{
    constexpr int points = 8;
    const int reach      = static_cast<int>(std::ceil(radius + 0.5));
    std::vector<Tap> taps;
    for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x) {
            int inside = 0;
            for (int i = 0; i < points * points; ++i)
                inside += std::hypot(x + (i % points + 0.5) / points - 0.5, y + (i / points + 0.5) / points - 0.5)
                          <= radius;
            if (inside > 0 || (x == 0 && y == 0))
                taps.push_back({x, y, std::max(1.0, static_cast<double>(inside))});
        }
    return sum_to_one(std::move(taps));
}

/// Convolution of every channel, mirrored at the border.
Pixels convolved(const Source& from, std::span<const Tap> taps)
{
    Pixels out(from.image.size());
    for (int c = 0; c < from.shape.channels; ++c) {
        const auto first = static_cast<std::size_t>(c) * from.plane();
        for (int y = 0; y < from.shape.height; ++y)
            for (int x = 0; x < from.shape.width; ++x) {
                double sum = 0;
                for (const auto& tap : taps)
                    sum += tap.weight
                           * from.image[first
                                        + from.at(mirrored(y + tap.y, from.shape.height),
                                                  mirrored(x + tap.x, from.shape.width))];
                out[first + from.at(y, x)] = static_cast<float>(sum);
            }
    }
    return out;
}

/// Means over the cells of a coarser grid along one direction, repeated at full size.
void pixelate_line(const float* in, float* out, int n, int step, int cells)
{
    const double size = static_cast<double>(n) / cells;
    for (int i = 0; i < n; ++i) {
        const int cell     = std::min(cells - 1, static_cast<int>((i + 0.5) / size));
        const double begin = cell * size, end = begin + size;
        double sum = 0, weight = 0;
        for (int j = static_cast<int>(begin); j < n && j < end; ++j) {
            const double part = std::min(end, j + 1.0) - std::max(begin, static_cast<double>(j));
            sum += part * in[j * step];
            weight += part;
        }
        out[i * step] = static_cast<float>(sum / weight);
    }
}

}   // namespace

std::vector<Tap> segment(double length, double width, double angle)
{
    const int along = 2 * static_cast<int>(std::ceil(2 * length)) + 1, across = 2 * static_cast<int>(2 * width) + 1,
              reach = static_cast<int>(std::ceil((length + width) / 2)) + 1, side = 2 * reach + 1;
    const double cosine = std::cos(angle), sine = std::sin(angle);
    std::vector<double> weights(static_cast<std::size_t>(side * side), 0.0);
    for (int i = 0; i < along; ++i)
        for (int j = 0; j < across; ++j) {
            const double a = along > 1 ? length * (static_cast<double>(i) / (along - 1) - 0.5) : 0,
                         b = across > 1 ? width * (static_cast<double>(j) / (across - 1) - 0.5) : 0;
            const double x = cosine * a - sine * b + reach, y = sine * a + cosine * b + reach;
            const int x0 = static_cast<int>(x), y0 = static_cast<int>(y);
            for (int corner = 0; corner < 4; ++corner) {
                const int right = corner & 1, down = corner >> 1;
                weights[static_cast<std::size_t>((y0 + down) * side + x0 + right)] += (right ? x - x0 : 1 - (x - x0))
                                                                                      * (down ? y - y0 : 1 - (y - y0));
            }
        }
    std::vector<Tap> taps;
    for (int i = 0; i < side * side; ++i)
        if (weights[static_cast<std::size_t>(i)] > 0)
            taps.push_back({i % side - reach, i / side - reach, weights[static_cast<std::size_t>(i)]});
    return sum_to_one(std::move(taps));
}

Pixels defocus_blur(const Source& from, int level)
{
    constexpr Strengths<double> radius{0.9, 1.3, 1.8, 2.4, 3.2};
    return convolved(from, disc(radius[level] * from.unit()));
}

/// Pixels change places with neighbours, between two small Gaussian blurs.
Pixels glass_blur(const Source& from, int level, CorruptionNoise& noise)
{
    struct Glass {
        double sd, share;   ///< of the blurs; of pixels that change places
        int reach;
    };
    constexpr Strengths<Glass> glasses{{{0.3, 0.2, 1}, {0.35, 0.5, 1}, {0.35, 1, 1}, {0.35, 0.8, 2}, {0.35, 1, 3}}};
    const auto& glass = glasses[level];
    const int reach   = std::max(1, static_cast<int>(std::round(glass.reach * from.unit())));
    const auto u      = noise.uniform(3 * from.plane());
    auto out          = blurred(from.image, from.shape, glass.sd * from.unit());
    for (int y = 0; y < from.shape.height; ++y)
        for (int x = 0; x < from.shape.width; ++x) {
            const auto* random = &u[3 * from.at(y, x)];
            const auto near    = [&](int i, int n, double uniform) {
                return std::clamp(i + static_cast<int>(uniform * (2 * reach + 1)) - reach, 0, n - 1);
            };
            if (random[0] < glass.share)
                for (int c = 0; c < from.shape.channels; ++c) {
                    auto* plane = out.data() + static_cast<std::size_t>(c) * from.plane();
                    std::swap(
                        plane[from.at(y, x)],
                        plane[from.at(near(y, from.shape.height, random[1]), near(x, from.shape.width, random[2]))]);
                }
        }
    return blurred(out, from.shape, glass.sd * from.unit());
}

Pixels motion_blur(const Source& from, int level, CorruptionNoise& noise)
{
    constexpr Strengths<double> length{2.5, 4, 6, 8.5, 12};
    const double angle = (noise.uniform(1).front() - 0.5) * std::numbers::pi / 2;   // −45° to 45°
    return convolved(from, segment(length[level] * from.unit(), 0, angle));
}

Pixels zoom_blur(const Source& from, int level)
{
    constexpr Strengths<double> largest{1.15, 1.25, 1.37, 1.52, 1.7};
    constexpr int zooms = 9;
    std::vector<double> sum(from.image.size(), 0.0);
    for (int i = 0; i < zooms; ++i) {
        const auto one = placed(from.image, from.shape, {.scale = 1 + (largest[level] - 1) * i / (zooms - 1)});
        for (std::size_t k = 0; k < sum.size(); ++k)
            sum[k] += one[k] / zooms;
    }
    return {sum.begin(), sum.end()};
}

/// Bilinear values at displaced positions, the image mirrored at its border.
Pixels elastic(const Source& from, int level, CorruptionNoise& noise)
{
    constexpr Strengths<double> distance{0.4, 0.7, 1, 1.4, 1.9};   // root mean square, along each axis
    constexpr double smoothness = 2.5;
    const auto field            = [&] {
        const ImageShape one{1, from.shape.height, from.shape.width};
        auto steps       = blurred(noise.normals(from.plane()), one, smoothness * from.unit());
        const double rms = std::sqrt(std::inner_product(steps.begin(), steps.end(), steps.begin(), 0.0)
                                                / static_cast<double>(steps.size()));
        for (float& step : steps)
            step *= static_cast<float>(rms > 0 ? distance[level] * from.unit() / rms : 0);
        return steps;
    };
    const auto right = field(), down = field();
    Pixels out(from.image.size());
    for (int y = 0; y < from.shape.height; ++y)
        for (int x = 0; x < from.shape.width; ++x) {
            const double sx = x + right[from.at(y, x)], sy = y + down[from.at(y, x)];
            const double fx = std::floor(sx), fy = std::floor(sy);
            const int x0 = static_cast<int>(fx), y0 = static_cast<int>(fy);
            for (int c = 0; c < from.shape.channels; ++c) {
                const auto first = static_cast<std::size_t>(c) * from.plane();
                double sum       = 0;
                for (int corner = 0; corner < 4; ++corner)
                    sum += ((corner & 1) ? sx - fx : 1 - (sx - fx)) * ((corner >> 1) ? sy - fy : 1 - (sy - fy))
                           * from.image[first
                                        + from.at(mirrored(y0 + (corner >> 1), from.shape.height),
                                                  mirrored(x0 + (corner & 1), from.shape.width))];
                out[first + from.at(y, x)] = in_range(sum);
            }
        }
    return out;
}

Pixels pixelation(const Source& from, int level)
{
    constexpr Strengths<double> cells_per_pixel{0.7, 0.55, 0.42, 0.32, 0.24};
    const auto cells = [&](int n) { return std::max(1, static_cast<int>(std::round(cells_per_pixel[level] * n))); };
    const int height = from.shape.height, width = from.shape.width;
    Pixels between(from.image.size()), out(from.image.size());
    for (int row = 0; row < from.shape.channels * height; ++row)
        pixelate_line(from.image.data() + row * width, between.data() + row * width, width, 1, cells(width));
    for (int c = 0; c < from.shape.channels; ++c)
        for (int x = 0; x < width; ++x)
            pixelate_line(between.data() + c * height * width + x, out.data() + c * height * width + x, height, width,
                          cells(height));
    return out;
}

}   // namespace credence::corruption_parts
