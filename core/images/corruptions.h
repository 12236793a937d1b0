// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// Common corruptions of images, in the manner of Hendrycks and Dietterich 2019 (ImageNet-C): the
/// same fifteen kinds, but our own implementations and severities, so the numbers cannot be compared
/// with theirs. docs/maths.md, section 8, states every formula and strength.
enum class Corruption {
    gaussian_noise,
    shot_noise,
    impulse_noise,
    defocus_blur,
    glass_blur,
    motion_blur,
    zoom_blur,
    snow,    ///< streaks of white flakes over a lightened image
    frost,   ///< ridges of fractal noise, not photographs of ice
    fog,     ///< fractal value noise, not diamond-square
    brightness,
    contrast,
    elastic,
    pixelation,
    jpeg,   ///< quantised 8 × 8 DCT without a codec: chroma at full resolution, no rounding to bytes
};
inline constexpr int corruption_kinds      = 15;
inline constexpr int corruption_severities = 5;

std::string title_of(Corruption kind);   ///< "Gaussian noise"

/// Returns the image corrupted at a severity, 0 to 5. Severity 0 is the image bit for bit. Lengths
/// are in pixels of an image 32 pixels wide and grow with the shorter side. All random numbers are a
/// function of (seed, index, kind, severity).
/// @param image  [channels × height × width], 0 to 255; so is the result, which is not rounded
/// @param index  of the image: images of one set have different noise
/// @throws Error "Severity 6 was requested, expected 0 to 5."
std::vector<float> corrupted(std::span<const float> image, ImageShape shape, Corruption kind, int severity,
                             std::uint32_t index, std::uint64_t seed);

}   // namespace credence
