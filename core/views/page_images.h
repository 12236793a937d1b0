// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/image_page.h"
#include "views/scored_predictions.h"

#include <algorithm>

/// Pages of images: the prediction of each, and their order.
namespace credence::view_support {

PageImage page_image(const ScoredPredictions& predictions, std::size_t i, Picture picture);

/// Converts row `row` of the network's inputs back to bytes.
Picture picture_at(const Experiment& experiment, std::span<const float> inputs, std::size_t row);

/// The first `most` of 0..n−1 that satisfy `wanted`, by decreasing score; equal scores stay in
/// order.
template <class Wanted, class Score>
std::vector<std::size_t> highest(std::size_t n, std::size_t most, Wanted wanted, Score score)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < n; ++i)
        if (wanted(i))
            order.push_back(i);
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
    std::partial_sort(order.begin(), middle, order.end(),
                      [&](std::size_t a, std::size_t b) { return score(a) != score(b) ? score(a) > score(b) : a < b; });
    order.erase(middle, order.end());
    return order;
}
inline bool any_row(std::size_t) { return true; }

/// Adds the name of the set and the setting to the caption.
Chart on_images(Chart chart, const RunSnapshot& moment, const ScoredPredictions& scored);

}   // namespace credence::view_support
