// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"

#include <charconv>
#include <cmath>

namespace credence {

namespace {

template <class... Format>
std::string characters(double value, Format... format)
{
    if (std::isnan(value))
        return "nan";   // never "-nan"
    char buffer[512];   // enough for 1e308 in fixed notation with many decimals
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, format...).ptr;
    return {buffer, end};
}

}   // namespace

std::string number_text(double value, int significant_digits)
{
    return characters(value, std::chars_format::general, significant_digits);
}

std::string display_text(double value, int significant_digits)
{
    constexpr double most = 1e7;
    const double size     = std::fabs(value);
    return size < most && size >= std::pow(10, significant_digits) - 0.5 ? fixed_text(value, 0)
                                                                         : number_text(value, significant_digits);
}

std::string shortest_text(double value) { return characters(value); }

std::string plain_text(double value)
{
    const bool whole = std::nearbyint(value) == value && std::fabs(value) < 1e15;
    return whole ? std::to_string(static_cast<long long>(value)) : shortest_text(value);
}

std::string fixed_text(double value, int decimals) { return characters(value, std::chars_format::fixed, decimals); }

std::string grouped_text(long value)
{
    std::string text = std::to_string(value);
    const long first = value < 0 ? 2 : 1;   // no comma before the first digit
    for (long at = static_cast<long>(text.size()) - 3; at >= first; at -= 3)
        text.insert(text.begin() + at, ',');
    return text;
}

std::string percent_text(double share)
{
    const std::string text = number_text(100 * share, 8);
    return (share < 1 && text == "100" ? number_text(100 * share, 15) : text) + " %";   // not all
}

std::optional<double> number_from(std::string_view text)
{
    if (text.size() > 1 && text.front() == '+' && text[1] != '-')
        text.remove_prefix(1);
    double number            = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || stop != text.data() + text.size())
        return std::nullopt;
    return number;
}

double rounded_number(double value, int significant_digits)
{
    return number_from(number_text(value, significant_digits)).value_or(value);
}

}   // namespace credence
