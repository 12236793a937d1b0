// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/class_predictions.h"

#include <optional>

namespace credence {

/// nll_i = −ln p̄_i[y_i], nats [N]: from log probabilities, without a floor. Infinite if all
/// samples give the true class probability 0 exactly; a
/// softmax never does, but probabilities that were rounded when saved can.
std::vector<double> nll_each(const ClassPredictions& predictions, std::span<const int> labels);
/// Σ_k (p̄_ik − 1[k = y_i])², summed over classes: in [0, 2] [N]. Posch and Pilz 2021 report this
/// form (docs/maths.md, section 12).
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

/// Share of positives and of negatives with a score of at least t, for t from +∞ down. Equal scores
/// are one slanted segment, so that the area under the curve is P(positive > negative) + ½
/// P(equal), as in `auroc`.
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

/// How well a network separates in-distribution from out-of-distribution inputs, by three measures
/// of uncertainty (docs/maths.md, section 8; Hobbhahn 2020, Table 5.1).
/// AUROC = P(in is more certain than out) + ½ P(equal): 1 if every OOD input is more uncertain, ½
/// if the network cannot separate them.
struct OutOfDistribution {
    long n_in = 0, n_out = 0;
    double mmc_in = 0, mmc_out = 0;                             ///< mean of max p̄
    double mean_entropy_in = 0, mean_entropy_out = 0;           ///< of H(p̄), nats
    double mean_information_in = 0, mean_information_out = 0;   ///< of H(p̄) − E H(p_s), nats
    double auroc_confidence  = 0.5;                             ///< score max p̄, by confidence_scores
    double auroc_entropy     = 0.5;                             ///< score −H(p̄)
    double auroc_information = 0.5;                             ///< score −(H(p̄) − E H(p_s))
};
/// @throws Error if one side is empty or the two have different classes
OutOfDistribution out_of_distribution(const ClassPredictions& in, const ClassPredictions& out);

}   // namespace credence
