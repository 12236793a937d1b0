// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/decision_map.h"

#include "charts/decision_map.h"
#include "charts/shared_captions.h"
#include "foundation/statistics.h"
#include "views/conformal_sets.h"
#include "views/view_support.h"

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
    Points all                 = view_support::training_points({}, {});
    for (const std::size_t i : evenly_spaced(training.n_rows, most)) {
        const auto row = training.row(i);
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

std::optional<DecisionMap> map_over(const RunSnapshot& snapshot, const ViewOptions& options,
                                    std::pair<Range, Range> region, std::stop_token stop)
{
    const auto& experiment = *snapshot.experiment;
    const auto& training   = experiment.data->training;
    const auto predictive  = predictive_of(snapshot, options);
    const int K            = static_cast<int>(training.n_classes());

    DecisionMap map;
    map.grid          = MapGrid::over(region.first, region.second, options.map.cells);
    map.level         = experiment.study.prediction.level;
    map.points        = map_points(training);
    map.class_names   = training.class_names;
    map.x_name        = training.feature_names[0];
    map.y_name        = training.feature_names[1];
    const auto inputs = standardised(experiment, map.grid.inputs());
    const int n       = map.grid.nx * map.grid.ny;

    if (options.map.quantity != MapQuantity::certainty) {
        const auto summary = predictive.summarise(inputs, n, stop);
        if (stop.stop_requested())
            return std::nullopt;
        map.predictions = class_predictions(summary);
        if (options.map.quantity != MapQuantity::set_size)
            return map;
        const auto conformal = conformal_calibration(snapshot, options, stop);
        if (!conformal)
            return std::nullopt;
        for (int i = 0; i < n; ++i)
            map.set_sizes.push_back(static_cast<int>(
                conformal
                    ->set(map.predictions.mean_of(i), std::span(inputs).subspan(2 * static_cast<std::size_t>(i), 2))
                    .size()));
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

namespace credence {

using namespace view_support;

std::optional<Chart> compare_decision_maps(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                           std::stop_token stop)
{
    Chart chart{.id = "compare_decision_maps", .title = "Decision maps side by side"};
    for (const auto& run : runs)
        if (why_no_plane(*run.experiment)) {
            chart.message = "Run \"" + run.experiment->study.name
                            + "\" has no decision map: it needs two inputs and classes.";
            return chart;
        }
    if (runs.empty()) {
        chart.message = "No run is selected. Tick two runs to compare.";
        return chart;
    }
    auto region     = region_of(*runs.front().experiment);
    const auto both = [](Range a, Range b) { return Range{std::min(a.first, b.first), std::max(a.second, b.second)}; };
    for (const auto& run : runs) {
        const auto other = region_of(*run.experiment);
        region           = {both(region.first, other.first), both(region.second, other.second)};
    }
    std::vector<DecisionMap> maps;
    Range scale{0, 0};
    for (const auto& run : runs) {
        auto map = map_over(run, options, options.map.region.value_or(region), stop);
        if (!map)
            return {};
        const auto own = map_scale(*map, options.map.quantity);
        scale = maps.empty() ? own : Range{std::min(scale.first, own.first), std::max(scale.second, own.second)};
        maps.push_back(std::move(*map));
    }
    const auto names = names_of(runs);
    chart.caption    = title_of(options.map.quantity) + " of " + std::to_string(maps.size())
                    + " runs on one colour scale.";
    std::vector<std::string> settings;
    for (std::size_t i = 0; i < maps.size(); ++i) {
        chart.panels.push_back(decision_panel(maps[i], options.map.quantity, options.map.class_index, scale));
        chart.panels.back().title = names[i];
        add_test_points(chart.panels.back(), *runs[i].experiment);
        if (maps.size() > 1)   // points would hide small maps
            set_point_size(chart.panels.back(), maps.size() > 2 ? 2 : 3);
        settings.push_back(setting_of(runs[i], predictive_of(runs[i], options).n_samples()));
    }
    chart.caption += settings_side_by_side(names, settings);
    chart.columns = maps.size() == 4 ? 2 : std::min<int>(3, static_cast<int>(maps.size()));
    return chart;
}

namespace {

std::optional<Chart> make_decision_map(const RunSnapshot& snapshot, const ViewOptions& options,
                                       const std::stop_token& stop)
{
    const auto map = map_over(snapshot, options, options.map.region.value_or(region_of(*snapshot.experiment)), stop);
    if (!map)
        return {};
    auto chart = to_chart(*map, options.map.quantity, options.map.class_index);
    add_test_points(chart.panels.front(), *snapshot.experiment);
    if (snapshot.experiment->data->test.n_rows > 0)
        chart.caption += " Test points are hollow.";
    return with_setting(std::move(chart), snapshot, predictive_of(snapshot, options).n_samples());
}

}   // namespace

View decision_map_view()
{
    return {
        .id    = "decision_map",
        .title = "Decision map",
        .group = ViewGroup::predictions,
        .help =
            "The network's prediction at every point of the plane. Many networks are sampled from the posterior, and "
            "their class probabilities p are averaged to p̄. Predictive entropy H(p̄) = −Σ p̄ ln p̄ is the total "
            "uncertainty in nats: 0 if one class is certain, ln K if all classes are equally likely. It has two "
            "parts. The aleatoric part, E H(p), is the uncertainty of each single network (the classes overlap). The "
            "epistemic part, H(p̄) − E H(p), measures how much the networks disagree (there are no data nearby); it "
            "should grow away from the points. The certainty regions show where the prediction is certain: (i) the "
            "credible interval of the predicted class overlaps no other interval, (ii) its mean probability reaches "
            "the level α. The size of the conformal set needs prediction.conformal. Source: Posch and Pilz 2021, "
            "section IV-A, for the criteria. Click to select an input.",
        .coarse_while_live = true,
        .why_not           = why_no_plane,
        .make              = make_decision_map,
        .compare           = compare_decision_maps};
}

}   // namespace credence
