// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/scores.h"

#include "foundation/error.h"
#include "foundation/finite.h"
#include "prediction/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace credence {

namespace {

void require_labels(const ClassPredictions& predictions, std::span<const int> labels)
{
    if (static_cast<int>(labels.size()) != predictions.n_inputs)
        throw Error("Scores: " + std::to_string(labels.size()) + " labels for " + std::to_string(predictions.n_inputs)
                    + " predictions.");
    for (const int y : labels)
        if (y < 0 || y >= predictions.n_classes)
            throw Error("Scores: label " + std::to_string(y) + " found, expected 0 to "
                        + std::to_string(predictions.n_classes - 1) + ".");
}

double mean_of(const char* each, std::span<const double> values)
{
    require_finite(each, values);
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}   // namespace

std::vector<double> nll_each(const ClassPredictions& predictions, std::span<const int> labels)
{
    require_labels(predictions, labels);
    require_finite("Scores: mean probability", predictions.mean);
    std::vector<double> nll;
    for (int i = 0; i < predictions.n_inputs; ++i)
        nll.push_back(-predictions.log_mean_of(i, labels[i]) + 0.0);   // no −0
    return nll;
}

std::vector<double> brier_each(const ClassPredictions& predictions, std::span<const int> labels)
{
    require_labels(predictions, labels);
    require_finite("Scores: mean probability", predictions.mean);
    std::vector<double> brier(predictions.n_inputs, 0);
    for (int i = 0; i < predictions.n_inputs; ++i)
        for (int k = 0; k < predictions.n_classes; ++k) {
            const double gap = predictions.mean_of(i)[k] - (k == labels[i] ? 1 : 0);
            brier[i] += gap * gap;
        }
    return brier;
}

std::vector<char> correct_each(const ClassPredictions& predictions, std::span<const int> labels)
{
    require_labels(predictions, labels);
    std::vector<char> correct;
    for (int i = 0; i < predictions.n_inputs; ++i)
        correct.push_back(predictions.predicted[i] == labels[i]);
    return correct;
}

double mean_max_confidence(const ClassPredictions& predictions)
{
    if (predictions.confidence.empty())
        throw Error("Mean confidence: there are no predictions.");
    return mean_of("Mean confidence: confidence", predictions.confidence);
}

ClassificationScores classification_scores(const ClassPredictions& predictions, std::span<const int> labels)
{
    if (predictions.n_inputs == 0)
        throw Error("Scores: there are no predictions to score.");
    const auto nll     = nll_each(predictions, labels);
    const auto correct = correct_each(predictions, labels);
    const auto right   = std::count(correct.begin(), correct.end(), 1);

    ClassificationScores out;
    out.n                       = predictions.n_inputs;
    out.accuracy                = static_cast<double>(right) / out.n;
    out.error                   = static_cast<double>(out.n - right) / out.n;
    out.impossible              = std::count_if(nll.begin(), nll.end(), [](double one) { return std::isinf(one); });
    out.log_likelihood_sum      = -std::accumulate(nll.begin(), nll.end(), 0.0);
    out.nll                     = -out.log_likelihood_sum / out.n;
    out.brier                   = mean_of("Scores: Brier score", brier_each(predictions, labels));
    out.brier_class_mean        = out.brier / predictions.n_classes;
    out.ece                     = expected_calibration_error(reliability_bins(predictions.confidence, correct));
    out.mmc                     = mean_max_confidence(predictions);
    out.mean_entropy            = mean_of("Scores: entropy", predictions.entropy);
    out.mean_expected_entropy   = mean_of("Scores: expected entropy", predictions.expected_entropy);
    out.mean_mutual_information = mean_of("Scores: mutual information", predictions.mutual_information);
    return out;
}

double auroc(std::span<const double> positive, std::span<const double> negative)
{
    if (positive.empty() || negative.empty())
        throw Error("AUROC: " + std::to_string(positive.size()) + " positive and " + std::to_string(negative.size())
                    + " negative scores, expected at least one of each.");
    require_no_nan("AUROC: positive score", positive);
    require_no_nan("AUROC: negative score", negative);
    std::vector<std::pair<double, bool>> all;   // score, is positive
    for (const double score : positive)
        all.emplace_back(score, true);
    for (const double score : negative)
        all.emplace_back(score, false);
    std::sort(all.begin(), all.end());

    // Twice the number of correctly ordered (positive, negative) pairs, ties counted once: exact
    // whole numbers.
    double wins = 0, negatives_below = 0;
    for (std::size_t i = 0; i < all.size();) {
        double tied_positive = 0, tied_negative = 0;
        const double score = all[i].first;
        for (; i < all.size() && all[i].first == score; ++i)
            (all[i].second ? tied_positive : tied_negative) += 1;
        wins += tied_positive * (2 * negatives_below + tied_negative);
        negatives_below += tied_negative;
    }
    return wins / (2 * static_cast<double>(positive.size()) * static_cast<double>(negative.size()));
}

std::vector<long> confusion_counts(const ClassPredictions& predictions, std::span<const int> labels)
{
    require_labels(predictions, labels);
    std::vector<long> counts(static_cast<std::size_t>(predictions.n_classes) * predictions.n_classes, 0);
    for (int i = 0; i < predictions.n_inputs; ++i)
        ++counts[static_cast<std::size_t>(labels[i]) * predictions.n_classes + predictions.predicted[i]];
    return counts;
}

}   // namespace credence
