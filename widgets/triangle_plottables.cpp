// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/triangle_plottables.h"

#include "charts/triangle.h"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

constexpr int shades = 1024;

std::vector<QRgb> coloursOf(const TernaryMap& map)
{
    std::vector<QRgb> table(shades);
    for (int k = 0; k < shades; ++k)
        table[static_cast<std::size_t>(k)] = mapColour(map.map, k / (shades - 1.0)).rgb() | 0xff000000U;
    const auto [low, high] = map.z_range;
    const double from = map.logarithmic ? std::log(low) : low, to = map.logarithmic ? std::log(high) : high;
    const double scale = to > from ? (shades - 1) / (to - from) : 0;
    std::vector<QRgb> colours(map.z.size(), 0);
    for (std::size_t cell = 0; cell < colours.size(); ++cell) {
        const double z = static_cast<double>(map.z[cell]);
        if (std::isnan(z))
            continue;
        const double at = map.logarithmic ? (z > low ? (std::log(z) - from) * scale : 0.0) : (z - from) * scale;
        colours[cell]   = table[static_cast<std::size_t>(std::clamp(at + 0.5, 0.0, shades - 1.0))];
    }
    return colours;
}

}   // namespace

void TernaryMapPlottable::setMap(const TernaryMap& map)
{
    m_n       = map.z.size() == static_cast<std::size_t>(map.n) * static_cast<std::size_t>(map.n) ? map.n : 0;
    m_colours = coloursOf(map);
    m_image   = {};
}

/// @param place  the image rectangle in plot pixels; @param size  in image pixels
QImage TernaryMapPlottable::render(const QRectF& place, QSize size) const
{
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    const double left = mKeyAxis->pixelToCoord(place.left()),
                 dx   = (mKeyAxis->pixelToCoord(place.right()) - left) / size.width();
    const double top  = mValueAxis->pixelToCoord(place.top()),
                 dy   = (mValueAxis->pixelToCoord(place.bottom()) - top) / size.height();
    const int n       = m_n;
    for (int row = 0; row < size.height(); ++row) {
        auto* const line          = reinterpret_cast<QRgb*>(image.scanLine(row));
        const TrianglePlace first = triangle_probabilities(left + 0.5 * dx, top + (row + 0.5) * dy);
        const double third        = first.third();
        double second             = first.second * n;   // increases by n dx per pixel
        const double rest         = (1 - third) * n;    // π_1 + π_2
        for (int column = 0; column < size.width(); ++column, second += n * dx) {
            const double one = rest - second;
            if (third < 0 || second < 0 || one < 0) {
                line[column] = 0;
                continue;
            }
            const int i = std::min(static_cast<int>(one), n - 1), j = std::min(static_cast<int>(second), n - 1 - i);
            const bool down = i + j < n - 1 && third * n < n - 1 - i - j;
            line[column]    = m_colours[static_cast<std::size_t>(i * (2 * n - i) + 2 * j + (down ? 1 : 0))];
        }
    }
    return image;
}

void TernaryMapPlottable::draw(QCPPainter* painter)
{
    if (m_n < 1)
        return;
    const PlanePlace top = triangle_place(0, 0);
    const QRectF whole   = QRectF(coordsToPixels(0, top.y), coordsToPixels(1, 0)).normalized();
    const QRectF place   = whole.intersected(QRectF(clipRect()));
    if (place.width() < 1 || place.height() < 1)
        return;
    painter->save();
    painter->setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter->setRenderHint(QPainter::LosslessImageRendering, true);
    painter->setAntialiasing(false);
    if (painter->modes().testFlag(QCPPainter::pmVectorized)) {
        // PDF and SVG viewers smooth enlarged images, so each cell is drawn as many pixels.
        constexpr double wanted = 1400;   // pixels along the longer side
        const double scale      = wanted / std::max(place.width(), place.height());
        painter->drawImage(place, render(place, (place.size() * scale).toSize()));
    } else {
        const QCPRange x = mKeyAxis->range(), y = mValueAxis->range();
        const std::array<double, 4> axes{x.lower, x.upper, y.lower, y.upper};
        const QRectF whole_pixels = place.toAlignedRect();
        const double ratio        = mParentPlot->bufferDevicePixelRatio();
        if (m_image.isNull() || m_place != whole_pixels || m_axes != axes) {
            m_image = render(whole_pixels, (whole_pixels.size() * ratio).toSize());
            m_place = whole_pixels;
            m_axes  = axes;
        }
        painter->drawImage(whole_pixels, m_image);
    }
    painter->restore();
}

