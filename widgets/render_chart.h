// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_palette.h"

#include <QByteArray>
#include <QImage>
#include <QSizeF>

class QCPPainter;

namespace credence {

/// The style of an exported figure.
struct FigureLook {
    double scale = 1;       ///< of font, lines and gaps: 1 is 8.25 points
    bool title   = false;   ///< draw it above the panels
};

/// Draws the chart as vectors into the rectangle from (0, 0) to `units`, each 1/96 inch: panels,
/// and its table below them. Needs a QApplication, of any platform ("offscreen" without a display).
void paintChart(QCPPainter& painter, const Chart& chart, const ChartPalette& palette, QSize units, bool title = false);

/// The page size of a chart: as stated, but large enough for a readable table. A table-only chart
/// has the size of its table.
QSizeF pageSize(const Chart& chart, QSizeF millimetres, const FigureLook& look = {});

/// Millimetres in units of 1/96 inch times `scale`.
QSize figureUnits(QSizeF millimetres, double scale = 1);

/// Size is exactly millimetres × dpi, with that resolution in the metadata.
QImage chartImage(const Chart& chart, const ChartPalette& palette, QSizeF millimetres, int dpi,
                  const FigureLook& look = {});
/// Text is text, maps are lossless, panels are clipped; title and description are those of the
/// chart, followed by `metadata` unchanged.
QByteArray chartSvg(const Chart& chart, const ChartPalette& palette, QSizeF millimetres,
                    const QByteArray& metadata = {}, const FigureLook& look = {});

}   // namespace credence
