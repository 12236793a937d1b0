// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"

namespace credence {

enum class StrokeAlphabet {
    digits,    ///< 0 to 9: the built-in training data
    letters,   ///< A to J: drawn by the same generator, as out-of-distribution data for the digits
};

struct StrokeOptions {
    StrokeAlphabet alphabet = StrokeAlphabet::digits;
    std::size_t n           = 10000;
    std::size_t first       = 0;   ///< index of the first image in the sequence
    std::uint64_t seed      = 1;
    double variation        = 1;   ///< of all random variations; 0 draws the plain shapes, 2 is scribbled
};

/// Draws images, 28×28, white on black, about 20 pixels high and centred by mass as in MNIST. Each
/// shows a character in one of
/// its shapes, with moved points, bending, slant, rotation, stretching and shift, and its own pen
/// width and pressure. Strokes end
/// early or late, so that some loops stay open. Image i is a function of (alphabet, seed, i); ten
/// images starting at a multiple of ten
/// contain one of each class in random order.
/// @throws Error if n is not 1 to 1,000,000, first is above 10^9, or variation is not 0 to 2
ImageSet draw_strokes(const StrokeOptions& options);

/// The embedded data set: images 0.. for training and the next ones for testing.
ImageData stroke_digits(std::size_t n_training = 10000, std::size_t n_test = 2000, std::uint64_t seed = 1);

}   // namespace credence
