// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_layout.h"

class QCPAxis;
class QCPColorScale;

namespace credence {

/// Pens, ticks and labels of axes and colour bars, for one palette and one size of what is written.
struct AxisStyle {
    const ChartPalette& palette;
    const DrawScale& scale;

    /// @param keepRange  the one that the user zoomed to
    void apply(QCPAxis* axis, const Axis& value, Range range, bool keepRange) const;
    void styleBar(QCPColorScale* bar, const ColourScale& measured) const;
    /// As many ticks as have room along `length` pixels, categories slanted or thinned.
    /// @param counted  ticks at whole numbers only
    void fit(QCPAxis* axis, const Axis& value, int length, bool counted = false) const;
    void fitBar(QCPColorScale* bar, const ColourScale& measured, int length) const;

private:
    void fitLabel(QCPAxis* axis, const QString& text, int length) const;
};

}   // namespace credence
