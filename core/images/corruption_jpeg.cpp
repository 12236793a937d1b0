// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/corruption_parts.h"

#include <cmath>
#include <numbers>

namespace credence::corruption_parts {
namespace {

constexpr int block = 8;
using Block         = std::array<double, block * block>;

/// The quantisation tables that ITU-T T.81 (the JPEG standard) gives as examples, Annex K.1.
constexpr Block luma_steps{16, 11, 10, 16, 24,  40,  51,  61,    //
                           12, 12, 14, 19, 26,  58,  60,  55,    //
                           14, 13, 16, 24, 40,  57,  69,  56,    //
                           14, 17, 22, 29, 51,  87,  80,  62,    //
                           18, 22, 37, 56, 68,  109, 103, 77,    //
                           24, 35, 55, 64, 81,  104, 113, 92,    //
                           49, 64, 78, 87, 103, 121, 120, 101,   //
                           72, 92, 95, 98, 112, 100, 103, 99};
constexpr Block chroma_steps{17, 18, 24, 47, 99, 99, 99, 99,   //
                             18, 21, 26, 66, 99, 99, 99, 99,   //
                             24, 26, 56, 99, 99, 99, 99, 99,   //
                             47, 66, 99, 99, 99, 99, 99, 99,   //
                             99, 99, 99, 99, 99, 99, 99, 99,   //
                             99, 99, 99, 99, 99, 99, 99, 99,   //
                             99, 99, 99, 99, 99, 99, 99, 99,   //
                             99, 99, 99, 99, 99, 99, 99, 99};

/// The orthonormal DCT-II [frequency × position].
Block cosine_transform()
{
    Block out{};
    for (int k = 0; k < block; ++k)
        for (int i = 0; i < block; ++i)
            out[static_cast<std::size_t>(k * block + i)] = std::sqrt((k == 0 ? 1.0 : 2.0) / block)
                                                           * std::cos((2 * i + 1) * k * std::numbers::pi / (2 * block));
    return out;
}

/// A x Aᵀ, or Aᵀ x A.
Block both_sides(const Block& a, const Block& x, bool transposed)
{
    const auto entry = [&](int i, int j) {
        return a[static_cast<std::size_t>(transposed ? j * block + i : i * block + j)];
    };
    Block half{}, out{};
    for (int i = 0; i < block; ++i)
        for (int j = 0; j < block; ++j)
            for (int k = 0; k < block; ++k)
                half[static_cast<std::size_t>(i * block + j)] += entry(i, k)
                                                                 * x[static_cast<std::size_t>(k * block + j)];
    for (int i = 0; i < block; ++i)
        for (int j = 0; j < block; ++j)
            for (int k = 0; k < block; ++k)
                out[static_cast<std::size_t>(i * block + j)] += half[static_cast<std::size_t>(i * block + k)]
                                                                * entry(j, k);
    return out;
}

/// Quantises the cosine transform of each 8 × 8 block of a plane centred at 0; incomplete blocks are
/// filled by mirroring.
void quantise_blocks(std::span<double> plane, const Source& from, const Block& steps, double scale)
{
    static const Block transform = cosine_transform();
    for (int top = 0; top < from.shape.height; top += block)
        for (int left = 0; left < from.shape.width; left += block) {
            Block values{};
            for (int i = 0; i < block * block; ++i)
                values[static_cast<std::size_t>(i)] = plane[from.at(mirrored(top + i / block, from.shape.height),
                                                                    mirrored(left + i % block, from.shape.width))];
            values = both_sides(transform, values, false);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const double step = std::clamp(std::floor(steps[i] * scale + 0.5), 1.0, 255.0);
                values[i]         = step * std::round(values[i] / step);
            }
            values = both_sides(transform, values, true);
            for (int i = 0; i < block * block; ++i)
                if (const int y = top + i / block, x = left + i % block; y < from.shape.height && x < from.shape.width)
                    plane[from.at(y, x)] = values[static_cast<std::size_t>(i)];
        }
}

}   // namespace

Pixels jpeg(const Source& from, int level)
{
    constexpr Strengths<double> scales{2, 3.3, 5, 7.5, 11};   // of the standard's tables
    const double scale = scales[level];
    const auto n       = from.plane();
    std::vector<double> planes(from.image.begin(), from.image.end());
    const auto plane  = [&](int c) { return std::span(planes).subspan(static_cast<std::size_t>(c) * n, n); };
    const bool colour = from.shape.channels == 3;
    if (colour)   // to luma and two differences of colour, centred at 0
        for (std::size_t i = 0; i < n; ++i) {
            const double red = planes[i], green = planes[n + i], blue = planes[2 * n + i],
                         y    = luma[0] * red + luma[1] * green + luma[2] * blue;
            planes[i]         = y;
            planes[n + i]     = (blue - y) / 1.772;
            planes[2 * n + i] = (red - y) / 1.402;
        }
    for (int c = 0; c < from.shape.channels; ++c) {
        const bool chroma = colour && c > 0;
        for (double& value : plane(c))
            value -= chroma ? 0 : 128;
        quantise_blocks(plane(c), from, chroma ? chroma_steps : luma_steps, scale);
        for (double& value : plane(c))
            value += chroma ? 0 : 128;
    }
    if (colour)
        for (std::size_t i = 0; i < n; ++i) {
            const double y = planes[i], blue = y + 1.772 * planes[n + i], red = y + 1.402 * planes[2 * n + i];
            planes[i]         = red;
            planes[n + i]     = (y - luma[0] * red - luma[2] * blue) / luma[1];
            planes[2 * n + i] = blue;
        }
    Pixels out;
    for (const double value : planes)
        out.push_back(in_range(value));
    return out;
}

}   // namespace credence::corruption_parts
