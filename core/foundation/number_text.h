// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace credence {

// Numbers as text, independent of the locale: a decimal point, "nan" and "inf".

/// A number with this many significant digits: "0.25", "1e-05". 17 digits restore the same bits.
std::string number_text(double value, int significant_digits = 17);
/// Formats a number for display: like number_text, but numbers below ten million have no exponent:
/// "541782" with 3 digits.
std::string display_text(double value, int significant_digits);
/// Returns the shortest text that restores the same bits: "0.1", "1e+05".
std::string shortest_text(double value);
/// A number for sentences and fields: whole numbers in full, "100000", all others as the shortest
/// text that restores them, "2.5".
std::string plain_text(double value);
/// A number with this many decimals: "0.250".
std::string fixed_text(double value, int decimals);
/// A whole number with thousands separators: "12,400".
std::string grouped_text(long value);
/// A proportion as a percentage with all its digits: "95 %", "99.999 %".
std::string percent_text(double share);

/// Parses the whole text as a number, "0.25" or "+1e-3". Empty for any other text, for decimal
/// commas and for values outside the range of double.
std::optional<double> number_from(std::string_view text);
/// Rounds to this many significant digits: 0.12345 with 3 digits becomes 0.123.
double rounded_number(double value, int significant_digits);

}   // namespace credence
