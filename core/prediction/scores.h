// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/class_predictions.h"

namespace credence {

/// nll_i = −ln p̄_i[y_i], nats [N]: from log probabilities, without a floor. Infinite if all
/// samples give the true class probability 0 exactly; a
/// softmax never does, but probabilities that were rounded when saved can.
std::vector<double> nll_each(const ClassPredictions& predictions, std::span<const int> labels);
/// Σ_k (p̄_ik − 1[k = y_i])², summed over classes: in [0, 2] [N]. Posch and Pilz 2021 report this
/// one (docs/maths.md, section 12).
std::vector<double> brier_each(const ClassPredictions& predictions, std::span<const int> labels);
/// 1 if the predicted class is the true one [N].
std::vector<char> correct_each(const ClassPredictions& predictions, std::span<const int> labels);

/// Scores of N labelled inputs (docs/maths.md, section 8).
struct ClassificationScores {
    int n           = 0;
    double accuracy = 0, error = 0;       ///< shares
    double nll                     = 0;   ///< mean of nll_each, nats per example
    double log_likelihood_sum      = 0;   ///< −Σ nll_each, nats: "log-likelihood" of Posch and Pilz 2021
    double brier                   = 0;   ///< mean of brier_each: summed over classes
    double brier_class_mean        = 0;   ///< brier / K
    long impossible                = 0;   ///< rows whose true class has probability 0: nll is infinite if there are any
    double ece                     = 0;   ///< 15 bins, calibration.h
    double mmc                     = 0;   ///< mean of max p̄
    double mean_entropy            = 0;   ///< mean of H(p̄), nats
    double mean_expected_entropy   = 0;   ///< nats
    double mean_mutual_information = 0;   ///< nats
};
/// @throws Error if there are no inputs, labels do not match the predictions, or a prediction is
/// not finite
ClassificationScores classification_scores(const ClassPredictions& predictions, std::span<const int> labels);

/// MMC = mean of the confidences max p̄.
double mean_max_confidence(const ClassPredictions& predictions);

/// Area under the ROC curve = P(score of a positive > score of a negative) + ½ P(equal), from ranks
/// in O(n log n). Out of distribution: positives are the in-distribution inputs, the score is
/// confidence (confidence_scores) or −entropy.
/// Infinite scores are ordered like others. @throws Error if one side is empty or a score is NaN
double auroc(std::span<const double> positive, std::span<const double> negative);

/// counts[true × K + predicted] [K × K].
std::vector<long> confusion_counts(const ClassPredictions& predictions, std::span<const int> labels);

}   // namespace credence
