// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAccessibleInterface;

namespace credence {

class ChartView;

/// Creates the accessible interface of a chart: title as name; axes and a summary as description,
/// or, while the cross is visible, the values there; the same as value; the data table via
/// QAccessibleTableInterface; movable items (handles) as children.
QAccessibleInterface* accessibleChart(ChartView& view);

/// Registers accessibleChart for every ChartView of the program. Idempotent.
void installChartAccess();

}   // namespace credence
