// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"

#include <cmath>

namespace credence {

double position_between(Range ends, int n, double at, bool logarithmic)
{
    if (n < 2)
        return ends.first;
    return logarithmic ? ends.first * std::pow(ends.second / ends.first, at / (n - 1))
                       : ends.first + (ends.second - ends.first) * at / (n - 1);
}

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
