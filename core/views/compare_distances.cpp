// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare_runs.h"
#include "views/true_posterior.h"

#include <algorithm>

namespace credence {

using namespace view_support;

namespace {

/// The distance by which the table of compare_reference is sorted: over the map or along x if there is one, otherwise
/// over the rows.
std::size_t column_of_distance(const Table& table)
{
    std::size_t found = 0;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (table.columns[c].name.starts_with("Total variation") || table.columns[c].name.starts_with("1-Wasserstein"))
            found = c;
    return found;
}

std::optional<Chart> ranked(std::span<const RunSnapshot> runs, const ViewOptions& options, const std::stop_token& stop)
{
    const auto compared = compare_reference(runs, options, stop);
    return compared ? std::optional(distance_ranking(*compared)) : std::nullopt;
}

}   // namespace

Chart distance_ranking(const Chart& compared)
{
    Chart chart{.id      = "compare_distances",
                .title   = "Distance to the reference",
                .caption = compared.caption,
                .message = compared.message};
    if (!chart.message.empty() || !compared.table || compared.table->rows.empty())
        return chart;
    const auto& table = *compared.table;
    const auto column = column_of_distance(table);
    if (table.rows.size() < 2) {   // the halves of the chains alone
        chart.message = "Only the reference is ticked. Tick other runs on the same data to rank them by their distance "
                        "from it.";
        return chart;
    }
    const double floor = std::get<double>(table.rows.front()[column]);
    double largest     = floor;
    Bars bars{.width = 0.6, .tone = {Tone::Kind::posterior}, .horizontal = true};
    std::vector<std::string> names;
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
        const double distance = std::get<double>(table.rows[row][column]);
        largest               = std::max(largest, distance);
        names.push_back(std::get<std::string>(table.rows[row][0]));
        bars.position.push_back(static_cast<double>(row - 1));
        bars.height.push_back(distance);
        bars.labels.push_back(number_text(distance, 3));
    }
    constexpr double space = 1.25;   // to the right of the longest bar, for its number
    const double last      = static_cast<double>(names.size()) - 0.5;
    Band noise{.name    = "Noise floor " + number_text(floor, 3),
               .x       = {0, floor},
               .lower   = {-0.5, -0.5},
               .upper   = {last, last},
               .tone    = {Tone::Kind::muted},
               .opacity = 0.3};
    Panel panel{.title  = "Nearest first",
                .x      = {.label = table.columns[column].name,
                           .unit  = table.columns[column].unit,
                           .range = Range{0, largest > 0 ? space * largest : 1}},
                .y      = {.range = Range{last, -0.5}, .categories = std::move(names), .whole_names = true},
                .series = {std::move(noise), std::move(bars)}};
    if (compared.caption.find(other_model_words) != std::string::npos)
        panel.note = "Some runs have another network or prior";
    chart.panels = {std::move(panel)};
    chart.caption += " Grey band: the noise floor, which is the distance between the two halves of the reference "
                     "chains. A run within it cannot be distinguished from the reference.";
    return chart;
}

View compare_distances_view()
{
    return {
        .id    = "compare_distances",
        .title = "Distance to the reference",
        .group = ViewGroup::reference,
        .help =
            "The distance of each ticked run from the reference posterior: one bar per run, the nearest first. The "
            "reference is a ticked NUTS run, otherwise an HMC run. Classes: total variation, the mean of ½ Σ_k |p̄_k − "
            "p̄_k of the reference|, at most 1. Numeric targets: the mean 1-Wasserstein distance of the function "
            "values, ∫ |F⁻¹(u) − G⁻¹(u)| du, in units of the target. The mean is over the map for two inputs, along x "
            "for one, and otherwise over the scored rows. The grey band is the Monte Carlo noise floor: the same "
            "distance between one half of the reference chains and the other half; with a single chain, between its "
            "first and second half. A bar that ends within the band cannot be distinguished from the reference. The "
            "halves have half as many draws, so the band is wider than the error of the whole reference. Source: "
            "Izmailov, Vikram, Hoffman and Wilson 2021.",
        .cost         = Cost::slow,
        .with_results = false,
        .when_pruned  = WhenPruned::whole,
        .why_not      = why_no_reference,
        .make =
            [](const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop) {
        return ranked({&run, 1}, options, stop);
        },
        .compare           = ranked,
        .compares_any_data = true};
}

}   // namespace credence
