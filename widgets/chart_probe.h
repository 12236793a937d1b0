// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QString>

namespace credence {

/// Describes a point of a panel for the tooltip: coordinates, map value, and numbers of the nearest
/// box, bar or interval.
QString describePoint(const Panel& panel, double x, double y);

}   // namespace credence
