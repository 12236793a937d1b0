// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"

#include <array>
#include <span>
#include <vector>

namespace credence {

/// How one image becomes another.
enum class MorphKind {
    flow,   ///< light moves: for shapes on black
    mix,    ///< (1 − t) a + t b: for photographs
};
/// flow for one channel on a dark ground, else mix.
MorphKind suitable_morph(std::span<const float> a, std::span<const float> b, ImageShape shape);

/// A way from image a (t = 0) to image b (t = 1), both exact, numbers 0 to 255.
///
/// flow: the light of each image is divided into 240 grains of equal mass, which are paired so that the sum of squared ways is least (optimal
/// transport; the assignment is exact, by shortest augmenting paths, Jonker and Volgenant 1987); grain i stands at (1 − t) a_i + t b_π(i) and is drawn
/// as a soft dot. Strokes move and bend, where mixing would fade one out and the other in. What dots do not show of a and b (edges, grain) fades
/// out within the first and in within the last third of the way.
class ImageMorph {
public:
    ImageMorph(std::span<const float> a, std::span<const float> b, ImageShape shape, MorphKind kind);

    std::vector<float> at(double t) const;   ///< t is cut to [0, 1]
    MorphKind kind() const { return kind_; }

private:
    using Place = std::array<float, 2>;   // x, y in pixels
    std::vector<float> dots(double t) const;

    ImageShape shape_;
    MorphKind kind_;
    std::vector<float> a_, b_;
    std::vector<Place> from_, to_;   // paired; empty: nothing to move, mixed
    double light_a_ = 0, light_b_ = 0;
    std::vector<float> rest_a_, rest_b_;   // a and b less their dots
};

}   // namespace credence
