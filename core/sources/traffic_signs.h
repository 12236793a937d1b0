// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"

namespace credence {

/// Training and test images are two sequences that share no random number: the test images stay the same, however many there are for training.
enum class SignSequence { training, test };

struct TrafficSignOptions {
    SignSequence sequence = SignSequence::training;
    std::size_t n         = 8000;
    std::size_t first     = 0;   ///< number of the first image: any stretch of the sequence
    std::uint64_t seed    = 1;
    double difficulty =
        0.5;   ///< of everything that disturbs; 0: the sign as it is printed on a plain ground, 1: hardly to be read
};

/// Traffic signs that the program draws by itself, colours, 32×32: the designs of sign_designs.h on a board that is turned, tilted (perspective), moved and scaled,
/// faded, shaded and partly hidden by leaves or a branch, on a pole before coloured blobs and edges; seen by a camera out of focus, in motion, with exposure,
/// contrast, colour cast and haze of the day, and noise of its own. Image i is a function of (sequence, seed, difficulty, i), the same bits for any number of threads;
/// as many images as there are classes, from a multiple of that on, are one of each class in random order.
/// @throws Error if n is not 1 to 1,000,000, first is above 10^8, or difficulty is not 0 to 1
ImageSet draw_traffic_signs(const TrafficSignOptions& options);

}   // namespace credence
