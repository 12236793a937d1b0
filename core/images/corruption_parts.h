// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"
#include "images/corruptions.h"
#include "images/image_transforms.h"
#include "random/noise.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Shared by the files of `corrupted`. A `level` is a severity minus 1: the index of its strength.
namespace credence::corruption_parts {

using Pixels = std::vector<float>;

inline constexpr double white = 255;

template <class T>
using Strengths = std::array<T, corruption_severities>;

inline float in_range(double value) { return static_cast<float>(std::clamp(value, 0.0, white)); }

/// The random numbers of one corrupted image: its own stretch of the sequence, read from the start.
class CorruptionNoise {
public:
    CorruptionNoise(std::uint64_t seed, std::uint32_t index, Corruption kind, int severity)
        : key_{seed, Stream::corruptions, index},
          next_((static_cast<std::uint64_t>(kind) * 8 + static_cast<std::uint64_t>(severity)) << 32)
    {}

    Pixels normals(std::size_t n)
    {
        Pixels out(n);
        standard_normals(key_, advance(n), std::span<float>(out));
        return out;
    }
    std::vector<double> uniform(std::size_t n)
    {
        std::vector<double> out(n);
        uniforms(key_, advance(n), std::span<double>(out));
        return out;
    }

private:
    std::uint64_t advance(std::size_t n)
    {
        const auto first = next_;
        next_ += (n + 63) / 64 * 64;
        return first;
    }

    NoiseKey key_;
    std::uint64_t next_;
};

/// What a corruption works on.
struct Source {
    std::span<const float> image;
    ImageShape shape;

    std::size_t plane() const { return static_cast<std::size_t>(shape.height * shape.width); }
    std::size_t at(int y, int x) const { return static_cast<std::size_t>(y * shape.width + x); }
    double unit() const { return std::min(shape.height, shape.width) / 32.0; }   ///< pixels per length of 1
    Pixels copy() const { return {image.begin(), image.end()}; }
    /// Brightness of each pixel, 0 to 255 [height × width].
    Pixels grey() const
    {
        Pixels out(plane(), 0.0f);
        for (std::size_t i = 0; i < out.size(); ++i)
            for (int c = 0; c < shape.channels; ++c)
                out[i] += static_cast<float>((shape.channels == 3 ? luma[c] : 1.0 / shape.channels)
                                             * image[static_cast<std::size_t>(c) * plane() + i]);
        return out;
    }
    /// Each value as a function of itself and its position in the plane.
    template <class F>
    Pixels mapped(F value) const
    {
        Pixels out(image.size());
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = in_range(value(static_cast<double>(image[i]), i % plane()));
        return out;
    }
};

/// A weight of a kernel, at an offset in pixels.
struct Tap {
    int x, y;
    double weight;
};
/// A segment of the given length and width in pixels about the centre: points a quarter of a pixel
/// apart, each shared among its four neighbours.
std::vector<Tap> segment(double length, double width, double angle);

Pixels defocus_blur(const Source& from, int level);
Pixels glass_blur(const Source& from, int level, CorruptionNoise& noise);
Pixels motion_blur(const Source& from, int level, CorruptionNoise& noise);
Pixels zoom_blur(const Source& from, int level);
Pixels elastic(const Source& from, int level, CorruptionNoise& noise);
Pixels pixelation(const Source& from, int level);
Pixels snow(const Source& from, int level, CorruptionNoise& noise);
Pixels frost(const Source& from, int level, CorruptionNoise& noise);
Pixels fog(const Source& from, int level, CorruptionNoise& noise);
Pixels jpeg(const Source& from, int level);

}   // namespace credence::corruption_parts
