// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/row_predictions.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "prediction/set_predictions.h"

#include <algorithm>
#include <string>

namespace credence {

std::vector<RowPrediction> row_predictions(const ClassSamples& samples, double level)
{
    if (!(level > 0 && level < 1))
        throw Error("prediction.level",
                    "Row predictions: the level is " + plain_text(level) + ", expected a number between 0 and 1.");
    const SetPredictions set    = set_predictions(samples, std::span(&level, 1));
    const ClassPredictions& all = set.classes;
    std::vector<RowPrediction> rows;
    rows.reserve(static_cast<std::size_t>(all.n_inputs));
    for (std::size_t i = 0; i < static_cast<std::size_t>(all.n_inputs); ++i)
        rows.push_back({.predicted              = all.predicted[i],
                        .confidence             = static_cast<float>(all.confidence[i]),
                        .entropy                = static_cast<float>(all.entropy[i]),
                        .mutual_information     = static_cast<float>(all.mutual_information[i]),
                        .certain_no_overlap     = set.certainty[0].disjoint[i] != 0,
                        .certain_by_probability = set.certainty[0].probable[i] != 0});
    return rows;
}

std::vector<RowPrediction> row_predictions(const PosteriorPredictive& predictive, std::span<const float> inputs,
                                           int n_features, double level, std::stop_token stop,
                                           const RowsArrived& arrived, std::size_t most_values)
{
    std::vector<RowPrediction> all;
    all.reserve(inputs.size() / static_cast<std::size_t>(n_features));
    const bool whole = predictive.stream_classes(
        inputs, n_features, stop,
        [&](const ClassSamples& samples, std::size_t first) {
        require_probabilities(samples, first);
        const auto rows = row_predictions(samples, level);
        all.insert(all.end(), rows.begin(), rows.end());
        if (arrived && !rows.empty())
            arrived(first, rows);
        },
        most_values);
    return whole ? all : std::vector<RowPrediction>();
}

}   // namespace credence
