// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace credence {

/// A point of a panel.
struct PanelPoint {
    int panel                                = 0;
    double x                                 = 0;
    double y                                 = 0;
    bool operator==(const PanelPoint&) const = default;
};

/// Returns all points of a chart that correspond to this row; points that are not finite are
/// omitted.
std::vector<PanelPoint> points_of(const Chart& chart, const DataRow& row);

/// Returns the row of the nearest point of a panel; among equally near points, the last one drawn.
/// Empty: no point with a row is nearer than `most`.
/// @param distance  from the given position to (x, y), for example in pixels
std::optional<DataRow> nearest_row(const Panel& panel, const std::function<double(double x, double y)>& distance,
                                   double most);

/// The rows that one bar counts.
struct RowsOfBar {
    std::string name{};   ///< "Confidence 0.73 to 0.80"
    std::vector<DataRow> rows{};
};
/// Returns the rows of the vertical bar at x, for any height of the pointer, since low bars are
/// hard to hit. Empty: no bar there has rows.
std::optional<RowsOfBar> rows_of_bar(const Panel& panel, double x);

/// Marks the row in the chart by squares, for files; on screen the mark is an overlay.
void mark_row(Chart& chart, const DataRow& row);

}   // namespace credence
