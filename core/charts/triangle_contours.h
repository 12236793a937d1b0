// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "simplex/ternary_grid.h"

#include <span>
#include <vector>

namespace credence {

/// The densities that enclose these shares of the probability: the border of the smallest region
/// with this mass, to the precision of the cells.
/// @param shares  ascending, in (0, 1)
std::vector<double> levels_holding(const TernaryGrid& grid, std::span<const double> shares);

/// Where the density crosses the levels, in probabilities of the first and second class, with NaN
/// between curves. The density at a corner of cells is the mean of the cells that meet there,
/// linear along their sides (marching triangles).
Line contours_of(const TernaryGrid& grid, std::span<const double> levels);

}   // namespace credence
