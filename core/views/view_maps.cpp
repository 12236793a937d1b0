// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/names.h"
#include "views/view_makers.h"
#include "views/view_support.h"

#include "figures/decision_map.h"
#include "figures/regression_band.h"
#include "foundation/error.h"

#include <algorithm>

// Views over the plane or the line of inputs.
namespace credence {
namespace {

using namespace view_support;

/// Of a regression: the stretch that belongs to the toy, or all x widened by half on each side.
Range range_of(const Experiment& experiment)
{
    if (experiment.study.data.source == DataSource::toy)
        return shown_range(experiment.study.data.toy.kind);
    std::vector<double> seen;
    for (const auto* part : {&experiment.data->training, &experiment.data->test})
        seen.insert(seen.end(), part->inputs.begin(), part->inputs.end());
    return widened_range(seen, 0.5);
}

/// Empty if stopped.
std::optional<DecisionMap> make_map(const RunMoment& moment, const ViewOptions& options, std::pair<Range, Range> region,
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

}   // namespace

namespace view_makers {

std::pair<Range, Range> region_of(const Experiment& experiment)
{
    std::vector<double> columns[2];
    for (const auto* part : {&experiment.data->training, &experiment.data->test})
        for (std::size_t i = 0; i < part->n_rows; ++i)
            for (int j = 0; j < 2; ++j)
                columns[j].push_back(part->row(i)[j]);
    return {widened_range(columns[0], 0.4), widened_range(columns[1], 0.4)};
}

bool has_map(const Experiment& experiment)
{
    return experiment.task() == Task::classification && experiment.data->training.n_features == 2;
}

bool has_band(const Experiment& experiment)
{
    return experiment.task() == Task::regression && experiment.data->training.n_features == 1;
}

Chart decision_map_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    if (!has_map(*moment.experiment))
        return {
            .id = "decision_map", .title = "Decision map", .message = "A decision map needs two inputs and classes."};
    const auto map = make_map(moment, options, options.region.value_or(region_of(*moment.experiment)), stop);
    if (!map)
        return stopped("decision_map", "Decision map");
    return with_setting(to_chart(*map, options.map_quantity, options.map_class), moment,
                        predictive_of(moment, options).n_samples());
}

Chart regression_band_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    if (!has_band(experiment))
        return {.id      = "regression_band",
                .title   = "Regression band",
                .message = "A regression band needs one input and a number to predict."};
    const auto& data  = *experiment.data;
    const Range range = options.region ? options.region->first : range_of(experiment);
    if (!(range.first < range.second))
        throw Error("Regression band: the region is empty, expected bounds that rise.");

    constexpr int n = 201;
    std::vector<double> x;
    for (int i = 0; i < n; ++i)
        x.push_back(range.first + (range.second - range.first) * i / (n - 1));
    const auto predictive = predictive_of(moment, options);
    const auto outputs    = predictive.sample_outputs(standardised(experiment, {x.begin(), x.end()}), n, stop);
    if (stop.stop_requested())
        return stopped("regression_band", "Regression band");

    const auto samples = regression_samples(view_of(outputs), data.target_mean, data.target_sd);
    auto band          = regression_band(x, samples, experiment.study.prediction.level, options.functions);
    band.x_name        = data.training.feature_names[0];
    band.y_name        = data.training.target_name;
    band.data_x.assign(data.training.inputs.begin(), data.training.inputs.end());
    band.data_y.assign(data.training.targets.begin(), data.training.targets.end());
    band.test_x.assign(data.test.inputs.begin(), data.test.inputs.end());
    band.test_y.assign(data.test.targets.begin(), data.test.targets.end());
    if (experiment.study.data.source == DataSource::toy)
        for (const double at : x)
            band.noise_free.push_back(noise_free(experiment.study.data.toy.kind, at));

    Chart chart = to_chart(band);
    if (options.region) {
        chart.panels[0].x.range = options.region->first;
        chart.panels[0].y.range = options.region->second;
    }
    return with_setting(std::move(chart), moment, predictive.n_samples());
}

}   // namespace view_makers

Chart compare_decision_maps(std::span<const RunMoment> runs, const ViewOptions& options, std::stop_token stop)
{
    Chart chart{.id = "compare_decision_maps", .title = "Decision maps side by side"};
    for (const auto& run : runs)
        if (!view_makers::has_map(*run.experiment)) {
            chart.message = "Run \"" + run.experiment->study.name
                            + "\" has no decision map: it needs two inputs and classes.";
            return chart;
        }
    if (runs.empty()) {
        chart.message = "No run was chosen: mark two runs to compare.";
        return chart;
    }
    auto region = view_makers::region_of(*runs.front().experiment);
    for (const auto& run : runs) {
        const auto other = view_makers::region_of(*run.experiment);
        region           = {
                      {std::min(region.first.first, other.first.first), std::max(region.first.second, other.first.second)},
                      {std::min(region.second.first, other.second.first), std::max(region.second.second, other.second.second)}};
    }
    std::vector<DecisionMap> maps;
    Range scale{0, 0};
    for (const auto& run : runs) {
        auto map = make_map(run, options, options.region.value_or(region), stop);
        if (!map)
            return stopped(chart.id, chart.title);
        const auto own = map_scale(*map, options.map_quantity);
        scale = maps.empty() ? own : Range{std::min(scale.first, own.first), std::max(scale.second, own.second)};
        maps.push_back(std::move(*map));
    }
    std::vector<const Study*> studies;
    for (const auto& run : runs)
        studies.push_back(&run.experiment->study);
    const auto names = distinct_names(studies);
    chart.caption    = title_of(options.map_quantity) + " of " + std::to_string(maps.size())
                    + " runs on one colour scale.";
    for (std::size_t i = 0; i < maps.size(); ++i) {
        chart.panels.push_back(decision_panel(maps[i], options.map_quantity, options.map_class, scale));
        chart.panels.back().title = names[i];
        chart.caption += " " + names[i] + ": " + setting_of(runs[i], predictive_of(runs[i], options).n_samples());
    }
    chart.columns = std::min<int>(3, static_cast<int>(maps.size()));
    return chart;
}

}   // namespace credence
