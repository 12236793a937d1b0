// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/weight_densities.h"

#include "prediction/quantiles.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace credence {

namespace {

constexpr double tail_of_weights = 0.0005;   // of the weights, at either end, that can be outside the picture

double mean_square_root(const std::vector<double>& values)
{
    double squares = 0;
    for (const double value : values)
        squares += value * value;
    return values.empty() ? 0 : std::sqrt(squares / static_cast<double>(values.size()));
}

}   // namespace

Chart overlay_of_weights(std::span<const WeightsOfRun> runs)
{
    Chart chart{.id = "weights", .title = "Weights of several runs"};
    if (runs.empty()) {
        chart.message = "No run is selected. Tick the runs to overlay.";
        return chart;
    }
    Panel panel{.title = "", .x = {.label = "Weight"}, .y = {.label = "Density"}};
    Table table{
        .columns = {{"Run"}, {"Weights"}, {"Removed"}, {"Root mean square"}, {"0.05 % quantile"}, {"99.95 % quantile"}},
        .rows    = {}};
    std::optional<Range> shown;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto& run = runs[r];
        auto values     = run.values;
        std::sort(values.begin(), values.end());
        const auto n = static_cast<long>(run.values.size()), removed = static_cast<long>(run.n_removed);
        if (values.empty()) {
            table.rows.push_back({run.name, n, removed, std::string(), std::string(), std::string()});
            continue;
        }
        const Range range{quantile_of_sorted(values, tail_of_weights), quantile_of_sorted(values, 1 - tail_of_weights)};
        table.rows.push_back({run.name, n, removed, mean_square_root(values), range.first, range.second});
        const auto curve = kernel_density(values);
        if (curve.x.empty())   // all weights are equal
            continue;
        shown = shown ? Range{std::min(shown->first, range.first), std::max(shown->second, range.second)} : range;
        panel.series.push_back(Line{.name  = run.name + (run.drawn ? " (one draw)" : ""),
                                    .x     = curve.x,
                                    .y     = curve.density,
                                    .tone  = category(static_cast<int>(r)),
                                    .style = static_cast<LineStyle>(r % 3),
                                    .width = 2});
    }
    if (panel.series.empty()) {
        chart.message = "No weights are left. Prune fewer of them.";
        return chart;
    }
    panel.x.range = shown;
    chart.panels.push_back(std::move(panel));
    chart.table = std::move(table);
    chart.caption =
        "Densities of all weights and biases of " + std::to_string(runs.size()) + (runs.size() == 1 ? " run" : " runs")
        + ", by a Gaussian kernel with Silverman's bandwidth; one sample where the weights vary. Pruned weights are "
          "not included.";
    return chart;
}

}   // namespace credence
