// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/number_text.h"

#include <charconv>
#include <cmath>

namespace credence {

namespace {

std::string characters(double value, std::chars_format format, int digits)
{
    if (std::isnan(value))
        return "nan";
    char buffer[512];   // fixed notation of 1e308 with many decimals
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, format, digits).ptr;
    return {buffer, end};
}

}  // namespace

std::string number_text(double value, int significant_digits)
{
    return characters(value, std::chars_format::general, significant_digits);
}

std::string shortest_text(double value)
{
    if (std::isnan(value))
        return "nan";
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
}

std::string fixed_text(double value, int decimals)
{
    return characters(value, std::chars_format::fixed, decimals);
}

std::string percent_text(double share)
{
    return number_text(100 * share, 8) + " %";
}

std::string cell_text(const Cell& cell, const Column& column)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* whole = std::get_if<long>(&cell))
        return std::to_string(*whole);
    const double value = std::get<double>(cell);
    return column.decimals >= 0 ? fixed_text(value, column.decimals) : number_text(value, 4);
}

std::string label_with_unit(const std::string& label, const std::string& unit)
{
    return unit.empty() ? label : label + " [" + unit + "]";
}

}  // namespace credence
