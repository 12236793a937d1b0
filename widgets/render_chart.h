// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_palette.h"

#include <QByteArray>
#include <QImage>
#include <QSizeF>

class QCPPainter;

namespace credence {

/// How a figure is drawn into a file.
struct FigureLook {
    double scale = 1;       ///< of letters, lines and gaps: 1 is 8.25 points
    bool title   = false;   ///< above the panels
};

/// Draws the chart as vectors into the rectangle from (0, 0) to `units`, each 1/96 inch: panels, and its table below them.
/// Needs a QApplication, of any platform ("offscreen" without a display).
void paintChart(QCPPainter& painter, const Chart& chart, const ChartPalette& palette, QSize units, bool title = false);

/// The page of a chart: as stated, but as large as its table is at a size that can be read. One that is a table only is that table.
QSizeF pageSize(const Chart& chart, QSizeF millimetres, const FigureLook& look = {});

/// Millimetres in units of 1/96 inch, or of `scale` times as much.
QSize figureUnits(QSizeF millimetres, double scale = 1);

/// Exactly millimetres × dpi, with that density.
QImage chartImage(const Chart& chart, const ChartPalette& palette, QSizeF millimetres, int dpi,
                  const FigureLook& look = {});
/// Text is text, maps are lossless, panels are clipped; title and description from the chart. `metadata` is written as it is after them.
QByteArray chartSvg(const Chart& chart, const ChartPalette& palette, QSizeF millimetres,
                    const QByteArray& metadata = {}, const FigureLook& look = {});

}   // namespace credence
