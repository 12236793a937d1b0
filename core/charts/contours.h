// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "simplex/ternary_grid.h"

#include <span>
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

/// Returns the contour as one line, with NaN between segments.
Line contour_line(const HeatMap& map, double level);

/// The densities that enclose these shares of the probability: the border of the smallest region
/// with this mass, to the precision of the cells.
/// @param shares  ascending, in (0, 1)
std::vector<double> levels_holding(const TernaryGrid& grid, std::span<const double> shares);

/// Returns the contours of the density at these levels, in probabilities of the first and second
/// class, with NaN between curves. The density at a corner of cells is the mean of the adjacent
/// cells and is interpolated linearly along their sides (marching triangles).
Line contours_of(const TernaryGrid& grid, std::span<const double> levels);

}   // namespace credence
