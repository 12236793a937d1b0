// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/scores.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/statistics.h"
#include "prediction/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

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

double finite_mean(const char* each, std::span<const double> values)
{
    require_finite(each, values);
    return mean_of(values);
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
    return finite_mean("Mean confidence: confidence", predictions.confidence);
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
    out.brier                   = finite_mean("Scores: Brier score", brier_each(predictions, labels));
    out.brier_class_mean        = out.brier / predictions.n_classes;
    out.ece                     = expected_calibration_error(reliability_bins(predictions.confidence, correct));
    out.mmc                     = mean_max_confidence(predictions);
    out.mean_entropy            = finite_mean("Scores: entropy", predictions.entropy);
    out.mean_expected_entropy   = finite_mean("Scores: expected entropy", predictions.expected_entropy);
    out.mean_mutual_information = finite_mean("Scores: mutual information", predictions.mutual_information);
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

namespace {

/// Adds a corner; drops corners on the straight line between their neighbours.
class Corners {
public:
    Corners(RocCurve& curve, long positives, long negatives)
        : curve_(curve), positives_(positives), negatives_(negatives)
    {
        put(0, 0);
    }

    void add(long false_positives, long true_positives)
    {
        const long dx = false_positives - x_, dy = true_positives - y_;
        if (curve_.false_positive.size() > 1 && dx * last_dy_ == dy * last_dx_) {   // whole numbers: exact
            curve_.false_positive.pop_back();
            curve_.true_positive.pop_back();
            last_dx_ += dx;
            last_dy_ += dy;
        } else {
            last_dx_ = dx;
            last_dy_ = dy;
        }
        put(false_positives, true_positives);
    }

private:
    void put(long x, long y)
    {
        x_ = x;
        y_ = y;
        curve_.false_positive.push_back(static_cast<double>(x) / static_cast<double>(negatives_));
        curve_.true_positive.push_back(static_cast<double>(y) / static_cast<double>(positives_));
    }

    RocCurve& curve_;
    long positives_, negatives_;
    long x_ = 0, y_ = 0, last_dx_ = 0, last_dy_ = 0;
};

}   // namespace

RocCurve roc_curve(std::span<const double> scores, std::span<const char> positive)
{
    if (scores.size() != positive.size())
        throw Error("ROC: " + std::to_string(scores.size()) + " scores for " + std::to_string(positive.size())
                    + " inputs.");
    std::vector<std::pair<double, char>> all;
    all.reserve(scores.size());
    RocCurve out;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        if (std::isnan(scores[i]))
            throw Error("ROC: score " + std::to_string(i) + " is not a number.");
        all.emplace_back(scores[i], positive[i]);
        ++(positive[i] ? out.positives : out.negatives);
    }
    if (out.positives == 0 || out.negatives == 0)
        throw Error("ROC: found " + std::to_string(out.positives) + " positive and " + std::to_string(out.negatives)
                    + " negative inputs, expected some of both.");
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });

    Corners corners(out, out.positives, out.negatives);
    long true_positives = 0, false_positives = 0;
    double twice_area = 0;   // in units of one positive times one negative: whole numbers, exact
    for (std::size_t i = 0; i < all.size();) {
        const double score  = all[i].first;
        long tied_positives = 0, tied_negatives = 0;
        for (; i < all.size() && all[i].first == score; ++i)
            ++(all[i].second ? tied_positives : tied_negatives);
        twice_area += static_cast<double>(tied_negatives) * static_cast<double>(2 * true_positives + tied_positives);
        true_positives += tied_positives;
        false_positives += tied_negatives;
        corners.add(false_positives, true_positives);
    }
    out.area = twice_area / (2 * static_cast<double>(out.positives) * static_cast<double>(out.negatives));
    return out;
}

