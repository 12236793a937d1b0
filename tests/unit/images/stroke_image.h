// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sources/stroke_digits.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

/// A drawn sign as float pixels, for tests of image transforms.
namespace stroke_image {

inline constexpr credence::ImageShape digit{1, 28, 28};

inline std::vector<float> sign(int which, std::uint64_t seed = 3)
{
    const auto set   = credence::draw_strokes({.n = 10, .seed = seed});
    const auto at    = std::find(set.labels.begin(), set.labels.end(), which) - set.labels.begin();
    const auto bytes = set.image(static_cast<std::size_t>(at));
    return {bytes.begin(), bytes.end()};
}

inline double sum(const std::vector<float>& image) { return std::accumulate(image.begin(), image.end(), 0.0); }

}   // namespace stroke_image
