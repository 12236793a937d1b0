// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <string>

namespace credence {

/// Says the axes of a panel in words: "Across: Step, 0 to 5000. Up: Loss [nats], 0.1 to 2.3, logarithmic." Ranges are those that the axis states, else those of the
/// series; of a triangle the three corners are named. Empty: there is no axis.
std::string axes_in_words(const Panel& panel);

/// Says what a chart shows to somebody who does not see it: panels, axes, and of each series what a look tells first (where a curve begins, ends, is least and
/// greatest; medians and quartiles; the range of a map or the shares of its regions). At most `series_each` series of a panel one by one, the others are counted.
/// Of a chart without figures its message; of a table its size and columns. Numbers have three significant digits; all of them are in `data_table`.
std::string summary_in_words(const Chart& chart, std::size_t series_each = 4);

}   // namespace credence
