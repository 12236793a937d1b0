// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/tau_against_axis.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace credence {

namespace {

/// The spread of a block's weights relative to their means.
std::optional<double> relative_spread(const BlockUncertainty& block)
{
    if (block.tau)
        return block.tau;
    return block.median_relative_sd > 0 ? std::optional(block.median_relative_sd) : std::nullopt;
}

template <class Visit>
void for_each_block(const TauAgainstAxis& value, Visit visit)
{
    for (const auto& series : value.series)
        for (const auto& runs : series.of_seeds)
            for (const auto& layers : runs)
                for (const auto& block : layers)
                    visit(block);
}

std::vector<std::string> blocks_with_spread(const TauAgainstAxis& value)
{
    std::vector<std::string> names;
    for_each_block(value, [&](const BlockUncertainty& block) {
        if (relative_spread(block) && std::find(names.begin(), names.end(), block.block) == names.end())
            names.push_back(block.block);
    });
    return names;
}

std::vector<double> spreads_of(const std::vector<LayerUncertainty>& runs, const std::string& name)
{
    std::vector<double> out;
    for (const auto& layers : runs)
        for (const auto& block : layers)
            if (const auto spread = relative_spread(block); spread && block.block == name)
                out.push_back(*spread);
    return out;
}

}   // namespace

Chart to_chart(const TauAgainstAxis& value)
{
    bool some_tau = false, some_without = false;
    for_each_block(value, [&](const BlockUncertainty& block) {
        some_tau     = some_tau || block.tau;
        some_without = some_without || (!block.tau && relative_spread(block));
    });
    const std::string label = !some_without ? "τ" : some_tau ? "τ, or median of σ/|μ|" : "Median of σ/|μ|";
    ScoresAgainstAxis panels{.axis = value.axis, .panels = {}};
    for (const auto& name : blocks_with_spread(value)) {
        SweptPanel panel{.title = name, .label = label, .unit = {}, .series = {}};
        for (const auto& series : value.series) {
            SweptSeries drawn{.name = series.name, .of_seeds = {}};
            for (const auto& runs : series.of_seeds)
                drawn.of_seeds.push_back(spreads_of(runs, name));
            panel.series.push_back(std::move(drawn));
        }
        panels.panels.push_back(std::move(panel));
    }
    Chart chart = to_chart(panels);
    chart.id    = "sweep_tau";
    chart.title = "τ against an axis";
    if (!chart.message.empty())
        chart.message = "No run of this sweep has a relative weight spread.";
    else
        chart.caption = "Relative standard deviation of each block of weights after training"
                        + std::string(some_without && some_tau
                                          ? ": τ of methods that have one, the median of σ/|μ| of the others. "
                                          : ". ")
                        + chart.caption;
    return chart;
}

}   // namespace credence
