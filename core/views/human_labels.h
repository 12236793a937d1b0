// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/dataset.h"
#include "prediction/class_predictions.h"
#include "runs/experiment.h"
#include "sources/human_labels.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace credence {

/// Predictions compared with how people labelled the same images (docs/maths.md, section 8). Means
/// over N rows; h are the shares of the human answers.
struct HumanComparison {
    int n                  = 0;
    double human_entropy   = 0;   ///< H(h), nats
    double cross_entropy   = 0;   ///< −Σ h ln p̄, nats
    double divergence      = 0;   ///< KL(h ‖ p̄) = cross-entropy − H(h), nats
    double total_variation = 0;   ///< ½ Σ |h − p̄|, 0 to 1
    double accuracy        = 0;   ///< predicted class = most frequent answer, or one of equally frequent ones
    /// Rank correlation of H(h) with the predictive entropy and with its aleatoric part. Empty: one of
    /// them is the same in all rows.
    std::optional<double> with_entropy{}, with_aleatoric{};
};

/// @param rows    [N] the row of `humans` of each prediction
HumanComparison human_comparison(const ClassPredictions& predictions, std::span<const std::uint32_t> rows,
                                 const HumanLabels& humans);

/// Spearman's correlation: that of the ranks, ties averaged. Empty: all values of one side are equal.
/// @throws Error if a value is NaN
std::optional<double> rank_correlation(std::span<const double> a, std::span<const double> b);

/// The human labels of these rows, or why there are none. Row i must be test image i of CIFAR-10:
/// there are as many rows and classes as in the file, and the most frequent human answer is the true
/// class in more than half of the rows (in CIFAR-10H nearly always, in another order every tenth time).
struct MatchedHumanLabels {
    std::shared_ptr<const HumanLabels> labels{};   ///< null: see why_not
    std::string why_not{};
};
MatchedHumanLabels matched_human_labels(const Experiment& experiment, const Dataset& rows);

}   // namespace credence