RocCurve mean_curve(std::span<const RocCurve* const> curves)
{
    if (curves.empty())
        throw Error("ROC: the mean of no curves was requested.");
    RocCurve out;
    std::vector<double> places;
    for (const auto* curve : curves) {
        places.insert(places.end(), curve->false_positive.begin(), curve->false_positive.end());
        out.area += curve->area;
        out.positives += curve->positives;
        out.negatives += curve->negatives;
    }
    out.area /= static_cast<double>(curves.size());
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());

    // A vertical rise has two heights at one position: from the left and from the right.
    std::vector<double> left(places.size(), 0), right(places.size(), 0);
    for (const auto* curve : curves) {
        const auto& x  = curve->false_positive;
        const auto& y  = curve->true_positive;
        std::size_t at = 0;   // first corner at or to the right of the position
        for (std::size_t j = 0; j < places.size(); ++j) {
            while (at < x.size() && x[at] < places[j])
                ++at;
            if (x[at] == places[j]) {
                left[j] += y[at];
                while (at + 1 < x.size() && x[at + 1] == places[j])
                    ++at;
                right[j] += y[at];
                continue;
            }
            const double share = (places[j] - x[at - 1]) / (x[at] - x[at - 1]);
            const double y_at  = y[at - 1] + share * (y[at] - y[at - 1]);
            left[j] += y_at;
            right[j] += y_at;
        }
    }
    const auto n = static_cast<double>(curves.size());
    for (std::size_t j = 0; j < places.size(); ++j) {
        out.false_positive.push_back(places[j]);
        out.true_positive.push_back(left[j] / n);
        if (right[j] != left[j]) {
            out.false_positive.push_back(places[j]);
            out.true_positive.push_back(right[j] / n);
        }
    }
    return out;
}

OneAgainstAll one_against_all(const ClassPredictions& predictions, std::span<const int> labels)
{
    if (labels.size() != static_cast<std::size_t>(predictions.n_inputs))
        throw Error("ROC: " + std::to_string(labels.size()) + " labels for " + std::to_string(predictions.n_inputs)
                    + " predictions.");
    OneAgainstAll out;
    out.classes.resize(static_cast<std::size_t>(predictions.n_classes));
    parallel_chunks(out.classes.size(), 1, [&](std::size_t begin, std::size_t end) {   // expensive for 1,000 classes
        std::vector<double> scores(labels.size());
        std::vector<char> positive(labels.size());
        for (std::size_t k = begin; k < end; ++k) {
            for (std::size_t i = 0; i < labels.size(); ++i) {
                scores[i]   = predictions.mean_of(static_cast<int>(i))[k];
                positive[i] = labels[i] == static_cast<int>(k);
            }
            const auto n = std::count(positive.begin(), positive.end(), 1);
            if (n > 0 && n < static_cast<long>(labels.size()))
                out.classes[k] = roc_curve(scores, positive);
        }
    });
    std::vector<const RocCurve*> known;
    for (const auto& curve : out.classes)
        if (curve)
            known.push_back(&*curve);
    if (!known.empty())
        out.mean = mean_curve(known);
    return out;
}

namespace {

/// AUROC with uncertainty as the score: lower uncertainty is a higher score.
double auroc_of_uncertainty(const std::vector<double>& in, const std::vector<double>& out)
{
    return auroc(out, in);   // P(uncertainty of OOD > uncertainty of ID): the same as with both signs reversed
}

}   // namespace

OutOfDistribution out_of_distribution(const ClassPredictions& in, const ClassPredictions& out)
{
    if (in.n_inputs == 0 || out.n_inputs == 0)
        throw Error("Out of distribution: found " + std::to_string(in.n_inputs) + " inputs of the data and "
                    + std::to_string(out.n_inputs) + " OOD inputs, expected some of both.");
    if (in.n_classes != out.n_classes)
        throw Error("Out of distribution: predictions of " + std::to_string(in.n_classes) + " and of "
                    + std::to_string(out.n_classes) + " classes do not come from the same network.");
    return {.n_in                 = in.n_inputs,
            .n_out                = out.n_inputs,
            .mmc_in               = mean_max_confidence(in),
            .mmc_out              = mean_max_confidence(out),
            .mean_entropy_in      = mean_of(in.entropy),
            .mean_entropy_out     = mean_of(out.entropy),
            .mean_information_in  = mean_of(in.mutual_information),
            .mean_information_out = mean_of(out.mutual_information),
            .auroc_confidence     = auroc(confidence_scores(in), confidence_scores(out)),
            .auroc_entropy        = auroc_of_uncertainty(in.entropy, out.entropy),
            .auroc_information    = auroc_of_uncertainty(in.mutual_information, out.mutual_information)};
}

}   // namespace credence
