// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/credible.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/statistics.h"

#include <algorithm>
#include <string>
#include <utility>

namespace credence {

template <class T>
CredibleIntervals credible_intervals(const SampleView<T>& samples, double level)
{
    return std::move(credible_intervals_at(samples, std::span<const double>(&level, 1)).front());
}

template <class T>
std::vector<CredibleIntervals> credible_intervals_at(const SampleView<T>& samples, std::span<const double> levels)
{
    samples.check();
    require_finite(samples);
    const int S = samples.n_samples, N = samples.n_inputs, K = samples.n_outputs;
    std::vector<CredibleIntervals> out;
    for (const double level : levels) {
        if (!(level > 0 && level < 1))
            throw Error("prediction.level", "Credible interval: the level is " + plain_text(level)
                                                + ", expected a number between 0 and 1.");
        out.push_back({.level = level, .n_inputs = N, .n_outputs = K});
    }
    std::vector<double> sorted(S);
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < K; ++k) {
            for (int s = 0; s < S; ++s)
                sorted[s] = samples.at(s, i, k);
            std::sort(sorted.begin(), sorted.end());
            for (auto& interval : out) {
                interval.lower.push_back(quantile_of_sorted(sorted, (1 - interval.level) / 2));
                interval.upper.push_back(quantile_of_sorted(sorted, (1 + interval.level) / 2));
            }
        }
    return out;
}

template CredibleIntervals credible_intervals(const SampleView<float>&, double);
template CredibleIntervals credible_intervals(const SampleView<double>&, double);
template std::vector<CredibleIntervals> credible_intervals_at(const SampleView<float>&, std::span<const double>);
template std::vector<CredibleIntervals> credible_intervals_at(const SampleView<double>&, std::span<const double>);

bool is_disjoint(int predicted, std::span<const double> lower, std::span<const double> upper)
{
    for (int k = 0; k < static_cast<int>(lower.size()); ++k)
        if (k != predicted && lower[k] <= upper[predicted] && lower[predicted] <= upper[k])
            return false;
    return true;
}

Certainty certainty(const ClassPredictions& predictions, const CredibleIntervals& intervals)
{
    if (predictions.n_inputs != intervals.n_inputs || predictions.n_classes != intervals.n_outputs)
        throw Error("Certainty: predictions of " + std::to_string(predictions.n_inputs) + " inputs and intervals of "
                    + std::to_string(intervals.n_inputs) + " do not belong together.");
    require_finite("Certainty: confidence", predictions.confidence);
    const std::size_t K = static_cast<std::size_t>(predictions.n_classes);
    Certainty out;
    for (int i = 0; i < predictions.n_inputs; ++i) {
        out.disjoint.push_back(is_disjoint(predictions.predicted[i], {intervals.lower.data() + i * K, K},
                                           {intervals.upper.data() + i * K, K}));
        out.probable.push_back(reaches(predictions.confidence[i], intervals.level));
    }
    return out;
}

CertaintyCounts certainty_counts(std::span<const char> certain, std::span<const char> correct)
{
    if (certain.size() != correct.size())
        throw Error("Certainty counts: " + std::to_string(certain.size()) + " verdicts for "
                    + std::to_string(correct.size()) + " predictions.");
    CertaintyCounts out;
    for (std::size_t i = 0; i < certain.size(); ++i)
        ++(certain[i] ? (correct[i] ? out.certain_correct : out.certain_wrong)
                      : (correct[i] ? out.uncertain_correct : out.uncertain_wrong));
    return out;
}

}   // namespace credence
