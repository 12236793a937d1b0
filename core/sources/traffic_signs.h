// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"

namespace credence {

/// Training and test images are two sequences without common random numbers: the test images do not
/// depend on the number of training images.
enum class SignSequence { training, test };

struct TrafficSignOptions {
    SignSequence sequence = SignSequence::training;
    std::size_t n         = 8000;
    std::size_t first     = 0;   ///< index of the first image in the sequence
    std::uint64_t seed    = 1;
    double difficulty =
        0.5;   ///< strength of all distortions; 0: a clean sign on a plain background, 1: hardly readable
};

/// Draws traffic signs in colour, 32×32: the designs of sign_designs.h on a board that is rotated,
/// tilted (perspective), moved and scaled,
/// faded, shaded and partly hidden by leaves or a branch, on a pole in front of coloured blobs and
/// edges; seen by a camera with defocus, motion blur, exposure,
/// contrast, colour cast, haze and noise. Image i is a function of (sequence, seed, difficulty, i),
/// with the same bits for any number of threads;
/// each group of as many images as classes contains one of each class in random order.
/// @throws Error if n is not 1 to 1,000,000, first is above 10^8, or difficulty is not 0 to 1
ImageSet draw_traffic_signs(const TrafficSignOptions& options);

}   // namespace credence
