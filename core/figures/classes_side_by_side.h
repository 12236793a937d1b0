// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// The classes that fit side by side in a picture of one input: all of up to 60, in their order. Of
/// more classes, the 30 with the highest mean probability, highest first, and the true class last
/// if it is not among them.
/// @param means  p̄ [K]
std::vector<std::size_t> classes_side_by_side(std::span<const double> means, std::optional<int> true_class);

/// The position of class k among the shown ones, if it is shown.
std::optional<int> place_among(std::span<const std::size_t> shown, std::optional<int> k);

/// " Of 1000 classes the 30 most probable are drawn."; empty if all are.
std::string text_of_classes_side_by_side(std::size_t n_classes);

}   // namespace credence
