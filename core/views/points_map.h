// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

#include <cstddef>

namespace credence {

/// Finds the row whose two inputs are nearest to a point of the map; the first if several are
/// equally near. Distances are relative to the axis lengths, as seen on screen:
///
///     d² = ((x_i − x)/L_x)² + ((y_i − y)/L_y)²,  L the range of the inputs
///
/// @param own  with n ≥ 1 rows of two inputs. @throws Error if it has other inputs
std::size_t nearest_point(const OutputsAtHand::Part& own, double x, double y);

}   // namespace credence
