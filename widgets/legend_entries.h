// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_palette.h"

#include <qcustomplot.h>

#include <vector>

namespace credence {

/// How one series is drawn, in one colour; the plottable and the entry in the legend take it from here.
QPen linePen(const Line& line, const ChartPalette& palette, double pixelsPerPoint);
QCPScatterStyle scatterStyle(const Points& points, const ChartPalette& palette, double pixelsPerPoint);

/// The marker that a curve carries at a few of its points where nothing but its colour tells it from another one of the panel; none where its style does, and
/// where it is alone.
QCPScatterStyle curveMarker(const Line& line, const Panel& panel, const ChartPalette& palette, double pixelsPerPoint);
/// How many points of a curve of `n` points stand between two such markers.
int betweenMarkers(std::size_t n);

struct LegendEntry {
    QString text;
    QPen line{Qt::NoPen};        ///< a short line
    QBrush patch{Qt::NoBrush};   ///< a filled rectangle
    QCPScatterStyle marker;
};

/// One entry for each named series, and one for each category of a region map. A name that comes twice is listed once.
std::vector<LegendEntry> legendEntries(const Panel& panel, const ChartPalette& palette, double pixelsPerPoint);

/// Entries in rows as wide as the panel, below the data, which it therefore never hides.
class LegendBox : public QCPLayoutElement {
public:
    explicit LegendBox(QCustomPlot* plot);
    void setEntries(std::vector<LegendEntry> entries, const QFont& font, const QColor& colour);
    /// Takes the height that the entries need in this width, at most `heightLimit` pixels; entries that find no room are counted ("+3").
    /// @param whole  before that, the letters become smaller
    void fit(int width, int heightLimit, bool whole = false);
    int neededHeight() const { return m_neededHeight; }   ///< by the last fit
    void setHeight(int height);                           ///< more than is needed: the entries stand above

protected:
    void applyDefaultAntialiasingHint(QCPPainter*) const override {}
    void draw(QCPPainter* painter) override;

private:
    double entryWidth(const LegendEntry& entry) const;
    void place(int width, int heightLimit);

    std::vector<LegendEntry> m_entries;
    std::vector<QRectF> m_places;   ///< relative to the element's corner
    QFont m_font, m_stated;         ///< that of the last fit, and the largest
    QColor m_colour;
    int m_hidden       = 0;
    int m_neededHeight = 0;
};

}   // namespace credence
