// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace credence {

/// Reduces the points of a long line, keeping its ends: no omitted point is farther than
/// `tolerance` from the drawn line, in units of the whole extent of x and of y (Douglas and Peucker
/// 1973). If more than `most` points would remain, the tolerance is doubled until they do not.
/// @return  the tolerance that was used; 0: the line is short and all points stay
double thin_line(std::vector<double>& x, std::vector<double>& y, std::size_t most = 800, double tolerance = 2e-5);

}   // namespace credence
