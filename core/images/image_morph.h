// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"

#include <array>
#include <span>
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

}   // namespace credence
