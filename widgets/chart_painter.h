// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_axes.h"
#include "widgets/chart_layout.h"

#include <QPointF>
#include <QRect>

#include <optional>

class QCPAxisRect;
class QCPColorScale;
class QCPLayoutGrid;
class QCustomPlot;

namespace credence {

class ClipMark;
class LegendBox;
class PanelWords;
class TextElement;
class TrianglePlottable;

/// Draws a Chart into a QCustomPlot. Screen and files use the same painter, with the screen or
/// print palette.
class ChartPainter {
public:
    explicit ChartPainter(QCustomPlot* plot);

    /// Reuses the plottables of the previous chart if panels and kinds of series are the same, and
    /// keeps the user's zoom.
    /// @param columns  panels per row
    void show(const Chart& chart, const ChartPalette& palette, const DrawScale& scale, int columns);
    /// Adapts ticks, labels, legends and aspect ratio to the current size. On screen called before
    /// each replot.
    void arrange();

    int panelCount() const { return static_cast<int>(m_panels.size()); }
    int panelAt(QPointF position) const;   ///< -1: between panels
    QPointF coordinates(int panel, QPointF position)
        const;   ///< for a point of the widget; in a triangle the probabilities of the first and second class
    std::pair<Range, Range> shownRange(int panel) const;      ///< of the panel's axes, in x and y
    QPointF position(int panel, QPointF coordinates) const;   ///< the inverse
    QRect panelRect(int panel) const;                         ///< inside the axes
    void zoom(int panel, QPointF position, double factor);    ///< factor < 1: zooms in; the point stays fixed
    void pan(int panel, QPointF from, QPointF to);
    void resetZoom();
    bool zoomed() const;
    int rebuilds() const { return m_rebuilds; }   ///< number of times the plottables were recreated

private:
    struct PanelParts {
        QCPLayoutGrid* cell         = nullptr;   ///< title, body, legend, from top to bottom
        QCPLayoutGrid* body         = nullptr;   ///< axes and colour bar
        TextElement* title          = nullptr;   ///< null: no title
        QCPAxisRect* axes           = nullptr;
        QCPColorScale* bar          = nullptr;   ///< null: no colour bar, or the shared one
        LegendBox* legend           = nullptr;   ///< null: no names, or the shared one
        TrianglePlottable* triangle = nullptr;   ///< null: the panel has axes
        PanelWords* words           = nullptr;   ///< in compact panels, instead of title, colour bar and legend
        std::vector<SeriesPlotter> series;
        ClipMark *clipBegin = nullptr, *clipEnd = nullptr;   ///< before and after the series
        bool zoomed = false;
        Range y;                         ///< without head room
        std::optional<double> highest;   ///< value of its series
        double stretch = 1;              ///< of the y axis, for words above the highest values
        bool equal     = false;          ///< units in x and y
        int head       = 0;              ///< pixels above a triangle, for its words
    };

    std::vector<int> structure(const Chart& chart, int columns) const;
    void clear();
    void build(const Chart& chart, int columns);
    void stretch(const Chart& chart, int columns);
    void buildLegends(const Chart& chart, int columns);
    void buildPanel(const Panel& panel, QCPLayoutGrid* grid, int row, int column, int index);
    AxisStyle axisStyle() const { return {m_palette, m_scale}; }
    QPointF onAxes(int panel, QPointF position) const;   ///< coordinates along the axes
    void fitTexts();
    void fitAspect();
    QSize equalSize(std::size_t panel) const;
    QSize surplus(std::size_t panel) const;   ///< of its axes, with equal units in x and y
    void clearCells();
    void clearTriangles();
    double freeWidth(std::size_t panel) const;
    bool keepsEqualUnits(std::size_t panel) const;
    void centreEqualPanels();
    bool frameMap(const PanelParts& parts, const Panel& panel) const;
    void setWords(std::size_t panel);
    void makeHeadRoom();
    double neededStretch(const PanelParts& parts, const Panel& panel, const QSizeF& size) const;
    int headOverMap(const PanelParts& parts) const;
    int outerGap() const;
    void layOut();

    QCustomPlot* m_plot;
    Chart m_chart;   ///< triangles as images of the plane
    ChartPalette m_palette;
    DrawScale m_scale;
    int m_columns = 1;
    std::vector<int> m_structure;
    std::vector<PanelParts> m_panels;
    TextElement* m_message     = nullptr;
    QCPLayoutGrid* m_body      = nullptr;   ///< panels and the shared colour bar
    QCPLayoutGrid* m_grid      = nullptr;   ///< the panels
    QCPColorScale* m_sharedBar = nullptr;
    LegendBox* m_sharedLegend  = nullptr;
    int m_rebuilds             = 0;
};

}   // namespace credence
