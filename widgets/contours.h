// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QLineF>

#include <vector>

namespace credence {

/// The contour lines of a map at `level`, see charts/contours.h.
std::vector<QLineF> contourLines(const HeatMap& map, double level);

}   // namespace credence
