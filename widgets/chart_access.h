// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAccessibleInterface;

namespace credence {

class ChartView;

/// Makes what assistive technology sees of a chart: its title as name; axes and a summary in sentences as description, or, while the cross is on the picture, what stands
/// there; what stands there as value; the table behind the picture by QAccessibleTableInterface; what is painted on it to be moved (handles) as children.
QAccessibleInterface* accessibleChart(ChartView& view);

/// Registers accessibleChart for every ChartView of the program; more calls do nothing.
void installChartAccess();

}   // namespace credence
