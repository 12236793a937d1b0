// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/class_predictions.h"

#include <optional>

namespace credence {

/// Share of positives and of negatives with a score of at least t, for t from +∞ down. Equal scores
/// are one slanted segment, so that the area under the curve is P(positive > negative) + ½
/// P(equal), as in `auroc` (scores.h).
struct RocCurve {
    std::vector<double> false_positive{}, true_positive{};   ///< corners from (0, 0) to (1, 1), both ascending
    double area    = 0;
    long positives = 0, negatives = 0;
};

/// @param positive  1 for inputs that should have a high score [N]
/// @throws Error if one side is empty or a score is not a number
RocCurve roc_curve(std::span<const double> scores, std::span<const char> positive);

/// The curve whose height at each false positive rate is the mean height of `curves`; its area is
/// the mean of theirs. At least one curve.
RocCurve mean_curve(std::span<const RocCurve* const> curves);

/// One against all: the score of class k is p̄_k, positive are the inputs of class k (Steinbrener
/// et al. 2020, Fig. 3).
struct OneAgainstAll {
    std::vector<std::optional<RocCurve>> classes{};   ///< [K]; empty for a class that no or all inputs have
    std::optional<RocCurve> mean{};                   ///< over the classes with a curve
};
OneAgainstAll one_against_all(const ClassPredictions& predictions, std::span<const int> labels);

}   // namespace credence
