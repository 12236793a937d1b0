// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plane.h"

#include "views/view_support.h"

#include "figures/decision_map.h"

namespace credence::view_support {

std::optional<std::string> why_no_plane(const Experiment& experiment)
{
    if (experiment.task() == Task::classification && experiment.data->training.n_features == 2)
        return {};
    return "A decision map needs two inputs and classes.";
}

std::pair<Range, Range> region_of(const Experiment& experiment)
{
    std::vector<double> columns[2];
    for (const auto* part : {&experiment.data->training, &experiment.data->test})
        for (std::size_t i = 0; i < part->n_rows; ++i)
            for (int j = 0; j < 2; ++j)
                columns[j].push_back(part->row(i)[j]);
    return {widened_range(columns[0], 0.4), widened_range(columns[1], 0.4)};
}

std::optional<DecisionMap> map_over(const RunMoment& moment, const ViewOptions& options, std::pair<Range, Range> region,
                                    std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    const auto& training   = experiment.data->training;
    const auto predictive  = predictive_of(moment, options);
    const int K            = static_cast<int>(training.n_classes());

    DecisionMap map;
    map.grid          = MapGrid::over(region.first, region.second, options.map_cells);
    map.level         = experiment.study.prediction.level;
    map.points        = map_points(training);
    map.class_names   = training.class_names;
    map.x_name        = training.feature_names[0];
    map.y_name        = training.feature_names[1];
    const auto inputs = standardised(experiment, map.grid.inputs());
    const int n       = map.grid.nx * map.grid.ny;

    if (options.map_quantity != MapQuantity::certainty) {
        const auto summary = predictive.summarise(inputs, n, stop);
        if (stop.stop_requested())
            return std::nullopt;
        map.predictions = class_predictions(summary);
        return map;
    }
    // Intervals want the draws themselves: block by block.
    Certainty regions;
    map.predictions.n_classes = K;
    const bool done = predictive.stream_outputs(inputs, 2, stop, [&](const OutputSamples& samples, std::size_t) {
        const auto predictions = class_predictions(view_of(samples));
        const auto part        = certainty(predictions, credible_intervals(view_of(samples), map.level));
        append(map.predictions, predictions);
        regions.disjoint.insert(regions.disjoint.end(), part.disjoint.begin(), part.disjoint.end());
        regions.probable.insert(regions.probable.end(), part.probable.begin(), part.probable.end());
    });
    if (!done)
        return std::nullopt;
    map.certainty = std::move(regions);
    return map;
}

}   // namespace credence::view_support
