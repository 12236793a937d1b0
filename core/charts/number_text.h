// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "foundation/number_text.h"

#include <string>

namespace credence {

/// A cell as displayed: text unchanged, numbers with the column's decimals, or with four
/// significant digits.
std::string cell_text(const Cell& cell, const Column& column);
/// "Predictive entropy [nats]", or the label alone without a unit.
std::string label_with_unit(const std::string& label, const std::string& unit);

}   // namespace credence
