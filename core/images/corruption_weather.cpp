// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/corruption_parts.h"

#include <cmath>
#include <numbers>

namespace credence::corruption_parts {
namespace {

/// Fractal value noise with values 0 to 1 [height × width]: octaves of random values on a lattice,
/// the first 2 cells wide, each next one twice as fine and `decay` times as strong.
std::vector<double> fractal(const Source& from, double decay, CorruptionNoise& noise)
{
    std::vector<double> out(from.plane(), 0.0);
    const int side  = std::max(from.shape.height, from.shape.width);
    double strength = 1;
    for (int cells = 2; cells <= side; cells *= 2, strength *= decay) {
        const auto lattice = noise.uniform(static_cast<std::size_t>((cells + 2) * (cells + 2)));
        const auto smooth  = [](double t) { return t * t * (3 - 2 * t); };
        for (int y = 0; y < from.shape.height; ++y)
            for (int x = 0; x < from.shape.width; ++x) {
                const double v = (y + 0.5) * cells / side, u = (x + 0.5) * cells / side;
                const int row = static_cast<int>(v), column = static_cast<int>(u);
                const double down = smooth(v - row), right = smooth(u - column);
                const auto* near = &lattice[static_cast<std::size_t>(row * (cells + 2) + column)];
                out[from.at(y, x)] += strength
                                      * ((1 - down) * ((1 - right) * near[0] + right * near[1])
                                         + down * ((1 - right) * near[cells + 2] + right * near[cells + 3]));
            }
    }
    const auto [low, high] = std::minmax_element(out.begin(), out.end());
    const double least = *low, range = *high - *low;
    for (double& value : out)
        value = range > 0 ? (value - least) / range : 0;
    return out;
}

}   // namespace

Pixels snow(const Source& from, int level, CorruptionNoise& noise)
{
    struct Snowfall {
        double flakes, length, lightened;   ///< per pixel; of a streak; share of the lightened image
    };
    constexpr Strengths<Snowfall> snowfalls{
        {{0.01, 1.5, 0.1}, {0.02, 2, 0.17}, {0.035, 2.5, 0.25}, {0.05, 3, 0.33}, {0.07, 4, 0.42}}};
    const auto& fall   = snowfalls[level];
    const double unit  = from.unit();
    const double angle = (0.25 + 0.5 * noise.uniform(1).front()) * std::numbers::pi;   // 45° to 135°: downwards
    auto streak        = segment(fall.length * unit, std::max(0.0, unit - 1), angle);
    const double most  = std::max_element(streak.begin(), streak.end(), [](const Tap& a, const Tap& b) {
                            return a.weight < b.weight;
                        })->weight;
    std::vector<double> layer(from.plane(), 0.0);
    const auto u = noise.uniform(2 * from.plane());
    for (int y = 0; y < from.shape.height; ++y)
        for (int x = 0; x < from.shape.width; ++x)
            if (const auto* random = &u[2 * from.at(y, x)]; random[0] < fall.flakes / (unit * unit))
                for (const auto& tap : streak)
                    if (const int fy = y + tap.y, fx = x + tap.x;
                        fy >= 0 && fx >= 0 && fy < from.shape.height && fx < from.shape.width)
                        layer[from.at(fy, fx)] += (0.6 + 0.4 * random[1]) * tap.weight / most;
    const auto grey = from.grey();
    return from.mapped([&](double x, std::size_t i) {
        const double light = x + fall.lightened * (std::max(x, white / 2 + grey[i] / 2) - x);
        return light + std::min(1.0, layer[i]) * (white - light);
    });
}

Pixels frost(const Source& from, int level, CorruptionNoise& noise)
{
    struct Ice {
        double kept, added;
    };
    constexpr Strengths<Ice> ices{{{0.95, 0.2}, {0.88, 0.33}, {0.8, 0.46}, {0.72, 0.6}, {0.65, 0.75}}};
    const auto p = fractal(from, 0.7, noise);
    return from.mapped([&](double x, std::size_t i) {
        const double ridge = 1 - std::abs(2 * p[i] - 1);
        return ices[level].kept * x + ices[level].added * white * ridge * ridge;
    });
}

Pixels fog(const Source& from, int level, CorruptionNoise& noise)
{
    constexpr Strengths<double> density{0.2, 0.32, 0.45, 0.6, 0.78};
    const auto p = fractal(from, 0.55, noise);
    return from.mapped([&](double x, std::size_t i) { return x + density[level] * (0.4 + 0.6 * p[i]) * (white - x); });
}

}   // namespace credence::corruption_parts
