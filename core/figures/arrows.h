// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

namespace credence {

/// Adds an arrow to a line of arrows: a shaft and a head of two strokes, separated from its
/// neighbours by NaN. If both points are equal, nothing is added.
/// @param x, y  ranges of the axes: the head has the same size on paper in every direction, at most
/// a third of the shaft
void add_arrow(Line& arrows, std::pair<double, double> from, std::pair<double, double> to, Range x, Range y);

}   // namespace credence
