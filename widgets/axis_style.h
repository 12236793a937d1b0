// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_layout.h"

class QCPAxis;
class QCPColorScale;

namespace credence {

/// Pens, ticks and labels of axes and colour bars for one palette and one text size.
struct AxisStyle {
    const ChartPalette& palette;
    const DrawScale& scale;

    /// @param keepRange  keep the range zoomed to by the user
    void apply(QCPAxis* axis, const Axis& value, Range range, bool keepRange) const;
    void styleBar(QCPColorScale* bar, const ColourScale& measured) const;
    /// As many ticks as fit along `length` pixels, with slanted or thinned categories.
    /// @param counted  ticks at integers only
    void fit(QCPAxis* axis, const Axis& value, int length, bool counted = false) const;
    void fitBar(QCPColorScale* bar, const ColourScale& measured, int length) const;

private:
    void fitLabel(QCPAxis* axis, const QString& text, int length) const;
};

}   // namespace credence
