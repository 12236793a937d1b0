// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/training_errors.h"

#include "prediction/posterior_predictive.h"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

constexpr std::size_t rows_at_most = 1000;
constexpr int         draws = 8;

std::optional<double> error(const PosteriorPredictive& predictive, const Dataset& truth, std::span<const float> inputs, const SplitData& data)
{
    const std::size_t n = std::min(truth.n_rows, rows_at_most);
    if (n == 0) return std::nullopt;
    const PredictiveSummary summary = predictive.summarise(inputs.first(n * truth.n_features), static_cast<int>(n));
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (truth.task == Task::classification) {
            const double* p = summary.mean.data() + i * summary.n_outputs;
            total += std::max_element(p, p + summary.n_outputs) - p != truth.labels[i];
        } else {
            const double residual = summary.mean[i] * data.target_sd + data.target_mean - truth.targets[i];
            total += residual * residual;
        }
    }
    total /= static_cast<double>(n);
    return truth.task == Task::classification ? total : std::sqrt(total);
}

}  // namespace

Evaluator make_evaluator(Model model, std::shared_ptr<const SplitData> data, std::uint64_t seed)
{
    return [model = std::move(model), data = std::move(data), seed](std::shared_ptr<const WeightDistribution<float>> posterior) {
        const PosteriorPredictive predictive(model, std::move(posterior), draws, seed);
        return TrainingErrors{error(predictive, data->training, data->training_inputs, *data), error(predictive, data->test, data->test_inputs, *data)};
    };
}

}  // namespace credence
