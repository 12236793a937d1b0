// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace credence {

/// Fewer points of a long line, ends kept: no point that is left out lies farther than `tolerance` from the line that is drawn, in units of the whole
/// extent of x and of y (Douglas and Peucker 1973). Where more than `most` points would stay, the tolerance is doubled until they do not.
/// @return  the tolerance that was used; 0: every point stays because the line is short
double thin_line(std::vector<double>& x, std::vector<double>& y, std::size_t most = 800, double tolerance = 2e-5);

}   // namespace credence
