// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/test_rows.h"

#include "charts/class_name.h"
#include "foundation/progress.h"
#include "prediction/regression.h"
#include "prediction/row_predictions.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

using namespace view_support;

Table classes_of(const ScoredSet& set, std::span<const RowPrediction> rows)
{
    Table table{.columns = {{"Row"},
                            {"True class"},
                            {"Predicted class"},
                            {"Right"},
                            {"Confidence", "", 4},
                            {"Predictive entropy", "nats", 4},
                            {"Epistemic part", "nats", 4},
                            {"Certain by (i)"},
                            {"Certain by (ii)"}},
                .rows    = {}};
    const auto& names = set.data->class_names;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& row = rows[i];
        const int label = set.data->labels.empty() ? -1 : set.data->labels[i];   // outputs from elsewhere may have none
        table.rows.push_back({static_cast<long>(i), label < 0 ? Cell(std::string()) : Cell(class_name(names, label)),
                              class_name(names, row.predicted),
                              label < 0 ? Cell(std::string()) : Cell(static_cast<long>(row.predicted == label)),
                              static_cast<double>(row.confidence), static_cast<double>(row.entropy),
                              static_cast<double>(row.mutual_information), static_cast<long>(row.certain_no_overlap),
                              static_cast<long>(row.certain_by_probability)});
    }
    return table;
}

/// Block by block, so that a large table does not hold all its draws at once. Empty if stopped.
std::optional<Table> numbers_of(const RunMoment& moment, const ViewOptions& options, const ScoredSet& set,
                                std::stop_token stop)
{
    const auto& experiment      = *moment.experiment;
    const auto predictive       = predictive_of(moment, options);
    const auto d                = experiment.data->training.n_features;
    constexpr std::size_t block = 1000;
    Table table{.columns = {{"Row"}, {"True value"}, {"Predicted (mean)"}, {"Error"}, {"Spread of the function (sd)"}},
                .rows    = {}};
    for (std::size_t first = 0; first < set.data->n_rows; first += block) {
        const std::size_t n = std::min(block, set.data->n_rows - first);
        const ProgressScope of_block(static_cast<double>(first) / static_cast<double>(set.data->n_rows),
                                     static_cast<double>(first + n) / static_cast<double>(set.data->n_rows));
        const auto outputs = predictive.sample_outputs(set.inputs.subspan(first * d, n * d), static_cast<int>(n), stop);
        if (stop.stop_requested())
            return std::nullopt;
        const auto samples = regression_samples(view_of(outputs), experiment.data->target_mean,
                                                experiment.data->target_sd);
        const auto mean    = mean_function(samples);
        for (std::size_t i = 0; i < n; ++i) {
            double square = 0;
            for (int s = 0; s < samples.n_samples; ++s)
                square += std::pow(samples.f_of(s)[i] - mean[i], 2);
            const double truth = set.data->targets[first + i];
            table.rows.push_back(
                {static_cast<long>(first + i), truth, mean[i], mean[i] - truth, std::sqrt(square / samples.n_samples)});
        }
    }
    return table;
}

}   // namespace

std::optional<Chart> test_rows(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    const auto set         = scored_set(experiment);
    Chart chart{
        .id = "test_rows", .title = "Test rows", .caption = "What the run says of each row of the " + set.name + "."};
    if (experiment.task() == Task::regression) {
        chart.table = numbers_of(moment, options, set, stop);
    } else {
        const auto rows = row_predictions(predictive_of(moment, options), set.inputs,
                                          static_cast<int>(experiment.data->training.n_features),
                                          experiment.study.prediction.level, stop);
        if (!stop.stop_requested())
            chart.table = classes_of(set, rows);
    }
    if (!chart.table)
        return {};
    return with_setting(std::move(chart), moment, predictive_of(moment, options).n_samples());
}

}   // namespace credence
