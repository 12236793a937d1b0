// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/posterior_predictive.h"

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

/// Returns the position of class k among the shown classes, if it is shown.
std::optional<int> place_among(std::span<const std::size_t> shown, std::optional<int> k);

/// " Of 1000 classes the 30 most probable are drawn."; empty if all are.
std::string text_of_classes_side_by_side(std::size_t n_classes);

/// Range of an axis of class probabilities with boxes or bars: those at 0 and at 1 are fully
/// visible.
inline constexpr Range probability_range{-0.02, 1.02};

/// Quartiles of type 7; whiskers extend to the farthest values within 1.5 interquartile ranges of
/// the quartiles; values beyond are outliers.
/// @param values  at least one
Box box_of(std::span<const double> values);

/// Sampled outputs at one input, a box for each class (or one box of f).
struct Boxplots {
    std::vector<std::string> names;   ///< [n_boxes]
    std::vector<Box> boxes;           ///< positions 0, 1, …
    std::vector<double> means;        ///< p̄
    int n_samples = 0;
    std::optional<int> predicted;       ///< classification
    std::optional<int> true_class;      ///< if known
    std::optional<double> true_value;   ///< regression, if known
    std::string quantity = "Class probability";
};

Boxplots boxplots(const SampleView<float>& probabilities, int input, const std::vector<std::string>& class_names,
                  std::optional<int> true_class = {});
/// One box of the draws of f. @param f [S], target units
Boxplots boxplots(std::span<const double> f, const std::string& target_name, std::optional<double> true_value = {});

/// Class names for the axis: "4 ✓" is the true class and "9 ✗" a wrong prediction; with few classes
/// also in words: "4 ✓ predicted".
std::vector<std::string> marked_names(const std::vector<std::string>& names, std::optional<int> predicted,
                                      std::optional<int> true_class);
/// "true 4, predicted 9"; empty for few classes, whose names contain the words.
std::string marks_in_words(const std::vector<std::string>& names, std::optional<int> predicted,
                           std::optional<int> true_class);

Chart to_chart(const Boxplots& boxplots);

}   // namespace credence
