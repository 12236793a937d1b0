// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/belief_map.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

std::vector<float> belief_values(const BeliefMap& map, BeliefQuantity quantity)
{
    const auto cells = static_cast<std::size_t>(map.grid.nx) * static_cast<std::size_t>(map.grid.ny);
    const auto check = [cells](const std::vector<double>& values) {
        if (values.size() != cells)
            throw Error("Belief map: " + std::to_string(values.size()) + " numbers for " + std::to_string(cells)
                        + " cells, expected one per cell.");
    };
    std::vector<float> out;
    switch (quantity) {
    case BeliefQuantity::share_eating:
        check(map.share_eating);
        out.assign(map.share_eating.begin(), map.share_eating.end());
        break;
    case BeliefQuantity::advantage:
        check(map.mean_eat);
        check(map.mean_leave);
        for (std::size_t i = 0; i < cells; ++i)
            out.push_back(static_cast<float>(map.mean_eat[i] - map.mean_leave[i]));
        break;
    case BeliefQuantity::doubt:
        check(map.sd_eat);
        out.assign(map.sd_eat.begin(), map.sd_eat.end());
        break;
    }
    return out;
}

HeatMap heat_of(const BeliefMap& map, BeliefQuantity quantity)
{
    HeatMap heat{.name = title_of(quantity),
                 .nx   = map.grid.nx,
                 .ny   = map.grid.ny,
                 .x    = map.grid.x,
                 .y    = map.grid.y,
                 .z    = belief_values(map, quantity)};
    double largest = 1e-3;
    for (const float z : heat.z)
        if (std::isfinite(z))
            largest = std::max(largest, static_cast<double>(std::abs(z)));
    switch (quantity) {
    case BeliefQuantity::share_eating:
        heat.z_range  = {0, 1};
        heat.map      = ColourMap::diverging;
        heat.contours = {0.5};
        break;
    case BeliefQuantity::advantage:
        heat.z_range  = {-largest, largest};
        heat.map      = ColourMap::diverging;
        heat.contours = {0};
        break;
    case BeliefQuantity::doubt: heat.z_range = {0, largest}; break;
    }
    return heat;
}

}   // namespace

std::string title_of(BeliefQuantity quantity)
{
    switch (quantity) {
    case BeliefQuantity::share_eating: return "Share of draws for eating";
    case BeliefQuantity::advantage: return "Advantage of eating";
    case BeliefQuantity::doubt: return "Uncertainty of the reward of eating";
    }
    return {};
}

Chart to_chart(const BeliefMap& map, BeliefQuantity quantity)
{
    Chart chart{.id = "bandit_beliefs", .title = "Beliefs of the agent"};
    if (map.share_eating.empty()) {
        chart.message = map.agent + " has no network and thus no beliefs.";
        return chart;
    }
    Panel panel{.title = title_of(quantity),
                .x     = {.label = map.x_name, .range = cell_edges(map.grid.x, map.grid.nx)},
                .y     = {.label = map.y_name, .range = cell_edges(map.grid.y, map.grid.ny)}};
    panel.series.push_back(heat_of(map, quantity));
    for (const bool edible : {true, false})
        for (const bool eaten : {true, false}) {
            Points points{.name   = std::string(edible ? "edible, " : "poisonous, ") + (eaten ? "eaten" : "left"),
                          .tone   = category(edible ? 0 : 1),
                          .marker = edible ? Marker::circle : Marker::triangle,
                          .size   = 5,
                          .filled = eaten};
            for (const auto& met : map.met)
                if (met.edible == edible && met.eaten == eaten) {
                    points.x.push_back(met.x);
                    points.y.push_back(met.y);
                }
            panel.series.push_back(std::move(points));
        }
    chart.panels.push_back(std::move(panel));
    const char* what = quantity == BeliefQuantity::share_eating
                           ? "Share of the draws for which eating is better than leaving"
                       : quantity == BeliefQuantity::advantage
                           ? "Mean predicted reward of eating minus that of leaving"
                           : "Standard deviation over draws of the predicted reward of eating";
    chart.caption =
        map.agent + " after " + grouped_text(map.interactions) + " interactions. " + what
        + ", over the plane; circles are edible, triangles poisonous; filled ones were eaten, open ones left.";
    if (map.left_out > 0)
        chart.caption += " The last " + grouped_text(static_cast<long>(map.met.size())) + " points are drawn.";
    return chart;
}

}   // namespace credence
