// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep_figure_parts.h"

#include "foundation/error.h"
#include "foundation/text.h"
#include "study/fields.h"
#include "sweeps/sweep_figures.h"

#include <algorithm>
#include <map>

namespace credence {
namespace {

/// Index of the axis in the sweep.
std::size_t axis_along(const Sweep& sweep, const std::string& name)
{
    const auto axes = figure_axes(sweep);
    if (axes.empty())
        throw Error("The sweep varies only the seed, so there is no axis to plot against.");
    const auto found = name.empty() ? axes.begin() : std::find_if(axes.begin(), axes.end(), [&](const auto* axis) {
        return axis->name == name;
    });
    if (found == axes.end())
        throw Error("The sweep has no axis \"" + name + "\" to plot against, expected one of "
                    + joined(axes, [](const auto* axis) { return axis->name; }) + ".");
    return static_cast<std::size_t>(*found - sweep.axes.data());
}

/// Unit of the setting; empty for a name without setting.
std::string unit_of_axis(const SweepAxis& axis)
{
    for (const auto& field : study_fields())
        if (field.path == axis.name)
            return field.unit;
    return {};
}

}   // namespace

std::vector<const SweepAxis*> figure_axes(const Sweep& sweep)
{
    std::vector<const SweepAxis*> axes;
    for (const auto& axis : sweep.axes)
        if (!sweep.is_replicate(axis) && axis.values.size() > 1)
            axes.push_back(&axis);
    std::stable_partition(axes.begin(), axes.end(), [](const SweepAxis* axis) { return axis->is_numeric(); });
    return axes;
}

const SweepAxis* usual_figure_axis(const Sweep& sweep)
{
    const auto axes = figure_axes(sweep);
    return axes.empty() ? nullptr : axes.front();
}

std::string words_of_settings(const Sweep& sweep, const std::vector<std::size_t>& at, const SweepAxis* but)
{
    std::string words;
    for (std::size_t a = 0; a < sweep.axes.size(); ++a) {
        const auto& axis = sweep.axes[a];
        if (&axis == but || sweep.is_replicate(axis) || axis.values.size() == 1)
            continue;
        words += (words.empty() ? "" : ", ") + axis.words(at[a]);
    }
    return words;
}

SweepLayout layout_along(const SweepResults& results, const std::string& name)
{
    const auto& sweep       = results.sweep;
    const std::size_t along = axis_along(sweep, name);
    const auto& axis        = sweep.axes[along];
    SweepLayout out{.axis = {.label = axis.title(), .unit = unit_of_axis(axis), .values = {}, .numbers = {}},
                    .rows = {}};
    for (const auto& value : axis.values) {
        out.axis.values.push_back(value.label);
        if (axis.is_numeric())
            out.axis.numbers.push_back(*value.number);
    }
    std::map<std::vector<std::size_t>, std::size_t> row_of;
    for (const auto& combination : combinations_of(results)) {
        auto others             = combination.at;
        others[along]           = 0;
        const auto [row, added] = row_of.emplace(others, out.rows.size());
        if (added)
            out.rows.push_back({words_of_settings(sweep, combination.at, &axis),
                                std::vector<std::vector<std::size_t>>(axis.values.size())});
        out.rows[row->second].cells[combination.at[along]] = combination.cells;
    }
    return out;
}

}   // namespace credence
