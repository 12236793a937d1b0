// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"

namespace credence {

enum class StrokeAlphabet {
    digits,    ///< 0 to 9: the data set for trying things out
    letters,   ///< A to J: drawn by the same hand, for asking what a net that learned digits says of something else
};

struct StrokeOptions {
    StrokeAlphabet alphabet = StrokeAlphabet::digits;
    std::size_t n           = 10000;
    std::size_t first       = 0;   ///< number of the first image: one sequence, cut as one likes
    std::uint64_t seed      = 1;
    double variation = 1;   ///< of every random part of the hand; 0 draws each shape as it is printed, 2 is a scribble
};

/// Images that the program draws by itself, 28×28, white on black, about 20 pixels high and centred by mass as MNIST's: each a sign in one of
/// its shapes, the points moved, the sheet bent, slanted, turned, stretched and shifted, by a pen of its own width and pressure. Strokes end
/// early or late, so that loops stay open now and then. Image i is a function of (alphabet, seed, i); ten images from a multiple of ten on
/// are one of each class in random order.
/// @throws Error if n is not 1 to 1,000,000, first is above 10^9, or variation is not 0 to 2
ImageSet draw_strokes(const StrokeOptions& options);

/// The embedded data set: images 0.. for training and the next ones for testing.
ImageData stroke_digits(std::size_t n_training = 10000, std::size_t n_test = 2000, std::uint64_t seed = 1);

}   // namespace credence
