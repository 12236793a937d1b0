// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <string>

namespace credence {

/// A number with this many significant digits, decimal point whatever the locale: "0.25", "1e-05", "nan", "inf". 17 digits give back the same bits.
std::string number_text(double value, int significant_digits = 17);
/// The shortest text that gives back the same bits: "0.1", "1e+05", "nan".
std::string shortest_text(double value);
/// A number with this many digits after the point: "0.250".
std::string fixed_text(double value, int decimals);
/// A share as percent, as many digits as it has: "95 %", "99.999 %".
std::string percent_text(double share);
/// A cell as it is shown: text as it is, numbers with the column's decimals, or with four significant digits.
std::string cell_text(const Cell& cell, const Column& column);
/// "Predictive entropy [nats]", or the label alone where there is no unit.
std::string label_with_unit(const std::string& label, const std::string& unit);

}   // namespace credence
