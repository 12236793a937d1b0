// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/classes_side_by_side.h"

#include <algorithm>
#include <numeric>

namespace credence {

namespace {

constexpr std::size_t most_side_by_side = 60, shown_of_more = 30;

}   // namespace

std::vector<std::size_t> classes_side_by_side(std::span<const double> means, std::optional<int> true_class)
{
    std::vector<std::size_t> classes(means.size());
    std::iota(classes.begin(), classes.end(), std::size_t{0});
    if (means.size() <= most_side_by_side)
        return classes;
    std::partial_sort(classes.begin(), classes.begin() + shown_of_more, classes.end(),
                      [&](std::size_t a, std::size_t b) { return means[a] != means[b] ? means[a] > means[b] : a < b; });
    classes.resize(shown_of_more);
    if (true_class && !place_among(classes, true_class))
        classes.push_back(static_cast<std::size_t>(*true_class));
    return classes;
}

std::optional<int> place_among(std::span<const std::size_t> shown, std::optional<int> k)
{
    if (!k)
        return {};
    const auto found = std::find(shown.begin(), shown.end(), static_cast<std::size_t>(*k));
    return found == shown.end() ? std::optional<int>() : static_cast<int>(found - shown.begin());
}

std::string text_of_classes_side_by_side(std::size_t n_classes)
{
    return n_classes <= most_side_by_side ? std::string()
                                          : " Of " + std::to_string(n_classes) + " classes the "
                                                + std::to_string(shown_of_more) + " most probable are drawn.";
}

}   // namespace credence
