// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <string>

namespace credence {

/// Describes the axes of a panel in words: "Across: Step, 0 to 5000. Up: Loss [nats], 0.1 to 2.3,
/// logarithmic." Ranges are those of the axes, otherwise those of the series; for a triangle the
/// three corners are named. Empty: there is no axis.
std::string axes_in_words(const Panel& panel);

/// Describes a chart for readers who cannot see it: panels, axes, and the main features of each
/// series (start, end, minimum and maximum of a curve; medians and quartiles; the range of a map or
/// the shares of its regions). At most `series_each` series of a panel are described one by one,
/// the others counted. A chart without figures gives its message; a table gives its size and
/// columns. Numbers have three significant digits; `data_table` has all of them.
std::string summary_in_words(const Chart& chart, std::size_t series_each = 4);

}   // namespace credence
