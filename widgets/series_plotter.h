// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_palette.h"

#include <QFont>

#include <vector>

class QCPAbstractPlottable;
class QCPAxis;

namespace credence {

/// The size of everything that is written or drawn with a pen.
struct DrawScale {
    QFont font;                  ///< of axis labels; its pixel size is set
    double pixelsPerPoint = 1;   ///< of line widths and markers
    bool whole = false;   ///< in files nothing may be shortened: labels and legends take more lines, or smaller letters

    QFont tickFont() const;
    QFont titleFont() const;
};

/// The plottables of one series in one panel. They stay while the kind of the series stays; `fill` only moves data.
class SeriesPlotter {
public:
    SeriesPlotter(const Series& series, QCPAxis* x, QCPAxis* y);
    void fill(const Series& series, const Panel& panel, const ChartPalette& palette, const DrawScale& scale);

    /// Two series of equal kind can use the same plottables.
    static int kind(const Series& series);

private:
    std::vector<QCPAbstractPlottable*> m_plottables;   ///< owned by the plot
};

}   // namespace credence
