// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "widgets/chart_layout.h"

#include <optional>

class QCPAxis;
class QCPColorScale;

namespace credence {

struct PanelRanges {
    Range x, y;
};

/// The axis ranges of a panel: the stated range, else that of all series with a small margin (none
/// for colour maps and categories; bars include their base line). Logarithmic axes use positive
/// numbers only. A panel without numbers shows 0 to 1.
PanelRanges panelRanges(const Panel& panel);
/// Returns the highest value of all series in y; empty: the panel has no numbers.
std::optional<double> highestValue(const Panel& panel);

/// The edges of the outer cells of a map along one side, from the first and last cell centres.
Range cellEdges(Range centres, int cells, bool logarithmic = false);

/// Pens, ticks and labels of axes and colour bars for one palette and one text size.
struct AxisStyle {
    const ChartPalette& palette;
    const DrawScale& scale;

    /// @param keepRange  keep the range zoomed to by the user
    void apply(QCPAxis* axis, const Axis& value, Range range, bool keepRange) const;
    void styleBar(QCPColorScale* bar, const ColourScale& measured) const;
    /// Uses as many ticks as fit along `length` pixels, with slanted or thinned categories.
    /// @param counted  ticks at integers only
    void fit(QCPAxis* axis, const Axis& value, int length, bool counted = false) const;
    /// Fits ticks along a part of the axis only.
    void fitPart(QCPAxis* axis, const Axis& value, Range part, int length) const;
    void fitBar(QCPColorScale* bar, const ColourScale& measured, int length) const;

private:
    void fitCategories(QCPAxis* axis, const Axis& value, int length) const;
    void fitLabel(QCPAxis* axis, const QString& text, int length) const;
};

}   // namespace credence
