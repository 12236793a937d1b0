// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/symbols.h"

#include "widgets/chart_palette.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

// In shares of the picture's side.
constexpr double symbolDot = 0.05, hairline = 0.025, boldStroke = 0.07, floorLine = 0.85;

QPen roundPen(const QColor& colour, double width)
{
    return {colour, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
}

void paintTiles(QPainter& painter, bool images, const ChartPalette& colours)
{
    const int columns = images ? 2 : 3;
    const double side = 0.8 / columns, gap = images ? 0.03 : 0;
    painter.setPen(roundPen(colours.muted, hairline));
    for (int i = 0; i < columns * columns; ++i) {
        const QRectF tile(0.1 + side * (i % columns), 0.1 + side * (i / columns), side, side);
        painter.setBrush(images ? QBrush(colours.category(i)) : i < columns ? QBrush(colours.grid) : QBrush());
        painter.drawRect(tile.adjusted(gap, gap, -gap, -gap));
    }
}

void drawUnits(QPainter& painter, const std::vector<int>& units, const ChartPalette& colours)
{
    const auto layers = static_cast<int>(units.size());
    const auto dots   = [&](int layer) { return std::clamp(units[static_cast<std::size_t>(layer)], 1, 4); };
    const auto at     = [&](int layer, int unit) {
        return QPointF(0.13 + 0.74 * layer / std::max(1, layers - 1),
                           0.5 + (dots(layer) > 3 ? 0.22 : 0.31) * (unit - (dots(layer) - 1) / 2.0));
    };
    painter.setPen(roundPen(colours.muted, hairline));
    for (int layer = 1; layer < layers; ++layer)
        for (int from = 0; from < dots(layer - 1); ++from)
            for (int to = 0; to < dots(layer); ++to)
                painter.drawLine(at(layer - 1, from), at(layer, to));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.category(0));
    const double dot = std::min(1.6 * symbolDot, 0.34 / std::max(1, layers));
    for (int layer = 0; layer < layers; ++layer)
        if (units[static_cast<std::size_t>(layer)] == 0)
            painter.drawRoundedRect(QRectF(at(layer, 0).x() - dot, 0.16, 2 * dot, 0.68), dot / 2, dot / 2);
        else
            for (int unit = 0; unit < dots(layer); ++unit)
                painter.drawEllipse(at(layer, unit), dot, dot);
}

void paintBell(QPainter& painter, const QPen& pen, double width, double height)
{
    QPainterPath path(QPointF(0.08, floorLine));
    for (int i = 0; i <= 42; ++i) {
        const double x = 0.08 + 0.02 * i;
        path.lineTo(x, floorLine - height * std::exp(-0.5 * std::pow((x - 0.5) / width, 2)));
    }
    painter.setPen(pen);
    painter.drawPath(path);
}

void paintPosterior(QPainter& painter, Symbol symbol, const ChartPalette& colours)
{
    const QPen thin = roundPen(colours.muted, hairline), thick = roundPen(colours.accent, boldStroke);
    painter.setPen(thin);
    painter.drawLine(QPointF(0.08, floorLine), QPointF(0.92, floorLine));
    if (symbol == Symbol::density) {
        paintBell(painter, thin, 0.26, 0.25);
        return paintBell(painter, thick, 0.13, 0.65);
    }
    if (symbol == Symbol::samples) {
        constexpr int heights[] = {1, 2, 4, 5, 3, 1};
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours.accent);
        for (int column = 0; column < 6; ++column)
            for (int k = 0; k < heights[column]; ++k)
                painter.drawEllipse(QPointF(0.2 + 0.12 * column, 0.77 - 0.13 * k), symbolDot, symbolDot);
        return;
    }
    painter.setPen(thick);
    if (symbol == Symbol::one_value)
        return painter.drawLine(QPointF(0.5, floorLine), QPointF(0.5, 0.15));
    painter.drawLine(QPointF(0.32, floorLine), QPointF(0.32, 0.2));
    painter.drawPoint(QPointF(0.68, floorLine));
}

void paintLoss(QPainter& painter, const ChartPalette& colours)
{
    painter.setPen(roundPen(colours.muted, hairline));
    painter.drawPolyline(QPolygonF{{0.1, 0.1}, {0.1, 0.88}, {0.92, 0.88}});
    painter.setPen(roundPen(colours.accent, boldStroke));
    QPainterPath loss(QPointF(0.17, 0.16));
    for (int i = 0; i <= 36; ++i)
        loss.lineTo(0.17 + 0.02 * i, 0.78 - 0.62 * std::exp(-0.12 * i));
    painter.drawPath(loss);
}

void paintIntervals(QPainter& painter, const ChartPalette& colours)
{
    const QRectF boxes[] = {{0.18, 0.28, 0.24, 0.28}, {0.58, 0.5, 0.24, 0.22}};
    painter.setPen(roundPen(colours.accent, 2 * hairline));
    painter.setBrush(colours.background);
    for (const auto& box : boxes) {
        const double x = box.center().x();
        painter.drawLine(QPointF(x, box.top() - 0.17), QPointF(x, box.bottom() + 0.17));
        painter.drawRect(box);
        painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
    }
}

void paintSliders(QPainter& painter, const ChartPalette& colours)
{
    constexpr double knobs[] = {0.65, 0.32, 0.55};
    for (int row = 0; row < 3; ++row) {
        const double y = 0.24 + 0.26 * row;
        painter.setPen(roundPen(colours.muted, 2 * hairline));
        painter.drawLine(QPointF(0.12, y), QPointF(0.88, y));
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours.accent);
        painter.drawEllipse(QPointF(knobs[row], y), 1.6 * symbolDot, 1.6 * symbolDot);
    }
}

void paintCurves(QPainter& painter, const ChartPalette& colours)
{
    for (int i = 0; i < 2; ++i) {
        QPainterPath path(QPointF(0.1, floorLine));
        for (int step = 1; step <= 40; ++step)
            path.lineTo(0.1 + 0.02 * step,
                        floorLine - (i == 0 ? 0.3 : 0.7) * std::pow(step / 40.0, i == 0 ? 0.4 : 0.8));
        painter.setPen(roundPen(colours.category(i), boldStroke));
        painter.drawPath(path);
    }
}

}   // namespace

void paintUnits(QPainter& painter, const QRectF& box, const std::vector<int>& units, const ChartPalette& colours)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(box.topLeft());
    painter.scale(box.width(), box.height());
    drawUnits(painter, units, colours);
    painter.restore();
}

void paintSymbol(QPainter& painter, const QRectF& box, Symbol symbol, const ChartPalette& colours)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(box.topLeft());
    painter.scale(box.width(), box.height());
    painter.setBrush(Qt::NoBrush);
    switch (symbol) {
    case Symbol::images:
    case Symbol::table: paintTiles(painter, symbol == Symbol::images, colours); break;
    case Symbol::network: drawUnits(painter, {2, 3, 3, 2}, colours); break;
    case Symbol::density:
    case Symbol::one_value:
    case Symbol::masks:
    case Symbol::samples: paintPosterior(painter, symbol, colours); break;
    case Symbol::loss: paintLoss(painter, colours); break;
    case Symbol::intervals: paintIntervals(painter, colours); break;
    case Symbol::sliders: paintSliders(painter, colours); break;
    case Symbol::curves: paintCurves(painter, colours); break;
    }
    painter.restore();
}

}   // namespace credence
