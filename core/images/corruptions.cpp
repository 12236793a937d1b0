// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/corruptions.h"

#include "foundation/error.h"
#include "images/corruption_parts.h"

#include <cassert>
#include <cmath>
#include <numeric>

namespace credence {
namespace corruption_parts {
namespace {

Pixels gaussian_noise(const Source& from, int level, CorruptionNoise& noise)
{
    constexpr Strengths<double> sd{0.06, 0.10, 0.15, 0.22, 0.32};
    auto out = noise.normals(from.image.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = in_range(from.image[i] + white * sd[level] * out[i]);
    return out;
}

/// The smallest k with P(Poisson(rate) ≤ k) > u.
int poisson(double rate, double u)
{
    int k       = 0;
    double term = std::exp(-rate), below = term;
    while (u >= below && k < 1000) {
        term *= rate / ++k;
        below += term;
    }
    return k;
}

Pixels shot_noise(const Source& from, int level, CorruptionNoise& noise)
{
    constexpr Strengths<double> photons{60, 30, 15, 8, 4};   // of a white pixel
    const auto u = noise.uniform(from.image.size());
    Pixels out(u.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = in_range(white / photons[level] * poisson(photons[level] * from.image[i] / white, u[i]));
    return out;
}

Pixels impulse_noise(const Source& from, int level, CorruptionNoise& noise)
{
    constexpr Strengths<double> share{0.02, 0.05, 0.10, 0.17, 0.27};
    const auto u = noise.uniform(from.image.size());
    auto out     = from.copy();
    for (std::size_t i = 0; i < out.size(); ++i)
        if (u[i] < share[level])
            out[i] = u[i] < share[level] / 2 ? 0.0f : static_cast<float>(white);
    return out;
}

/// Adds to the value of the colour in HSV, which keeps hue and saturation.
Pixels brightness(const Source& from, int level)
{
    constexpr Strengths<double> added{0.1, 0.2, 0.3, 0.4, 0.5};
    auto out = from.copy();
    for (std::size_t i = 0; i < from.plane(); ++i) {
        double value = 0;
        for (int c = 0; c < from.shape.channels; ++c)
            value = std::max(value, static_cast<double>(from.image[static_cast<std::size_t>(c) * from.plane() + i]));
        const double brighter = std::min(white, value + white * added[level]);
        for (int c = 0; c < from.shape.channels; ++c) {
            float& pixel = out[static_cast<std::size_t>(c) * from.plane() + i];
            pixel        = in_range(value > 0 ? pixel * brighter / value : brighter);
        }
    }
    return out;
}

Pixels contrast(const Source& from, int level)
{
    constexpr Strengths<double> kept{0.7, 0.5, 0.35, 0.22, 0.12};
    Pixels out;
    for (int c = 0; c < from.shape.channels; ++c) {
        const auto plane  = from.image.subspan(static_cast<std::size_t>(c) * from.plane(), from.plane());
        const double mean = std::accumulate(plane.begin(), plane.end(), 0.0) / static_cast<double>(plane.size());
        for (const float x : plane)
            out.push_back(in_range(mean + kept[level] * (x - mean)));
    }
    return out;
}

}   // namespace
}   // namespace corruption_parts

std::string title_of(Corruption kind)
{
    switch (kind) {
    case Corruption::gaussian_noise: return "Gaussian noise";
    case Corruption::shot_noise: return "Shot noise";
    case Corruption::impulse_noise: return "Impulse noise";
    case Corruption::defocus_blur: return "Defocus blur";
    case Corruption::glass_blur: return "Glass blur";
    case Corruption::motion_blur: return "Motion blur";
    case Corruption::zoom_blur: return "Zoom blur";
    case Corruption::snow: return "Snow";
    case Corruption::frost: return "Frost";
    case Corruption::fog: return "Fog";
    case Corruption::brightness: return "Brightness";
    case Corruption::contrast: return "Contrast";
    case Corruption::elastic: return "Elastic transformation";
    case Corruption::pixelation: return "Pixelation";
    case Corruption::jpeg: return "JPEG compression";
    }
    return {};
}

std::vector<float> corrupted(std::span<const float> image, ImageShape shape, Corruption kind, int severity,
                             std::uint32_t index, std::uint64_t seed)
{
    using namespace corruption_parts;
    assert(image.size() == static_cast<std::size_t>(shape.size()));
    if (severity < 0 || severity > corruption_severities)
        throw Error("Severity " + std::to_string(severity) + " was requested, expected 0 to "
                    + std::to_string(corruption_severities) + ".");
    const Source from{image, shape};
    if (severity == 0)
        return from.copy();
    CorruptionNoise noise(seed, index, kind, severity);
    const int level = severity - 1;
    switch (kind) {
    case Corruption::gaussian_noise: return gaussian_noise(from, level, noise);
    case Corruption::shot_noise: return shot_noise(from, level, noise);
    case Corruption::impulse_noise: return impulse_noise(from, level, noise);
    case Corruption::defocus_blur: return defocus_blur(from, level);
    case Corruption::glass_blur: return glass_blur(from, level, noise);
    case Corruption::motion_blur: return motion_blur(from, level, noise);
    case Corruption::zoom_blur: return zoom_blur(from, level);
    case Corruption::snow: return snow(from, level, noise);
    case Corruption::frost: return frost(from, level, noise);
    case Corruption::fog: return fog(from, level, noise);
    case Corruption::brightness: return brightness(from, level);
    case Corruption::contrast: return contrast(from, level);
    case Corruption::elastic: return elastic(from, level, noise);
    case Corruption::pixelation: return pixelation(from, level);
    case Corruption::jpeg: return jpeg(from, level);
    }
    return from.copy();
}

}   // namespace credence
