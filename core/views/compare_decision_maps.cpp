// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare_decision_maps.h"

#include "charts/shared_captions.h"
#include "views/plane.h"
#include "views/view_support.h"

#include <algorithm>

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
    auto region = region_of(*runs.front().experiment);
    for (const auto& run : runs) {
        const auto other = region_of(*run.experiment);
        region           = {
                      {std::min(region.first.first, other.first.first), std::max(region.first.second, other.first.second)},
                      {std::min(region.second.first, other.second.first), std::max(region.second.second, other.second.second)}};
    }
    std::vector<DecisionMap> maps;
    Range scale{0, 0};
    for (const auto& run : runs) {
        auto map = map_over(run, options, options.region.value_or(region), stop);
        if (!map)
            return {};
        const auto own = map_scale(*map, options.map_quantity);
        scale = maps.empty() ? own : Range{std::min(scale.first, own.first), std::max(scale.second, own.second)};
        maps.push_back(std::move(*map));
    }
    const auto names = names_of(runs);
    chart.caption    = title_of(options.map_quantity) + " of " + std::to_string(maps.size())
                    + " runs on one colour scale.";
    std::vector<std::string> settings;
    for (std::size_t i = 0; i < maps.size(); ++i) {
        chart.panels.push_back(decision_panel(maps[i], options.map_quantity, options.map_class, scale));
        chart.panels.back().title = names[i];
        add_test_points(chart.panels.back(), *runs[i].experiment);
        settings.push_back(setting_of(runs[i], predictive_of(runs[i], options).n_samples()));
    }
    chart.caption += settings_side_by_side(names, settings);
    chart.columns = std::min<int>(3, static_cast<int>(maps.size()));
    return chart;
}

}   // namespace credence
