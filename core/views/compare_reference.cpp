// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare_runs.h"

#include "views/decision_map.h"
#include "views/true_posterior.h"
#include "views/view_support.h"

#include "charts/chart.h"
#include "charts/shared_captions.h"

#include <algorithm>

namespace credence {

using namespace view_support;

namespace {

constexpr auto halves_name = "one half of the chains against the other half", halves_title = "Halves of the chains";

/// One row of the table, and the values of its map.
struct Compared {
    std::string name;
    std::vector<double> numbers;
    long n_draws = 0;
    std::vector<double> each;   // two inputs: distance at each cell
    std::size_t run = 0;        // index among the compared runs
    double distance = 0;        // over the points, otherwise over the rows; sorts the table
};

Compared compared(const std::string& name, const RunPredictions& one, const RunPredictions& reference, Task task,
                  bool mapped)
{
    Compared out{
        .name = name, .numbers = distances(one.rows, reference.rows, task), .n_draws = one.n_draws, .each = {}};
    const std::size_t main = task == Task::classification ? 1 : 0;   // total variation, 1-Wasserstein
    out.distance           = out.numbers.at(main);
    if (one.places) {
        const auto more = distances(*one.places, *reference.places, task);
        out.distance    = more.at(main);
        out.numbers.insert(out.numbers.end(), more.begin(), more.end());
        if (mapped)
            out.each = distance_each(*one.places, *reference.places, task);
    }
    return out;
}

Table table_of(const std::vector<Compared>& all, const Experiment& experiment, const std::string& places)
{
    Table table{.columns = {{"Run"}}, .rows = {}};
    auto columns = distance_columns(experiment, scored_set(experiment).name);
    if (!places.empty())
        for (auto& column : distance_columns(experiment, places))
            columns.push_back(std::move(column));
    table.columns.insert(table.columns.end(), columns.begin(), columns.end());
    table.columns.push_back({"Draws"});
    for (const auto& one : all) {
        std::vector<Cell> row{one.name};
        row.insert(row.end(), one.numbers.begin(), one.numbers.end());
        row.emplace_back(one.n_draws);
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// "mean field\ndistance 0.031", short enough for a narrow panel; the table has the unit. Files
/// with the panels' numbers use this name too.
std::string title_of_panel(const std::string& name, double distance)
{
    return (name == halves_name ? halves_title : name) + "\ndistance " + number_text(distance, 3);
}

/// On one scale, from 0 to the largest distance.
void add_maps(Chart& chart, const std::vector<Compared>& all, const Experiment& experiment, const MapGrid& grid)
{
    constexpr double small_points = 2;      // the maps are small
    double largest                = 1e-3;   // so that rounding noise does not fill the scale
    for (const auto& one : all)
        largest = std::max(largest, *std::max_element(one.each.begin(), one.each.end()));
    const auto& training   = experiment.data->training;
    const bool classes     = training.task == Task::classification;
    const std::string unit = classes ? "" : target_unit(training.target_name);
    for (const auto& one : all) {
        chart.panels.push_back(plane_panel(experiment, grid,
                                           {.name    = !classes                    ? "1-Wasserstein distance of f"
                                                       : training.n_classes() == 2 ? "|p̄ − p̄ of the reference|"
                                                                                   : "Total variation",
                                            .unit    = unit,
                                            .z       = {one.each.begin(), one.each.end()},
                                            .z_range = {0, largest}}));
        chart.panels.back().title = title_of_panel(one.name, one.distance);
        set_point_size(chart.panels.back(), small_points);
    }
}

/// The reference first. @return false: stopped
bool add_bands(Chart& chart, std::span<const RunSnapshot> runs, std::size_t reference,
               const std::string& name_of_reference, const std::vector<Compared>& others, const ViewOptions& options,
               const std::stop_token& stop)
{
    auto plain       = options;
    plain.map.region = {};
    const auto add   = [&](std::size_t r, const std::string& title) {
        auto own = view("regression_band").make(runs[r], plain, stop);
        if (!own)
            return false;
        chart.panels.push_back(std::move(own->panels.front()));
        chart.panels.back().title   = title;
        chart.panels.back().x.range = chart.panels.front().x.range;
        return true;
    };
    if (!add(reference, name_of_reference))
        return false;
    for (const auto& one : others)
        if (!add(one.run, title_of_panel(one.name, one.distance)))
            return false;
    share_height(chart.panels);
    return true;
}

/// The number of panels per row that fits on a page.
int columns_of(std::size_t panels)
{
    constexpr std::size_t square = 4, few = 6, some = 8;
    const std::size_t columns = panels == square ? 2 : panels <= few ? 3 : panels <= some ? 4 : 5;
    return static_cast<int>(std::min(columns, panels));
}

/// Returns a warning that names the runs that differ in more than their method; empty: none.
std::string warning_of_settings(std::span<const RunSnapshot> runs, const std::vector<std::string>& names,
                                std::size_t reference)
{
    std::string text;
    const auto& study = runs[reference].experiment->study;
    for (std::size_t r = 0; r < runs.size(); ++r)
        if (const auto& other = runs[r].experiment->study;
            !(other.network == study.network && other.prior == study.prior))
            text += " " + names[r] + std::string(other_model_words)
                    + ", so its distance is not due to its method alone.";
    return text;
}

std::optional<Chart> make_compare_reference(const RunSnapshot& snapshot, const ViewOptions& options,
                                            const std::stop_token& stop)
{
    return compare_reference({&snapshot, 1}, options, stop);
}

}   // namespace

std::optional<Chart> compare_reference(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                       std::stop_token stop)
{
    Chart chart{.id = "compare_truth", .title = "Against the reference"};
    const auto reference = reference_among(runs);
    chart.message        = why_not_compared(runs, reference);
    if (!chart.message.empty())
        return chart;
    const auto& true_run   = runs[*reference];
    const auto& experiment = *true_run.experiment;
    const auto names       = names_of(runs);
    const auto chains      = chain_snapshot(true_run);
    const Task task        = experiment.task();
    const std::size_t d    = experiment.data->training.n_features;
    auto same              = options;   // all runs use the points of the reference
    if (!same.map.region && d == 2)
        same.map.region = region_of(experiment);
    else if (!same.map.region && d == 1)
        same.map.region = {range_along_x(experiment), Range{}};

    const auto result = predictions_of_chains(true_run, chains, same, stop);
    if (!result)
        return {};
    const auto floor = compared(halves_name, result->first, result->second, task, d == 2);
    std::vector<Compared> others;
    chart.caption = "The reference is " + names[*reference] + ": " + chains_text(chains.order);
    std::vector<std::string> listed{names[*reference]}, settings{setting_of(true_run, result->whole.n_draws)};
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (r == *reference)
            continue;
        const auto other = run_predictions(runs[r], same, stop);
        if (!other)
            return {};
        others.push_back(compared(names[r], *other, result->whole, task, d == 2));
        others.back().run = r;
        listed.push_back(names[r]);
        settings.push_back(setting_of(runs[r], other->n_draws));
    }
    chart.caption += settings_side_by_side(listed, settings);
    std::stable_sort(others.begin(), others.end(),
                     [](const Compared& a, const Compared& b) { return a.distance < b.distance; });
    std::vector<Compared> all{floor};
    all.insert(all.end(), others.begin(), others.end());
    const auto places = d <= 2 ? places_of(experiment, same) : ProbePoints{};
    const auto where  = d > 2 ? "" : d == 2 ? "map" : "along " + experiment.data->training.feature_names[0];
    chart.table       = table_of(all, experiment, where);
    if (d == 2)
        chart.caption += " Map: " + places.what + ".";
    chart.caption += warning_of_settings(runs, names, *reference);
    if (places.grid)
        add_maps(chart, all, experiment, *places.grid);
    else if (d == 1 && task == Task::regression
             && !add_bands(chart, runs, *reference, names[*reference], others, options, stop))
        return {};
    if (!chart.panels.empty())
        chart.columns = columns_of(chart.panels.size());
    return chart;
}

View compare_reference_view()
{
    return {
        .id    = "compare_truth",
        .title = "Against the reference",
        .group = ViewGroup::reference,
        .help =
            "The distance of each method from the reference posterior. For a small network, long NUTS "
            "(otherwise HMC) chains sample the posterior itself and serve as the reference. The predictions of each "
            "other ticked run on the same data are compared with it, at the scored rows and at points around them: "
            "over a map, or along x. Agreement: share of inputs with the same most probable class. Total variation: "
            "mean of ½ Σ_k |p̄_k − p̄_k of the reference|, 0 if the mean probabilities are equal, at most 1. Epistemic "
            "difference: the epistemic part, H(p̄) − E H(p), minus that of the reference; below 0 the method is "
            "overconfident about its function, above 0 underconfident. For numeric targets: the 1-Wasserstein distance "
            "of the function values, ∫ |F⁻¹(u) − G⁻¹(u)| du, which is how far draws must be moved to match the "
            "reference; and the standard deviation of f minus that of the reference. Methods are sorted by distance. "
            "The first row compares the two halves of the reference chains: the Monte Carlo noise floor. A method at "
            "this distance cannot be distinguished from the reference. Maps show the distance at every point on one "
            "scale; click one to select an input. Check the convergence of the chains first: chains that do not agree "
            "are not a valid reference. Source: Izmailov, Vikram, Hoffman and Wilson 2021.",
        .cost              = Cost::slow,
        .when_pruned       = WhenPruned::whole,
        .why_not           = why_no_reference,
        .make              = make_compare_reference,
        .compare           = compare_reference,
        .compares_any_data = true};
}

}   // namespace credence
