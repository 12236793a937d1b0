// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace credence {

// Numbers as text: a point whatever the locale, "nan" and "inf" by name.

/// A number with this many significant digits: "0.25", "1e-05". 17 digits give back the same bits.
std::string number_text(double value, int significant_digits = 17);
/// The shortest text that gives back the same bits: "0.1", "1e+05".
std::string shortest_text(double value);
/// As a person writes it, in sentences and fields: whole numbers in full, "100000", all others as short as they read back, "2.5".
std::string plain_text(double value);
/// A number with this many digits after the point: "0.250".
std::string fixed_text(double value, int decimals);
/// A whole number as a person reads it: "12,400".
std::string grouped_text(long value);
/// A share as percent, as many digits as it has: "95 %", "99.999 %".
std::string percent_text(double share);

/// The number that the whole text is, "0.25" or "+1e-3"; nothing for any other text, for decimal commas and for what no double holds.
std::optional<double> number_from(std::string_view text);
/// The nearest number with this many significant digits: 0.123 for 0.12345 and 3.
double rounded_number(double value, int significant_digits);

}   // namespace credence
