// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/traffic_signs.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/stopped.h"
#include "random/noise.h"
#include "sources/sign_scene.h"

#include <algorithm>

namespace credence {

namespace {

// Keys of the stream Stream::data not used by strokes and toys. One per image, and one per round of
// all classes.
constexpr std::uint32_t sign_key(SignSequence sequence, std::size_t i)
{
    return (sequence == SignSequence::training ? 0xc0000000u : 0xe0000000u) + static_cast<std::uint32_t>(i);
}
constexpr std::uint32_t round_key(SignSequence sequence, std::size_t round)
{
    return (sequence == SignSequence::training ? 0x14000000u : 0x18000000u) + static_cast<std::uint32_t>(round);
}

}   // namespace

ImageSet draw_traffic_signs(const TrafficSignOptions& options)
{
    if (options.n < 1 || options.n > 1'000'000)
        throw Error("data.n", "Number of images is " + std::to_string(options.n) + ", expected 1 to 1000000.");
    if (options.first > 100'000'000)
        throw Error("data.first",
                    "Number of the first image is " + std::to_string(options.first) + ", expected 0 to 100000000.");
    if (!(options.difficulty >= 0 && options.difficulty <= 1))
        throw Error("data.difficulty",
                    "Difficulty is " + number_text(options.difficulty, 6) + ", expected a number from 0 to 1.");

    const std::vector<SignDesign>& designs = sign_designs();
    const std::size_t classes              = designs.size();
    ImageSet set;
    set.name     = "Traffic signs";
    set.n        = options.n;
    set.channels = 3;
    set.height = set.width = sign_side;
    for (const SignDesign& design : designs)
        set.class_names.push_back(design.name);
    set.pixels.resize(set.n * 3 * sign_plane);
    std::vector<std::uint32_t> order(classes);
    for (std::size_t k = 0; k < set.n; ++k) {
        const std::size_t i = options.first + k;
        if (k == 0 || i % classes == 0)
            permutation({options.seed, Stream::data, round_key(options.sequence, i / classes)}, order);
        set.labels.push_back(static_cast<int>(order[i % classes]));
    }
    constexpr std::size_t at_once = 256;   // images between two checks of the stop token
    for (std::size_t begin = 0; begin < set.n; begin += at_once) {
        stop_point();
        parallel_for(std::min(at_once, set.n - begin), [&](std::size_t j) {
            const std::size_t k = begin + j;
            draw_sign(designs[static_cast<std::size_t>(set.labels[k])],
                      {options.seed, Stream::data, sign_key(options.sequence, options.first + k)}, options.difficulty,
                      std::span(set.pixels).subspan(k * 3 * sign_plane, 3 * sign_plane));
        });
    }
    return set;
}

}   // namespace credence
