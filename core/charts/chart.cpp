// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"

namespace credence {

std::string cell_text(const Cell& cell, const Column& column)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* whole = std::get_if<long>(&cell))
        return std::to_string(*whole);
    const double value = std::get<double>(cell);
    return column.decimals >= 0 ? fixed_text(value, column.decimals) : display_text(value, 4);
}

std::string label_with_unit(const std::string& label, const std::string& unit)
{
    return unit.empty() ? label : label + " [" + unit + "]";
}

}   // namespace credence
