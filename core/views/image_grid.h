// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/set_predictions.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

enum class ImageFilter {
    all,
    wrong,               ///< predicted class is not the true one
    uncertain,           ///< by the chosen criterion
    certain_but_wrong,   ///< failures that no threshold on certainty catches
    right,
    certain,   ///< by the chosen criterion; for OOD images the ones to look at first
};

enum class ImageOrder {
    data,                 ///< in the order of the data
    entropy,              ///< highest predictive entropy first
    mutual_information,   ///< highest epistemic part first: the samples disagree
    confidence_falling,   ///< most confident first: with the filter `wrong`, the worst mistakes
    confidence_rising,    ///< least confident first
};

enum class CertaintyCriterion {
    no_overlap,    ///< (i): the credible interval of the predicted class overlaps no other
    probability,   ///< (ii): its mean probability is at least the level
};

/// The user's choices for the grid of a set of labelled images.
struct ImageGridChoice {
    ImageFilter filter           = ImageFilter::all;
    ImageOrder order             = ImageOrder::data;
    CertaintyCriterion criterion = CertaintyCriterion::no_overlap;
    std::optional<int> true_class{}, predicted_class{};   ///< empty: any
    std::vector<std::uint32_t> listed{};                  ///< ascending; empty: any image
    bool operator==(const ImageGridChoice&) const = default;
};

/// The displayed images, and how many each filter would show.
struct ImageGridRows {
    std::vector<std::uint32_t> rows;   ///< of the data, in the chosen order; ties stay in the order
                                       ///< of the data
    long n = 0;                        ///< images in the set
    /// Among the images of the chosen classes.
    long all = 0, wrong = 0, uncertain = 0, certain_but_wrong = 0, right = 0, certain = 0;

    long count(ImageFilter filter) const;
};

/// Returns null if the row has not been predicted yet.
const RowPrediction* prediction_of(std::span<const RowPrediction> predictions, std::size_t row);

bool is_certain(const RowPrediction& row, CertaintyCriterion criterion);

/// @param predictions  [n], or empty; a row that is not predicted yet passes only the filter `all`
/// without a predicted class, and is sorted last
/// @param labels       [n]; -1: unknown, counts as neither right nor wrong
ImageGridRows image_grid_rows(std::span<const RowPrediction> predictions, std::span<const int> labels,
                              const ImageGridChoice& choice);

/// Why the grid is empty: "No image of class 4 predicted as 9 is certain but wrong at α = 0.95."
/// @param own_names  OOD images: names of their own classes; empty: they have the network's classes
std::string empty_grid_sentence(const ImageGridChoice& choice, double level, std::span<const std::string> class_names,
                                std::span<const std::string> own_names = {});

/// The displayed rows as a table: row, true and predicted class, confidence, entropy, mutual
/// information, both verdicts.
/// @param own_names  as above; their own class then replaces the true one
Table image_grid_table(std::span<const std::uint32_t> rows, std::span<const RowPrediction> predictions,
                       std::span<const int> labels, std::span<const std::string> class_names,
                       std::span<const std::string> own_names = {});

}   // namespace credence
