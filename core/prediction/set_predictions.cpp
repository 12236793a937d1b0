// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/set_predictions.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "prediction/quantiles.h"

#include <algorithm>

namespace credence {

namespace {

constexpr std::size_t most_rows_of_a_task = 16, values_of_a_task = 32'000;

/// The verdicts by criterion (i) for one input at several levels. Of 1,000 classes hardly one comes near the predicted one: classes whose largest draw lies below the
/// predicted one's interval are passed over, and draws are sorted only where this decides something.
class Disjointness {
public:
    Disjointness(const SampleView<float>& probabilities, std::span<const double> levels)
        : probabilities_(probabilities), levels_(levels), sorted_(static_cast<std::size_t>(probabilities.n_samples)),
          lower_(levels.size()), upper_(levels.size()), disjoint_(levels.size())
    {}

    /// @param largest  draw of each class [K]. @return  by level
    const std::vector<char>& operator()(int input, int predicted, std::span<const double> largest)
    {
        sort(input, predicted);
        for (std::size_t l = 0; l < levels_.size(); ++l) {
            lower_[l]    = quantile_of_sorted(sorted_, (1 - levels_[l]) / 2);
            upper_[l]    = quantile_of_sorted(sorted_, (1 + levels_[l]) / 2);
            disjoint_[l] = 1;
        }
        constexpr double rounding = 1e-9;   // of quantiles between two draws
        const double below        = *std::min_element(lower_.begin(), lower_.end()) * (1 - rounding);
        const auto undecided      = [](char disjoint) { return disjoint != 0; };
        for (int k = 0; k < static_cast<int>(largest.size()); ++k) {
            if (k == predicted || largest[static_cast<std::size_t>(k)] < below)
                continue;
            if (std::none_of(disjoint_.begin(), disjoint_.end(), undecided))
                break;
            sort(input, k);
            for (std::size_t l = 0; l < levels_.size(); ++l) {
                const double lower[] = {lower_[l], quantile_of_sorted(sorted_, (1 - levels_[l]) / 2)},
                             upper[] = {upper_[l], quantile_of_sorted(sorted_, (1 + levels_[l]) / 2)};
                disjoint_[l]         = disjoint_[l] && is_disjoint(0, lower, upper);
            }
        }
        return disjoint_;
    }

private:
    void sort(int input, int k)
    {
        for (int s = 0; s < probabilities_.n_samples; ++s)
            sorted_[static_cast<std::size_t>(s)] = static_cast<double>(probabilities_.at(s, input, k));
        std::sort(sorted_.begin(), sorted_.end());
    }

    const SampleView<float>& probabilities_;
    std::span<const double> levels_;
    std::vector<double> sorted_, lower_, upper_;
    std::vector<char> disjoint_;
};

}   // namespace

SetPredictions set_predictions(const SampleView<float>& probabilities, std::span<const double> levels)
{
    probabilities.check();
    require_finite(probabilities);
    for (const double level : levels)
        if (!(level > 0 && level < 1))
            throw Error("prediction.level", "Predictions of a set: the level is " + plain_text(level)
                                                + ", expected a number between 0 and 1.");
    const int S = probabilities.n_samples, N = probabilities.n_inputs, K = probabilities.n_outputs;
    const auto n = static_cast<std::size_t>(N), k_classes = static_cast<std::size_t>(K);
    SetPredictions out{.levels = {levels.begin(), levels.end()}, .n_samples = S};
    auto& c     = out.classes;
    c.n_inputs  = N;
    c.n_classes = K;
    c.mean.assign(n * k_classes, 0);
    c.predicted.resize(n);
    for (auto* column : {&c.confidence, &c.entropy, &c.expected_entropy, &c.mutual_information})
        column->resize(n);
    out.certainty.assign(levels.size(), {std::vector<char>(n), std::vector<char>(n)});

    const auto rows_of_a_task = std::clamp<std::size_t>(values_of_a_task / (k_classes * static_cast<std::size_t>(S)), 1,
                                                        most_rows_of_a_task);
    parallel_chunks(n, rows_of_a_task, [&](std::size_t begin, std::size_t end) {
        std::vector<double> p(k_classes), largest(k_classes);
        Disjointness disjoint(probabilities, out.levels);
        for (std::size_t i = begin; i < end; ++i) {
            double* const mean      = c.mean.data() + i * k_classes;
            double expected_entropy = 0;
            std::fill(largest.begin(), largest.end(), -1.0);
            for (int s = 0; s < S; ++s) {
                for (std::size_t k = 0; k < k_classes; ++k) {
                    p[k] = probabilities.at(s, static_cast<int>(i), static_cast<int>(k));
                    mean[k] += p[k];
                    largest[k] = std::max(largest[k], p[k]);
                }
                expected_entropy += entropy(p);
            }
            for (std::size_t k = 0; k < k_classes; ++k)
                mean[k] /= S;
            const std::span<const double> row(mean, k_classes);
            c.predicted[i]          = argmax(row);
            c.confidence[i]         = row[static_cast<std::size_t>(c.predicted[i])];
            c.entropy[i]            = entropy(row);
            c.expected_entropy[i]   = expected_entropy / S;
            c.mutual_information[i] = std::max(
                0.0, c.entropy[i] - c.expected_entropy[i]);   // concavity makes it >= 0; rounding may not
            const auto& verdicts = disjoint(static_cast<int>(i), c.predicted[i], largest);
            for (std::size_t l = 0; l < out.levels.size(); ++l) {
                out.certainty[l].disjoint[i] = verdicts[l];
                out.certainty[l].probable[i] = c.confidence[i] >= out.levels[l];
            }
        }
    });
    return out;
}

void append(SetPredictions& to, const SetPredictions& more)
{
    if (to.levels != more.levels)
        throw Error("Predictions of a set: the two parts have different levels.");
    append(to.classes, more.classes);
    for (std::size_t l = 0; l < to.certainty.size(); ++l) {
        to.certainty[l].disjoint.insert(to.certainty[l].disjoint.end(), more.certainty[l].disjoint.begin(),
                                        more.certainty[l].disjoint.end());
        to.certainty[l].probable.insert(to.certainty[l].probable.end(), more.certainty[l].probable.begin(),
                                        more.certainty[l].probable.end());
    }
}

std::optional<SetPredictions> set_predictions(const PosteriorPredictive& predictive, std::span<const float> inputs,
                                              int n_features, std::span<const double> levels, std::stop_token stop,
                                              std::size_t most_values)
{
    SetPredictions all{.classes   = {.n_classes = predictive.n_outputs()},
                       .levels    = {levels.begin(), levels.end()},
                       .certainty = {},
                       .n_samples = predictive.n_samples()};
    all.certainty.resize(levels.size());
    const auto n_rows = inputs.size() / static_cast<std::size_t>(n_features);
    all.classes.mean.reserve(n_rows
                             * static_cast<std::size_t>(predictive.n_outputs()));   // of 1,000 classes it is large
    const bool whole = predictive.stream_outputs(
        inputs, n_features, stop,
        [&](const OutputSamples& samples, std::size_t first) {
        require_finite(view_of(samples), first);   // here the rows have their numbers in the set
        append(all, set_predictions(view_of(samples), levels));
        },
        most_values);
    return whole ? std::optional(std::move(all)) : std::nullopt;
}

}   // namespace credence
