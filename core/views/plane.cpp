// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plane.h"

#include "views/view_support.h"

#include "figures/decision_map.h"

#include <algorithm>

namespace credence::view_support {

std::optional<std::string> why_no_plane(const Experiment& experiment)
{
    if (experiment.task() == Task::classification && experiment.data->training.n_features == 2)
        return {};
    return "A decision map needs two inputs and classes.";
}

Panel plane_panel(const Experiment& experiment, const MapGrid& grid, HeatMap heat)
{
    const auto& training = experiment.data->training;
    heat.nx              = grid.nx;
    heat.ny              = grid.ny;
    heat.x               = grid.x;
    heat.y               = grid.y;
    Panel panel{.title  = heat.name,
                .x      = {.label = training.feature_names[0], .range = cell_edges(grid.x, grid.nx)},
                .y      = {.label = training.feature_names[1], .range = cell_edges(grid.y, grid.ny)},
                .series = {std::move(heat)}};
    if (training.task == Task::classification) {
        const auto points = map_points(training);
        for (std::size_t k = 0; k < training.n_classes(); ++k) {
            Points of_class{.name = training.class_names[k], .tone = category(static_cast<int>(k)), .size = 4};
            for (std::size_t i = 0; i < points.label.size(); ++i)
                if (points.label[i] == static_cast<int>(k)) {
                    of_class.x.push_back(points.x[i]);
                    of_class.y.push_back(points.y[i]);
                }
            if (!of_class.x.empty())
                panel.series.push_back(std::move(of_class));
        }
        return panel;
    }
    constexpr std::size_t most = 3000;
    const std::size_t n        = std::min(most, training.n_rows);
    Points all{.name = "Training data", .tone = {Tone::Kind::data}, .marker = Marker::circle, .size = 3.5};
    for (std::size_t j = 0; j < n; ++j) {
        const auto row = training.row(j * training.n_rows / n);
        all.x.push_back(row[0]);
        all.y.push_back(row[1]);
    }
    panel.series.push_back(std::move(all));
    return panel;
}

void add_test_points(Panel& panel, const Experiment& experiment)
{
    const auto& test  = experiment.data->test;
    const auto points = map_points(test, 1000);
    const auto first  = std::find_if(panel.series.begin(), panel.series.end(),
                                     [](const Series& series) { return std::holds_alternative<Points>(series); });
    std::vector<Series> hollow;
    for (std::size_t k = 0; k < test.n_classes(); ++k) {
        Points of_class{
            .name = test.class_names[k] + ", test", .tone = category(static_cast<int>(k)), .size = 4, .filled = false};
        for (std::size_t i = 0; i < points.label.size(); ++i)
            if (points.label[i] == static_cast<int>(k)) {
                of_class.x.push_back(points.x[i]);
                of_class.y.push_back(points.y[i]);
            }
        if (!of_class.x.empty())
            hollow.push_back(std::move(of_class));
    }
    panel.series.insert(first, hollow.begin(), hollow.end());
}

std::optional<DecisionMap> map_over(const RunSnapshot& moment, const ViewOptions& options,
                                    std::pair<Range, Range> region, std::stop_token stop)
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
    // Intervals need the samples themselves: block by block.
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
