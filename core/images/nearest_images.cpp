// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_transforms.h"

#include "foundation/error.h"
#include "foundation/parallel.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <string>

namespace credence {

namespace {

constexpr std::size_t chunk = 512;   // images: 1.6 MB at 28×28

bool before(const NearImage& a, const NearImage& b)
{
    return a.distance != b.distance ? a.distance < b.distance : a.index < b.index;
}

}   // namespace

std::vector<NearImage> nearest_images(std::span<const float> images, std::span<const float> image, std::size_t k,
                                      std::stop_token stop)
{
    const std::size_t d = image.size();
    if (d == 0 || images.size() % d != 0)
        throw Error("Nearest images: an image of " + std::to_string(d) + " numbers cannot be compared with images of "
                    + std::to_string(images.size()) + " numbers together.");
    const std::size_t n = images.size() / d;
    // Squared distances; one heap per chunk, farthest on top.
    std::vector<std::vector<NearImage>> best((n + chunk - 1) / chunk);
    const Eigen::Map<const Eigen::ArrayXf> wanted(image.data(), static_cast<Eigen::Index>(d));
    parallel_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
        if (stop.stop_requested())
            return;
        auto& heap = best[begin / chunk];
        for (std::size_t i = begin; i < end; ++i) {
            const Eigen::Map<const Eigen::ArrayXf> candidate(images.data() + i * d, static_cast<Eigen::Index>(d));
            const NearImage near{i, static_cast<double>((candidate - wanted).square().sum())};
            if (heap.size() == k) {
                if (k == 0 || !before(near, heap.front()))
                    continue;
                std::pop_heap(heap.begin(), heap.end(), before);
                heap.back() = near;
            } else {
                heap.push_back(near);
            }
            std::push_heap(heap.begin(), heap.end(), before);
        }
    });
    if (stop.stop_requested())
        return {};
    std::vector<NearImage> all;
    for (const auto& heap : best)
        all.insert(all.end(), heap.begin(), heap.end());
    std::sort(all.begin(), all.end(), before);
    all.resize(std::min(k, all.size()));
    for (NearImage& near : all)
        near.distance = std::sqrt(near.distance);
    return all;
}

}   // namespace credence
