// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/training_errors.h"

#include "foundation/statistics.h"
#include "prediction/posterior_predictive.h"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

/// Largest number of rows of each set.
int most_rows(const ErrorEffort& effort, const SplitData& data)
{
    return effort.rows > 0 ? effort.rows : static_cast<int>(std::max<std::size_t>(1, data.test.n_rows));
}

/// The evaluated rows: all, or `most` of them evenly spaced over the set, since a table may be sorted.
struct EvaluatedRows {
    Task task;
    int n = 0;
    aligned_vector<float> inputs;
    std::vector<int> labels;
    std::vector<double> targets;

    EvaluatedRows(const Dataset& set, std::span<const float> all_inputs, int most)
        : task(set.task), n(static_cast<int>(std::min(set.n_rows, static_cast<std::size_t>(most))))
    {
        inputs.reserve(static_cast<std::size_t>(n) * set.n_features);
        for (const std::size_t row : evenly_spaced(set.n_rows, static_cast<std::size_t>(n))) {
            const auto values = all_inputs.subspan(row * set.n_features, set.n_features);
            inputs.insert(inputs.end(), values.begin(), values.end());
            if (task == Task::classification)
                labels.push_back(set.labels[row]);
            else
                for (std::size_t t = 0; t < set.n_targets(); ++t)
                    targets.push_back(set.targets[row * set.n_targets() + t]);
        }
    }

    std::optional<double> error(const PosteriorPredictive& predictive, const Standardiser& scales,
                                const std::stop_token& stop) const
    {
        if (n == 0)
            return std::nullopt;
        const PredictiveSummary summary = predictive.summarise(inputs, n, stop);
        if (summary.n_inputs == 0)
            return std::nullopt;   // stopped
        if (!all_finite(std::span(summary.mean)))
            return std::nullopt;   // unknown: no class is the largest of NaN
        double total        = 0;
        const std::size_t T = scales.mean.size();
        for (int i = 0; i < n; ++i) {
            if (task == Task::classification) {
                const double* p = summary.mean.data() + static_cast<std::size_t>(i) * summary.n_outputs;
                total += std::max_element(p, p + summary.n_outputs) - p != labels[i];
            } else if (T == 1) {
                const double residual = summary.mean[i] * scales.sd[0] + scales.mean[0] - targets[i];
                total += residual * residual;
            } else {
                for (std::size_t t = 0, at = static_cast<std::size_t>(i) * T; t < T; ++t, ++at) {
                    const double residual = summary.mean[at] - (targets[at] - scales.mean[t]) / scales.sd[t];
                    total += residual * residual / static_cast<double>(T);
                }
            }
        }
        total /= n;
        return task == Task::classification ? total : std::sqrt(total);
    }
};

}   // namespace

Evaluator make_evaluator(Model model, const SplitData& data, std::uint64_t seed, ErrorEffort effort)
{
    const int most = most_rows(effort, data);
    return
        [model = std::move(model), training = EvaluatedRows(data.training, data.training_inputs, most),
         test = EvaluatedRows(data.test, data.test_inputs, most), draws = effort.draws, scales = data.target_scales(),
         seed](std::shared_ptr<const Posterior> posterior, const std::stop_token& stop) {
        const PosteriorPredictive predictive(model, std::move(posterior), draws, seed);
        return TrainingErrors{training.error(predictive, scales, stop), test.error(predictive, scales, stop)};
        };
}

}   // namespace credence