void TrianglePlottable::setTriangle(const Triangle& triangle, const ChartPalette& palette, const QFont& font,
                                    double pixelsPerPoint)
{
    m_triangle = triangle;
    m_pen      = QPen(palette.frame, std::max(1.0, pixelsPerPoint));
    m_pen.setJoinStyle(Qt::RoundJoin);
    for (std::size_t k = 0; k < m_names.size(); ++k)
        m_names[k] = legible(palette.colour(triangle.tones[k]), palette.background);
    m_font = font;
}

std::array<QPointF, 3> TrianglePlottable::corners() const
{
    const auto at = [this](double first, double second) {
        const PlanePlace place = triangle_place(first, second);
        return coordsToPixels(place.x, place.y);
    };
    return {at(1, 0), at(0, 1), at(0, 0)};
}

double TrianglePlottable::topWidth() const
{
    return QFontMetricsF(m_font).horizontalAdvance(QString::fromStdString(m_triangle.corners[2])) + 2;
}

std::array<TrianglePlottable::CornerName, 3> TrianglePlottable::names() const
{
    const QFontMetricsF metrics(m_font);
    const QRectF panel(clipRect());
    const auto corners = this->corners();
    const double gap   = 1.6 * mark();
    std::array<CornerName, 3> names;
    for (std::size_t k = 0; k < 3; ++k) {
        const double limit = k == 2 ? panel.width() : 0.47 * panel.width();
        const QString text = metrics.elidedText(QString::fromStdString(m_triangle.corners[k]), Qt::ElideRight, limit);
        const double width = metrics.horizontalAdvance(text) + 2;
        double left        = corners[k].x() - width / 2;
        double top         = k == 2 ? corners[k].y() - gap - metrics.height() : corners[k].y() + gap;
        if (panel.contains(corners[k])) {   // the whole triangle is visible: keep names inside the panel
            left = std::clamp(left, panel.left(), std::max(panel.left(), panel.right() - width));
            top  = std::clamp(top, panel.top(), std::max(panel.top(), panel.bottom() - metrics.height()));
        }
        names[k] = {text, QRectF(left, top, width, metrics.height())};
    }
    return names;
}

void TrianglePlottable::draw(QCPPainter* painter)
{
    const auto corners   = this->corners();
    const QPointF centre = (corners[0] + corners[1] + corners[2]) / 3;
    painter->setAntialiasing(true);
    painter->setPen(m_pen);
    painter->setBrush(Qt::NoBrush);
    painter->drawPolygon(corners.data(), 3);
    for (std::size_t side = 0; side < 3; ++side) {
        const QPointF from = corners[side], to = corners[(side + 1) % 3];
        QPointF outwards = (from + to) / 2 - centre;
        outwards /= std::max(std::hypot(outwards.x(), outwards.y()), 1e-9);
        for (const double share : {0.25, 0.5, 0.75}) {
            const QPointF foot = from + share * (to - from);
            painter->drawLine(QLineF(foot, foot + (share == 0.5 ? 1.6 : 1.0) * mark() * outwards));
        }
    }
    painter->setFont(m_font);
    const auto names = this->names();
    for (std::size_t k = 0; k < 3; ++k) {
        painter->setPen(m_names[k]);
        painter->drawText(names[k].place, static_cast<int>(Qt::AlignCenter), names[k].text);
    }
}

}   // namespace credence
