// SPDX-License-Identifier: GPL-3.0-or-later
#include "gallery/measured_values.h"

#include "foundation/number_text.h"

#include <algorithm>
#include <vector>

namespace credence {
namespace {

/// Decimals of the printed text; empty: it is not a plain number.
std::optional<int> printed_decimals(std::string text)
{
    const std::string minus = "−";
    if (text.starts_with(minus))
        text.replace(0, minus.size(), "-");
    if (!number_from(text) || text.find_first_of("eE") != std::string::npos)
        return {};
    const auto point = text.find('.');
    return point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

std::string beside(const PrintedValue& value, double number)
{
    const double shown  = value.name.ends_with("(%)") ? 100 * number : number;
    const auto decimals = printed_decimals(value.printed);
    return decimals ? fixed_text(shown, *decimals) : number_text(shown, 4);
}

/// Returns true if this cell is one of those averaged for the value.
bool is_meant(const PrintedValue& value, const Sweep& sweep, const SweepCell& cell)
{
    return std::all_of(value.cell.begin(), value.cell.end(), [&](const auto& wanted) {
        for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis)
            if (sweep.axes[axis].name == wanted.first)
                return sweep.axes[axis].values[cell.at[axis]].label == wanted.second;
        return false;
    });
}

/// Returns true if the value names every axis except the seeds.
bool names_all_axes(const PrintedValue& value, const Sweep& sweep)
{
    return std::all_of(sweep.axes.begin(), sweep.axes.end(), [&](const SweepAxis& axis) {
        return sweep.is_replicate(axis) || axis.values.size() == 1
               || std::any_of(value.cell.begin(), value.cell.end(),
                              [&](const auto& wanted) { return wanted.first == axis.name; });
    });
}

}   // namespace

std::string measured_text(const PrintedValue& value, const CellScores& scores)
{
    const auto number = value.score.empty() ? std::nullopt : scores.value({.name = value.score, .unit = {}});
    return number ? beside(value, *number) : std::string();
}

std::string measured_text(const PrintedValue& value, const SweepResults& results)
{
    if (value.score.empty() || !names_all_axes(value, results.sweep))
        return {};
    for (const auto& combination : combinations_of(results)) {
        if (combination.cells.empty() || !is_meant(value, results.sweep, results.cells[combination.cells.front()]))
            continue;
        const auto seeds = over_seeds(results, combination, {.name = value.score, .unit = {}});
        if (!seeds.mean)
            return {};
        std::string text = beside(value, *seeds.mean);
        if (seeds.sd)
            text += " ± " + beside(value, *seeds.sd);
        return text + " (" + std::to_string(seeds.n) + (seeds.n == 1 ? " seed)" : " seeds)");
    }
    return {};
}

}   // namespace credence
