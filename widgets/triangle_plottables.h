// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plottables.h"

#include <QImage>

#include <array>

namespace credence {

/// A map on the triangle as an image: each pixel looks up its cell, so the cost depends on pixels
/// and not on 40,000 cells.
class TernaryMapPlottable : public PassivePlottable {
public:
    using PassivePlottable::PassivePlottable;
    void setMap(const TernaryMap& map);

protected:
    void draw(QCPPainter* painter) override;

private:
    QImage render(const QRectF& place, QSize size) const;

    int m_n = 0;
    std::vector<QRgb> m_colours;   ///< of each cell
    QImage m_image;                ///< last image drawn on screen
    QRectF m_place;
    std::array<double, 4> m_axes{};   ///< the ranges of that image
};

/// The border of the triangle, ticks at the quarters of its sides and the names of its corners.
class TrianglePlottable : public PassivePlottable {
public:
    using PassivePlottable::PassivePlottable;
    void setTriangle(const Triangle& triangle, const ChartPalette& palette, const QFont& font, double pixelsPerPoint);
    /// The name of a corner as it is drawn, shortened if necessary.
    struct CornerName {
        QString text;
        QRectF place;
    };
    std::array<CornerName, 3> names() const;
    double topWidth() const;   ///< of the whole name of the upper corner, pixels

protected:
    void draw(QCPPainter* painter) override;

private:
    std::array<QPointF, 3> corners() const;   ///< pixels
    double mark() const { return 2.2 * m_pen.widthF(); }

    Triangle m_triangle;
    QPen m_pen;
    std::array<QColor, 3> m_names;   ///< their colours
    QFont m_font;
};

}   // namespace credence
