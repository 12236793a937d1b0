// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_palette.h"

#include <QFont>

#include <vector>

class QCPAbstractPlottable;
class QCPAxis;

namespace credence {

/// Sizes of text and pens.
struct DrawScale {
    QFont font;                      ///< of axis labels; its pixel size is set
    double pixelsPerPoint = 1;       ///< of line widths and markers
    bool whole            = false;   ///< files never shorten text: labels and legends use more lines or a smaller font
    bool compact          = false;   ///< small panels on screen: text is inside the axes, see PanelWords

    QFont tickFont() const;
    QFont titleFont() const;
};

/// The plottables of one series in one panel. They are reused while the kind of series is the same;
/// `fill` only updates data.
class SeriesPlotter {
public:
    SeriesPlotter(const Series& series, QCPAxis* x, QCPAxis* y);
    void fill(const Series& series, const Panel& panel, const ChartPalette& palette, const DrawScale& scale);

    /// Series of the same kind can share plottables.
    static int kind(const Series& series);

private:
    std::vector<QCPAbstractPlottable*> m_plottables;   ///< owned by the plot
};

}   // namespace credence
