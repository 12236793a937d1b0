// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

namespace credence {

struct PanelRanges {
    Range x, y;
};

/// The axis ranges of a panel: the stated range, else that of all series with a small margin (none
/// for colour maps and categories; bars include their base line). Logarithmic axes use positive
/// numbers only. A panel without numbers shows 0 to 1.
PanelRanges panelRanges(const Panel& panel);

/// The edges of the outer cells of a map along one side, from the first and last cell centres.
Range cellEdges(Range centres, int cells);

}   // namespace credence
