// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_palette.h"

#include <QByteArray>
#include <QImage>
#include <QSizeF>

class QCPPainter;

namespace credence {

/// Draws the chart as vectors into the rectangle from (0, 0) to `units`, each 1/96 inch: panels, and its table below them.
/// Needs a QApplication, of any platform ("offscreen" without a display).
void paintChart(QCPPainter& painter, const Chart& chart, const ChartPalette& palette, QSize units);

/// The page of a chart: as stated, but as large as its table is at a size that can be read. One that is a table only is that table.
QSizeF pageSize(const Chart& chart, QSizeF millimetres);

/// Millimetres in units of 1/96 inch.
QSize figureUnits(QSizeF millimetres);

/// Exactly millimetres × enlarged × dpi, with that density.
/// @param enlarged  all that was drawn on the millimetres, type and lines too
QImage chartImage(const Chart& chart, const ChartPalette& palette, QSizeF millimetres, int dpi, double enlarged = 1);
/// Text is text, maps are lossless, panels are clipped; title and description from the chart. `metadata` is written as it is after them.
QByteArray chartSvg(const Chart& chart, const ChartPalette& palette, QSizeF millimetres,
                    const QByteArray& metadata = {}, double enlarged = 1);

}   // namespace credence
