// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// How to morph one image into another.
enum class MorphKind {
    flow,   ///< moves intensity: for shapes on black
    mix,    ///< (1 − t) a + t b: for photographs
};
/// Returns flow for one channel on a dark background, otherwise mix.
MorphKind suitable_morph(std::span<const float> a, std::span<const float> b, ImageShape shape);

/// A morph from image a (t = 0) to image b (t = 1), values 0 to 255. Both end points are exact.
///
/// flow: the intensity of each image is split into 240 particles of equal mass. The particles are
/// paired to minimise the sum of squared distances (optimal transport; exact assignment by shortest
/// augmenting paths, Jonker and Volgenant 1987). Particle i is at (1 − t) a_i + t b_π(i) and is
/// drawn as a soft dot. Strokes thus move and bend, where mixing would fade one out and the other
/// in. Details of a and b that the dots do not reproduce (edges, texture) fade out during the first
/// third and fade in during the last third.
class ImageMorph {
public:
    ImageMorph(std::span<const float> a, std::span<const float> b, ImageShape shape, MorphKind kind);

    std::vector<float> at(double t) const;   ///< t is clamped to [0, 1]
    MorphKind kind() const { return kind_; }

private:
    using Place = std::array<float, 2>;   // x, y in pixels
    std::vector<float> dots(double t) const;

    ImageShape shape_;
    MorphKind kind_;
    std::vector<float> a_, b_;
    std::vector<Place> from_, to_;   // paired; empty: mix
    double light_a_ = 0, light_b_ = 0;
    std::vector<float> rest_a_, rest_b_;   // a and b minus their dots
};

// Image perturbations. Images are [channels × height × width] with byte-scaled values, 0 to 255;
// results have the same shape. A function whose parameters change nothing returns its input bit for
// bit.

/// The fill colour for areas outside the image: the median of the border pixels per channel
/// [channels]. Black for digits on black.
std::vector<float> ground_of(std::span<const float> image, ImageShape shape);

/// Rotation by `degrees` (counter-clockwise on screen), then magnification by `scale`, then a shift
/// by (right, down) pixels. All are applied about the image centre in one step: out(x) = image(R⁻¹
/// (x − c − shift) / scale + c), with bilinear interpolation. Multiples of 90° are exact for square
/// images.
struct Placement {
    double degrees = 0, scale = 1, right = 0, down = 0;
    bool operator==(const Placement&) const = default;
};
/// @throws Error  if the scale is not > 0 or a number is not finite
std::vector<float> placed(std::span<const float> image, ImageShape shape, const Placement& placement);

/// Convolution with a Gaussian of standard deviation `sd` in pixels, truncated at 4 sd. The image
/// is mirrored at its border, so the sum of all pixels is preserved.
std::vector<float> blurred(std::span<const float> image, ImageShape shape, double sd);

/// Adds independent N(0, sd²) noise to every value and clips to the byte range, 0 to 255.
/// Deterministic given the seed.
std::vector<float> with_noise(std::span<const float> image, double sd, std::uint64_t seed);

/// All perturbations, applied in this order: morph, placement, blur, noise.
struct Disturbance {
    double morph = 0;   ///< position between this image and the other one, 0 to 1
    Placement placement{};
    double blur              = 0;   ///< standard deviation, pixels
    double noise             = 0;   ///< standard deviation, on the scale 0 to 255
    std::uint64_t noise_seed = 1;

    bool none() const;   ///< true if it changes no image
    bool operator==(const Disturbance&) const = default;
};
class ImageMorph;
/// @param morph  from this image to another; null: `disturbance.morph` is ignored
std::vector<float> disturbed(std::span<const float> image, ImageShape shape, const Disturbance& disturbance,
                             const ImageMorph* morph = nullptr);

/// Describes the perturbation for use after an image's name: ", rotated 20°, shifted 2 right,
/// blurred 1.5"; empty if there is none.
/// @param other  name of the target image of the morph
std::string description_of(const Disturbance& disturbance, const std::string& other = {});

}   // namespace credence
