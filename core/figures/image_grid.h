// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/row_predictions.h"

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
    certain_but_wrong,   ///< the failures that no threshold on certainty catches
    right,
    certain,   ///< by the chosen criterion: of foreign images those to look at first
};

enum class ImageOrder {
    data,                 ///< as they stand in the data
    entropy,              ///< most predictive entropy first: where the doubt is
    mutual_information,   ///< most epistemic part first: where the draws disagree
    confidence_falling,   ///< surest first: with the filter `wrong`, the worst mistakes
    confidence_rising,    ///< least sure first
};

enum class CertaintyCriterion {
    no_overlap,    ///< (i): the credible interval of the predicted class meets no other one
    probability,   ///< (ii): its mean probability is at least the level
};

/// What the user wants to see of a set of labelled images.
struct ImageGridChoice {
    ImageFilter filter           = ImageFilter::all;
    ImageOrder order             = ImageOrder::data;
    CertaintyCriterion criterion = CertaintyCriterion::no_overlap;
    std::optional<int> true_class{}, predicted_class{};   ///< empty: any
    bool operator==(const ImageGridChoice&) const = default;
};

/// The images on show and how many each filter would show.
struct ImageGridRows {
    std::vector<std::uint32_t> rows;   ///< of the data, in the order chosen; equal ones stay in the order of the data
    long n = 0;                        ///< images in the set
    /// Among the images of the chosen classes.
    long all = 0, wrong = 0, uncertain = 0, certain_but_wrong = 0, right = 0, certain = 0;

    long count(ImageFilter filter) const;
};

/// Null: not predicted yet.
const RowPrediction* prediction_of(std::span<const RowPrediction> predictions, std::size_t row);

bool is_certain(const RowPrediction& row, CertaintyCriterion criterion);

/// @param predictions  [n], or none at all; a row that is not predicted yet passes the filter `all` without a predicted class only, and comes last
/// @param labels       [n]; -1: not known, which is neither right nor wrong
ImageGridRows image_grid_rows(std::span<const RowPrediction> predictions, std::span<const int> labels,
                              const ImageGridChoice& choice);

/// Why the grid is empty: "No image of class 4 predicted as 9 is certain but wrong at α = 0.95."
/// @param own_names  foreign images: names of their own classes; empty: they are of the network's classes
std::string empty_grid_sentence(const ImageGridChoice& choice, double level, std::span<const std::string> class_names,
                                std::span<const std::string> own_names = {});

/// The rows on show as a table: row, true and predicted class, confidence, entropy, mutual information, both verdicts.
/// @param own_names  as above; their own class then stands in place of the true one
Table image_grid_table(std::span<const std::uint32_t> rows, std::span<const RowPrediction> predictions,
                       std::span<const int> labels, std::span<const std::string> class_names,
                       std::span<const std::string> own_names = {});

}   // namespace credence
