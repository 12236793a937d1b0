// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"
#include "images/strokes.h"

#include <string>
#include <vector>

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

/// Draws traffic signs in colour, 32×32: the sign designs on a board that is rotated,
/// tilted (perspective), moved and scaled,
/// faded, shaded and partly hidden by leaves or a branch, on a pole in front of coloured blobs and
/// edges; seen by a camera with defocus, motion blur, exposure,
/// contrast, colour cast, haze and noise. Image i is a function of (sequence, seed, difficulty, i),
/// with the same bits for any number of threads;
/// each group of as many images as classes contains one of each class in random order.
/// @throws Error if n is not 1 to 1,000,000, first is above 10^8, or difficulty is not 0 to 1
ImageSet draw_traffic_signs(const TrafficSignOptions& options);

enum class SignInk { red, white, blue, yellow, black, green, grey };

/// One layer of paint. x to the right, y down, the sign has a radius of about 1 around (0, 0).
struct SignPart {
    SignInk ink = SignInk::black;
    PenStroke points;   ///< the corners of a convex area, or a line
    double pen = 0;     ///< half the width of the line; 0: an area
};

/// A printed sign: its parts are painted over one another, the first at the bottom.
struct SignDesign {
    std::string name;   ///< "Speed limit 30"
    std::vector<SignPart> parts;
};

/// Two dozen signs, own drawings modelled on European signs: shape × colour × pictogram. Their
/// indices are the classes.
const std::vector<SignDesign>& sign_designs();

}   // namespace credence
