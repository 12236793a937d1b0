// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/roc.h"

#include "foundation/error.h"
#include "foundation/parallel.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace credence {

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
        throw Error("ROC: the mean of no curves was asked for.");
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
        std::size_t at = 0;   // first corner that is not left of the place
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
    parallel_chunks(out.classes.size(), 1, [&](std::size_t begin, std::size_t end) {   // long for 1,000 classes
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

}   // namespace credence
