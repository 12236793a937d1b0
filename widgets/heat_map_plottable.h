// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plottables.h"

#include <QLineF>

#include <array>
#include <vector>

namespace credence {

/// The contour lines of a map at `level`, see charts/contours.h.
std::vector<QLineF> contourLines(const HeatMap& map, double level);

/// A colour map with its contours and, for class counts, its numbers. A measured quantity is
/// interpolated between the centres of its cells before it is coloured. Categories, counts and
/// discrete cells keep their edges.
class HeatMapPlottable : public PassivePlottable {
public:
    using PassivePlottable::PassivePlottable;
    /// @param counts  of classes: numbers in the cells, coloured by the cube root
    void setMap(const HeatMap& map, const ChartPalette& palette, const QFont& font, double pixelsPerPoint, bool counts);

    /// @param stretched  for counts: small values stay distinguishable next to large ones, by the
    ///        cube root
    static QCPColorGradient gradient(ColourMap map, bool stretched = false);

protected:
    void draw(QCPPainter* painter) override;

private:
    QImage render(const QRectF& place, QSize size) const;
    void drawImage(QCPPainter* painter);
    void drawContours(QCPPainter* painter) const;
    void drawNumbers(QCPPainter* painter) const;
    QRectF cellsRect() const;

    int m_columns = 0, m_rows = 0;
    Range m_xEdges, m_yEdges;
    bool m_xLogarithmic = false, m_yLogarithmic = false;
    std::vector<float> m_z;        ///< [rows × columns], row 0 at the lowest y
    std::vector<QRgb> m_colours;   ///< of the cells; empty: interpolated
    std::vector<QRgb> m_shades;    ///< from the lowest to the highest value, if interpolated
    Range m_range;                 ///< of m_shades
    bool m_numbers = false, m_gaps = false;
    QImage m_image;   ///< the image on screen for these pixels and axes
    QRect m_place;
    std::array<double, 4> m_axes{};
    std::vector<QLineF> m_contours;
    QPen m_contourPen, m_contourHalo;
    QFont m_font;
};

}   // namespace credence
