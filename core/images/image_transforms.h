// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace credence {

// Ways to disturb an image. Images are numbers on the scale of bytes, 0 to 255, [channels × height × width]; results have the same shape. Every
// function gives its argument back bit for bit where it has nothing to do.

/// What comes in from beyond the border: the median of the border's pixels, channel by channel [channels]. Black for digits on black.
std::vector<float> ground_of(std::span<const float> image, ImageShape shape);

/// Rotation by `degrees` (counter-clockwise as one sees it), then magnification by `scale`, then shift by (right, down) pixels, about the centre of
/// the image and in one step: out(x) = image(R⁻¹ (x − c − shift) / scale + c), bilinear between pixels. Multiples of 90° of a square are exact.
struct Placement {
    double degrees = 0, scale = 1, right = 0, down = 0;
    bool operator==(const Placement&) const = default;
};
/// @throws Error if the scale is not > 0 or a number is not finite
std::vector<float> placed(std::span<const float> image, ImageShape shape, const Placement& placement);

/// Convolution with a Gaussian of standard deviation `sd` in pixels, cut at 4 sd; the image goes on beyond its border as in a mirror, so that the sum
/// of all pixels stays.
std::vector<float> blurred(std::span<const float> image, ImageShape shape, double sd);

/// Adds independent N(0, sd²) to every number and cuts at 0 and 255: what a byte cannot hold. A function of the seed.
std::vector<float> with_noise(std::span<const float> image, double sd, std::uint64_t seed);

/// All of it, in this order: morph (image_morph.h), place, blur, noise.
struct Disturbance {
    double morph = 0;   ///< way into the other image, 0 to 1
    Placement placement{};
    double blur              = 0;   ///< standard deviation, pixels
    double noise             = 0;   ///< standard deviation, of 255
    std::uint64_t noise_seed = 1;

    bool none() const;   ///< changes no image?
    bool operator==(const Disturbance&) const = default;
};
class ImageMorph;
/// @param morph  from this image into another one; null: `disturbance.morph` is ignored
std::vector<float> disturbed(std::span<const float> image, ImageShape shape, const Disturbance& disturbance,
                             const ImageMorph* morph = nullptr);

/// ", rotated 20°, shifted 2 right, blurred 1.5": what stands after an image's name; empty for none.
/// @param other  name of the image that it is morphed into
std::string description_of(const Disturbance& disturbance, const std::string& other = {});

}   // namespace credence
