// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QLineF>

#include <vector>

namespace credence {

/// Where a map crosses `level`, as line segments in data coordinates: marching squares over the centres of the cells, linear along each side;
/// a saddle is split by the mean of its corners. Cells with a NaN corner have none.
/// Source: Lorensen and Cline 1987, in two dimensions
std::vector<QLineF> contourLines(const HeatMap& map, double level);

}   // namespace credence
