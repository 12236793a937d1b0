// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare_truth.h"

#include "views/plane.h"
#include "views/truth_distance.h"
#include "views/view_support.h"

#include "charts/number_text.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace credence {

using namespace view_support;

namespace {

constexpr std::array true_methods{"nuts", "hmc"};   // the better one first
constexpr auto halves_name = "half of the chains against the other half";

bool is_true_method(const Experiment& experiment)
{
    return std::find(true_methods.begin(), true_methods.end(), experiment.study.posterior.family) != true_methods.end();
}

std::optional<std::size_t> truth_among(std::span<const RunMoment> runs)
{
    for (const auto* const method : true_methods)
        for (std::size_t r = 0; r < runs.size(); ++r)
            if (runs[r].experiment->study.posterior.family == method)
                return r;
    return {};
}

/// Why these runs cannot be compared; empty: they can.
std::string why_not_compared(std::span<const RunMoment> runs, std::optional<std::size_t> truth)
{
    if (runs.empty())
        return "No run was chosen: mark a run of NUTS or HMC, and the runs to compare with it.";
    if (!truth)
        return "None of the marked runs is one of NUTS or HMC, whose draws stand for the true posterior: mark one of these as well.";
    const auto names = names_of(runs);
    for (std::size_t r = 0; r < runs.size(); ++r)
        if (!same_data(*runs[r].experiment, *runs[*truth].experiment))
            return "Run \"" + names[r] + "\" has other data than \"" + names[*truth]
                   + "\", which stands for the true posterior: mark runs on the same data.";
    return {};
}

/// One row of the table, and what its map shows.
struct Compared {
    std::string name;
    std::vector<double> numbers;
    long n_draws = 0;
    std::vector<double> each;   // of two inputs: distance at each cell
};

Compared compared(const std::string& name, const Said& one, const Said& truth, Task task, bool mapped)
{
    Compared out{.name = name, .numbers = distances(one.rows, truth.rows, task), .n_draws = one.n_draws, .each = {}};
    if (one.places) {
        const auto more = distances(*one.places, *truth.places, task);
        out.numbers.insert(out.numbers.end(), more.begin(), more.end());
        if (mapped)
            out.each = distance_each(*one.places, *truth.places, task);
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

/// "Two moons, mean field\nmean 0.031": files with the numbers of the panels name it too.
std::string title_of_panel(const std::string& name, double distance, const std::string& unit)
{
    return name + "\nmean distance " + number_text(distance, 3) + (unit.empty() ? "" : " " + unit);
}

/// On one scale, from 0 to the largest distance of all.
void add_maps(Chart& chart, const std::vector<Compared>& all, const Experiment& experiment, const MapGrid& grid)
{
    double largest = 1e-3;   // so that rounding noise does not fill the scale
    for (const auto& one : all)
        largest = std::max(largest, *std::max_element(one.each.begin(), one.each.end()));
    const auto& training = experiment.data->training;
    const bool classes   = training.task == Task::classification;
    for (const auto& one : all) {
        chart.panels.push_back(plane_panel(experiment, grid,
                                           {.name    = !classes                    ? "1-Wasserstein distance of f"
                                                       : training.n_classes() == 2 ? "|p̄ − p̄ of the truth|"
                                                                                   : "Total variation",
                                            .unit    = classes ? "" : "units of " + training.target_name,
                                            .z       = {one.each.begin(), one.each.end()},
                                            .z_range = {0, largest}}));
        const double sum          = std::accumulate(one.each.begin(), one.each.end(), 0.0);
        chart.panels.back().title = title_of_panel(one.name, sum / static_cast<double>(one.each.size()),
                                                   classes ? "" : "units of " + training.target_name);
    }
    chart.columns = std::min<int>(3, static_cast<int>(chart.panels.size()));
}

/// The truth first. @return false: stopped
bool add_bands(Chart& chart, std::span<const RunMoment> runs, const std::vector<std::string>& names,
               const std::vector<std::size_t>& order, const ViewOptions& options, const std::stop_token& stop)
{
    auto plain   = options;
    plain.region = {};
    for (const std::size_t r : order) {
        auto own = view("regression_band").make(runs[r], plain, stop);
        if (!own)
            return false;
        chart.panels.push_back(std::move(own->panels.front()));
        chart.panels.back().title   = names[r];
        chart.panels.back().x.range = chart.panels.front().x.range;
    }
    share_height(chart.panels);
    chart.columns = std::min<int>(3, static_cast<int>(chart.panels.size()));
    return true;
}

/// Of runs that differ in more than their method; empty: none.
std::string warning_of_settings(std::span<const RunMoment> runs, const std::vector<std::string>& names,
                                std::size_t truth)
{
    std::string text;
    const auto& study = runs[truth].experiment->study;
    for (std::size_t r = 0; r < runs.size(); ++r)
        if (const auto& other = runs[r].experiment->study;
            !(other.network == study.network && other.prior == study.prior))
            text += " " + names[r] + " has another network or prior: its distance is not that of its method alone.";
    return text;
}

std::optional<Chart> make_compare_truth(const RunMoment& moment, const ViewOptions& options,
                                        const std::stop_token& stop)
{
    return compare_truth({&moment, 1}, options, stop);
}

std::optional<std::string> why_not_compare_truth(const Experiment& experiment)
{
    if (is_true_method(experiment))
        return {};
    return "Only draws of NUTS or HMC stand for the true posterior: show such a run, and mark others to compare with it.";
}

}   // namespace

std::optional<Chart> compare_truth(std::span<const RunMoment> runs, const ViewOptions& options, std::stop_token stop)
{
    Chart chart{.id = "compare_truth", .title = "Against the truth"};
    const auto truth = truth_among(runs);
    chart.message    = why_not_compared(runs, truth);
    if (!chart.message.empty())
        return chart;
    const auto& true_run   = runs[*truth];
    const auto& experiment = *true_run.experiment;
    const auto names       = names_of(runs);
    const auto chains      = chain_moment(true_run);
    const Task task        = experiment.task();
    const std::size_t d    = experiment.data->training.n_features;
    auto same              = options;   // the places of all are those of the truth
    if (!same.region && d == 2)
        same.region = region_of(experiment);
    else if (!same.region && d == 1)
        same.region = {range_along_x(experiment), Range{}};

    const auto said = said_by_chains(true_run, chains, same, stop);
    if (!said)
        return {};
    std::vector<std::size_t> order{*truth};
    std::vector<Compared> all{compared(halves_name, said->first, said->second, task, d == 2)};
    chart.caption = "The truth is " + names[*truth] + ": " + chains_text(chains.order) + " "
                    + setting_of(true_run, said->whole.n_draws);
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (r == *truth)
            continue;
        const auto other = said_by(runs[r], same, stop);
        if (!other)
            return {};
        order.push_back(r);
        all.push_back(compared(names[r], *other, said->whole, task, d == 2));
        chart.caption += " " + names[r] + ": " + setting_of(runs[r], other->n_draws);
    }
    const auto places = d <= 2 ? places_of(experiment, same) : ProbePoints{};
    chart.table       = table_of(all, experiment, places.what);
    chart.caption += warning_of_settings(runs, names, *truth);
    if (places.grid)
        add_maps(chart, all, experiment, *places.grid);
    else if (d == 1 && task == Task::regression && !add_bands(chart, runs, names, order, options, stop))
        return {};
    return chart;
}

View compare_truth_view()
{
    return {
        .id    = "compare_truth",
        .title = "Against the truth",
        .help =
            "How far is each method from the true posterior? For a small net, long chains of NUTS (or else HMC) stand for the truth: their draws are draws from the "
            "posterior itself. Each other marked run on the same data is held against them, in what it predicts, at the scored rows and at places around them. Agreement: share of inputs with the same most "
            "probable class. Total variation: mean of ½ Σ_k |p̄_k − p̄_k of the truth|, 0 where the mean probabilities are the same, at most 1. Epistemic part, H(p̄) − E H(p), less that "
            "of the truth: below 0 the method is too sure of its function, above 0 it doubts too much. For numbers to predict: the 1-Wasserstein distance of the function's values, ∫ |F⁻¹(u) − G⁻¹(u)| du, "
            "how far draws must be moved to become those of the truth; and the standard deviation of f less that of the truth. The first row holds one half of the true chains against "
            "the other: what chance leaves between two sets of draws of one posterior. No method can be told from the truth where it comes as near as that. Maps show the distance at every place, all on one scale. "
            "Look at the convergence of the chains first: chains that do not agree are no truth. Source: Izmailov, Vikram, Hoffman and Wilson 2021.",
        .cost    = Cost::slow,
        .why_not = why_not_compare_truth,
        .make    = make_compare_truth,
        .compare = compare_truth};
}

}   // namespace credence
