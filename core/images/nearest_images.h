// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

namespace credence {

struct NearImage {
    std::size_t index                       = 0;
    double distance                         = 0;   ///< √Σ (a − b)², in the units of the images
    bool operator==(const NearImage&) const = default;
};

/// Returns the `k` images nearest to `image`, or all of them if there are fewer. Sorted by
/// distance, ties by index. The work is split into fixed chunks, so the result is the same for any
/// number of threads. Empty if `stop` is requested.
/// @param images  [n × pixels], n = images.size() / image.size()
/// @throws Error  if `image` is empty or its size does not divide that of `images`
std::vector<NearImage> nearest_images(std::span<const float> images, std::span<const float> image, std::size_t k,
                                      std::stop_token stop = {});

}   // namespace credence
