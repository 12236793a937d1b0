// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heat_map_plottable.h"

#include "charts/contours.h"
#include "widgets/chart_axes.h"

#include <algorithm>
#include <cmath>

namespace credence {

std::vector<QLineF> contourLines(const HeatMap& map, double level)
{
    std::vector<QLineF> lines;
    for (const auto& [x1, y1, x2, y2] : contour_segments(map, level))
        lines.emplace_back(x1, y1, x2, y2);
    return lines;
}

QCPColorGradient HeatMapPlottable::gradient(ColourMap map, bool stretched)
{
    QCPColorGradient gradient;
    gradient.clearColorStops();
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    const auto& list = anchors(map);
    gradient.setLevelCount(stretched ? 4096 : 256);
    for (std::size_t k = 0; k < list.size(); ++k) {
        const double place = static_cast<double>(k) / static_cast<double>(list.size() - 1);
        gradient.setColorStopAt(stretched ? place * place * place : place, list[k]);
    }
    return gradient;
}

namespace {

/// Values of the lowest and highest colour.
Range shownRange(const HeatMap& map)
{
    const auto [low, high] = map.z_range;
    return low < high ? map.z_range : Range{low - 0.5, low + 0.5};
}

/// The colour of each cell: of its category, or of its count.
std::vector<QRgb> cellColours(const HeatMap& map, const ChartPalette& palette, bool counts)
{
    QCPColorGradient gradient = HeatMapPlottable::gradient(map.map, counts);
    const auto [low, high]    = shownRange(map);
    std::vector<QRgb> colours;
    colours.reserve(map.z.size());
    for (const float z : map.z)
        if (std::isnan(z))
            colours.push_back(0);
        else if (map.categories.empty())
            colours.push_back(gradient.color(std::clamp(static_cast<double>(z), low, high), {low, high}));
        else
            colours.push_back(
                palette.region(std::clamp(static_cast<int>(z), 0, static_cast<int>(map.categories.size()) - 1)).rgb());
    return colours;
}

std::vector<QRgb> shadesOf(ColourMap map)
{
    constexpr int shades = 1024;
    std::vector<QRgb> table(shades);
    for (int k = 0; k < shades; ++k)
        table[static_cast<std::size_t>(k)] = mapColour(map, k / (shades - 1.0)).rgb();
    return table;
}

/// The position of each pixel between the centres of two cells: the fraction `share` of the way
/// from `low` to `high`.
struct BetweenCells {
    std::size_t low = 0, high = 0, nearest = 0;
    float share = 0;
};

/// The share of the way from the first to the second edge.
double shareBetween(Range edges, double at, bool logarithmic)
{
    return logarithmic ? std::log(at / edges.first) / std::log(edges.second / edges.first)
                       : (at - edges.first) / (edges.second - edges.first);
}

template <class Coordinate>
std::vector<BetweenCells> betweenCells(int pixels, Range edges, bool logarithmic, int cells, Coordinate coordinate)
{
    std::vector<BetweenCells> all(static_cast<std::size_t>(pixels));
    for (int k = 0; k < pixels; ++k) {
        const double at      = std::clamp(shareBetween(edges, coordinate(k + 0.5), logarithmic) * cells, 0.0,
                                          static_cast<double>(cells));
        const double between = std::clamp(at - 0.5, 0.0, cells - 1.0);
        auto& one            = all[static_cast<std::size_t>(k)];
        one.low              = static_cast<std::size_t>(between);
        one.high             = std::min(one.low + 1, static_cast<std::size_t>(cells) - 1);
        one.share            = static_cast<float>(between - std::floor(between));
        one.nearest          = std::min(static_cast<std::size_t>(at), static_cast<std::size_t>(cells) - 1);
    }
    return all;
}

}   // namespace

void HeatMapPlottable::setMap(const HeatMap& map, const ChartPalette& palette, const QFont& font, double pixelsPerPoint,
                              bool counts)
{
    const bool whole = map.nx > 0 && map.ny > 0
                       && map.z.size() == static_cast<std::size_t>(map.nx) * static_cast<std::size_t>(map.ny);
    m_columns           = whole ? map.nx : 0;
    m_rows              = whole ? map.ny : 0;
    m_xLogarithmic      = map.x_logarithmic;
    m_yLogarithmic      = map.y_logarithmic;
    m_xEdges            = cellEdges(map.x, map.nx, m_xLogarithmic);
    m_yEdges            = cellEdges(map.y, map.ny, m_yLogarithmic);
    m_z                 = map.z;
    m_gaps              = std::any_of(m_z.begin(), m_z.end(), [](float z) { return !std::isfinite(z); });
    m_range             = shownRange(map);
    const bool separate = counts || map.discrete || !map.categories.empty();
    m_colours           = separate ? cellColours(map, palette, counts) : std::vector<QRgb>();
    m_shades            = separate ? std::vector<QRgb>() : shadesOf(map.map);
    m_image             = {};
    m_contours.clear();
    for (const double level : map.contours)
        for (const QLineF& line : contourLines(map, level))
            m_contours.push_back(line);
    m_contourPen = QPen(palette.text, 1.0 * pixelsPerPoint);
    QColor halo  = palette.background;
    halo.setAlphaF(0.6F);
    m_contourHalo = QPen(halo, 2.6 * pixelsPerPoint);
    m_font        = font;
    m_numbers     = counts;
}

QRectF HeatMapPlottable::cellsRect() const
{
    return QRectF(coordsToPixels(m_xEdges.first, m_yEdges.first), coordsToPixels(m_xEdges.second, m_yEdges.second))
        .normalized();
}

/// @param place  the image rectangle in plot pixels; @param size  in image pixels
QImage HeatMapPlottable::render(const QRectF& place, QSize size) const
{
    const auto columns = betweenCells(size.width(), m_xEdges, m_xLogarithmic, m_columns, [&](double at) {
        return mKeyAxis->pixelToCoord(place.left() + at * place.width() / size.width());
    });
    const auto rows    = betweenCells(size.height(), m_yEdges, m_yLogarithmic, m_rows, [&](double at) {
        return mValueAxis->pixelToCoord(place.top() + at * place.height() / size.height());
    });
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    const auto width  = static_cast<std::size_t>(m_columns);
    const float top   = static_cast<float>(m_shades.size()) - 1;
    const float from  = static_cast<float>(m_range.first);
    const float scale = top / static_cast<float>(m_range.second - m_range.first);
    std::vector<float> between(width);
    for (int y = 0; y < size.height(); ++y) {
        auto* const line        = reinterpret_cast<QRgb*>(image.scanLine(y));
        const BetweenCells& row = rows[static_cast<std::size_t>(y)];
        const std::size_t own   = row.nearest * width;
        if (!m_colours.empty()) {
            for (std::size_t x = 0; x < columns.size(); ++x)
                line[x] = m_colours[own + columns[x].nearest];
            continue;
        }
        const float *low = m_z.data() + row.low * width, *high = m_z.data() + row.high * width;
        for (std::size_t k = 0; k < width; ++k)
            between[k] = (low[k] + row.share * (high[k] - low[k]) - from) * scale;
        for (std::size_t x = 0; x < columns.size(); ++x) {
            const BetweenCells& column = columns[x];
            float shade = between[column.low] + column.share * (between[column.high] - between[column.low]);
            if (m_gaps && !std::isfinite(shade)) {   // next to an unknown cell, the nearest known one is used
                shade = (m_z[own + column.nearest] - from) * scale;
                if (std::isnan(shade)) {
                    line[x] = 0;
                    continue;
                }
            }
            line[x] = m_shades[static_cast<std::size_t>(std::clamp(shade + 0.5F, 0.0F, top))];
        }
    }
    return image;
}

void HeatMapPlottable::draw(QCPPainter* painter)
{
    if (m_columns < 1)
        return;
    painter->save();
    painter->setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter->setRenderHint(QPainter::LosslessImageRendering, true);
    painter->setAntialiasing(false);
    drawImage(painter);
    painter->restore();
    painter->setAntialiasing(true);
    drawContours(painter);
    if (m_numbers)
        drawNumbers(painter);
}

void HeatMapPlottable::drawImage(QCPPainter* painter)
{
    const QRectF whole   = cellsRect();
    const QRectF visible = whole.intersected(QRectF(clipRect()));
    if (painter->modes().testFlag(QCPPainter::pmVectorized)) {
        constexpr double wanted = 1200;   // pixels along the longer side
        if (!m_colours.empty()) {         // PDF and SVG viewers smooth enlarged images: many pixels a cell
            const int magnification = std::max(1, static_cast<int>(wanted) / std::max(m_columns, m_rows));
            painter->drawImage(whole, render(whole, QSize(m_columns, m_rows) * magnification));
            return;
        }
        const bool pixels  = painter->device()->devType() == QInternal::Image;
        const double scale = pixels ? painter->transform().m11() : wanted / std::max(visible.width(), visible.height());
        if (visible.width() >= 1 && visible.height() >= 1)
            painter->drawImage(visible, render(visible, (visible.size() * scale).toSize().expandedTo({1, 1})));
        return;
    }
    const QRect place(visible.topLeft().toPoint(), visible.bottomRight().toPoint() - QPoint(1, 1));
    if (place.isEmpty())
        return;
    const QCPRange x = mKeyAxis->range(), y = mValueAxis->range();
    const std::array<double, 4> axes{x.lower, x.upper, y.lower, y.upper};
    if (m_image.isNull() || m_place != place || m_axes != axes) {
        m_image = render(place, (QSizeF(place.size()) * mParentPlot->bufferDevicePixelRatio()).toSize());
        m_place = place;
        m_axes  = axes;
    }
    painter->drawImage(place, m_image);
}

void HeatMapPlottable::drawContours(QCPPainter* painter) const
{
    for (const QPen& pen : {m_contourHalo, m_contourPen}) {
        painter->setPen(pen);
        for (const QLineF& line : m_contours)
            painter->drawLine(QLineF(coordsToPixels(line.x1(), line.y1()), coordsToPixels(line.x2(), line.y2())));
    }
}

void HeatMapPlottable::drawNumbers(QCPPainter* painter) const
{
    const QRectF all = cellsRect();
    const QSizeF cell(all.width() / m_columns, all.height() / m_rows);
    const QFontMetricsF metrics(m_font);
    if (cell.height() < metrics.height() || cell.width() < metrics.horizontalAdvance(QStringLiteral("000")))
        return;   // the data table has them
    painter->setFont(m_font);
    const double dx = (m_xEdges.second - m_xEdges.first) / m_columns, dy = (m_yEdges.second - m_yEdges.first) / m_rows;
    for (int row = 0; row < m_rows; ++row)
        for (int column = 0; column < m_columns; ++column) {
            const auto k = static_cast<std::size_t>(row) * static_cast<std::size_t>(m_columns)
                           + static_cast<std::size_t>(column);
            if (!std::isfinite(m_z[k]))
                continue;
            painter->setPen(blackOrWhite(QColor(m_colours[k])));
            const QPointF centre = coordsToPixels(m_xEdges.first + (column + 0.5) * dx,
                                                  m_yEdges.first + (row + 0.5) * dy);
            const QRectF place(centre - QPointF(cell.width(), cell.height()) / 2, cell);
            painter->drawText(place, Qt::AlignCenter,
                              metrics.elidedText(QString::number(static_cast<double>(m_z[k]), 'g', 4), Qt::ElideRight,
                                                 cell.width() - 2));
        }
}

}   // namespace credence
