// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

namespace credence {

/// Adds an arrow to a line of arrows: shaft and a head of two strokes, broken off from what comes before and after by NaN. Of two points that are the same nothing is added.
/// @param x, y  ranges of the axes: the head is as long and as wide on paper whichever way the arrow points, a third of a short shaft at most
void add_arrow(Line& arrows, std::pair<double, double> from, std::pair<double, double> to, Range x, Range y);

}   // namespace credence
