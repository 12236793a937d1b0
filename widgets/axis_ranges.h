// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

namespace credence {

struct PanelRanges {
    Range x, y;
};

/// What the axes of a panel show: the stated range, else all series with a small margin (colour maps and categories without one; bars with their
/// base line). Logarithmic axes look at positive numbers only. A panel without numbers shows 0 to 1.
PanelRanges panelRanges(const Panel& panel);

/// The edges of the outer cells of a map along one side, whose first and last centres are `centres`.
Range cellEdges(Range centres, int cells);

}   // namespace credence
