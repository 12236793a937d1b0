// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <vector>

namespace credence {

struct ContourSegment {
    double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    bool operator==(const ContourSegment&) const = default;
};

/// Finds where a map crosses `level`, as line segments in data coordinates: marching squares over
/// the centres of the cells, linear along each side; a saddle is split by the mean of its corners.
/// Cells with a NaN corner have no segments.
/// Source: Lorensen and Cline 1987, in two dimensions
std::vector<ContourSegment> contour_segments(const HeatMap& map, double level);

/// The same as one line, with NaN between segments.
Line contour_line(const HeatMap& map, double level);

}   // namespace credence
