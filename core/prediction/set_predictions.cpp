// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/set_predictions.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "prediction/quantiles.h"

#include <algorithm>

namespace credence {

namespace {

constexpr std::size_t rows_of_a_task = 16;

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

    parallel_chunks(n, rows_of_a_task, [&](std::size_t begin, std::size_t end) {
        std::vector<double> draws(k_classes * static_cast<std::size_t>(S)), p(k_classes), lower(k_classes),
            upper(k_classes);
        for (std::size_t i = begin; i < end; ++i) {
            double* const mean      = c.mean.data() + i * k_classes;
            double expected_entropy = 0;
            for (int s = 0; s < S; ++s) {
                for (std::size_t k = 0; k < k_classes; ++k) {
                    p[k] = probabilities.at(s, static_cast<int>(i), static_cast<int>(k));
                    mean[k] += p[k];
                    draws[k * static_cast<std::size_t>(S) + static_cast<std::size_t>(s)] = p[k];
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
            for (std::size_t k = 0; k < k_classes; ++k)
                std::sort(draws.begin() + static_cast<std::ptrdiff_t>(k * static_cast<std::size_t>(S)),
                          draws.begin() + static_cast<std::ptrdiff_t>((k + 1) * static_cast<std::size_t>(S)));
            for (std::size_t l = 0; l < out.levels.size(); ++l) {
                const double level = out.levels[l];
                for (std::size_t k = 0; k < k_classes; ++k) {
                    const std::span<const double> sorted(draws.data() + k * static_cast<std::size_t>(S),
                                                         static_cast<std::size_t>(S));
                    lower[k] = quantile_of_sorted(sorted, (1 - level) / 2);
                    upper[k] = quantile_of_sorted(sorted, (1 + level) / 2);
                }
                out.certainty[l].disjoint[i] = is_disjoint(c.predicted[i], lower, upper);
                out.certainty[l].probable[i] = c.confidence[i] >= level;
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
