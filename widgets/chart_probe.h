// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QString>

namespace credence {

/// What stands at a point of a panel, in words for the tooltip: the coordinates, the value of a map, the numbers of the nearest box, bar or interval.
QString describePoint(const Panel& panel, double x, double y);

}   // namespace credence
