// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_painter.h"

#include "widgets/axis_ranges.h"
#include "widgets/layout_elements.h"
#include "widgets/legend_entries.h"
#include "widgets/plottables.h"
#include "widgets/triangle_plottables.h"

#include "charts/triangle.h"

#include <algorithm>
#include <cmath>

namespace credence {

ChartPainter::ChartPainter(QCustomPlot* plot) : m_plot(plot)
{
    m_plot->setLocale(QLocale::c());
    m_plot->setNoAntialiasingOnDrag(false);
    m_plot->setPlottingHints(QCP::phCacheLabels | QCP::phFastPolylines);   // on screen only: files are drawn as vectors
    m_plot->setAntialiasedElements(QCP::aeAll);
    m_plot->setNotAntialiasedElements(QCP::aeAxes | QCP::aeGrid | QCP::aeSubGrid | QCP::aeZeroLine);
    m_plot->setInteractions(QCP::iNone);
}

std::vector<int> ChartPainter::structure(const Chart& chart, int columns) const
{
    std::vector<int> result{columns, static_cast<int>(chart.panels.size()), chart.message.empty() ? 0 : 1,
                            sharesColourBar(chart, columns) ? 1 : 0, sharesLegend(chart) ? 1 : 0};
    for (const Panel& panel : chart.panels) {
        result.push_back(-1);
        result.push_back(static_cast<int>(std::lround(1000 * panel.weight)));
        result.push_back(heading(panel).empty() ? 0 : 1);
        result.push_back(colourScale(panel) ? 1 : 0);
        result.push_back(panel.triangle ? 1 : 0);
        result.push_back(legendTexts(panel).empty() ? 0 : 1);
        for (const Series& series : panel.series)
            result.push_back(SeriesPlotter::kind(series));
    }
    return result;
}

void ChartPainter::show(const Chart& given, const ChartPalette& palette, const DrawScale& scale, int columns)
{
    Chart chart = given;
    for (Panel& panel : chart.panels)
        panel = on_plane(std::move(panel));
    const auto wanted = structure(chart, columns);
    // Another chart or stated range resets the zoom; new data do not.
    for (std::size_t k = 0; k < std::min({m_panels.size(), chart.panels.size(), m_chart.panels.size()}); ++k)
        if (m_chart.id != chart.id || m_chart.panels[k].x.range != chart.panels[k].x.range
            || m_chart.panels[k].y.range != chart.panels[k].y.range)
            m_panels[k].zoomed = false;
    m_chart   = chart;
    m_palette = palette;
    m_scale   = scale;
    m_columns = std::max(1, columns);
    if (wanted != m_structure) {
        build(chart, m_columns);
        m_structure = wanted;
        ++m_rebuilds;
    }
    m_plot->setBackground(QBrush(palette.background));
    if (m_message)
        m_message->setText(QString::fromStdString(chart.message), scale.font, palette.muted);
    for (std::size_t k = 0; k < m_panels.size(); ++k) {
        const Panel& panel       = chart.panels[k];
        PanelParts& parts        = m_panels[k];
        const PanelRanges ranges = panelRanges(panel);
        axisStyle().apply(parts.axes->axis(QCPAxis::atBottom), panel.x, ranges.x, parts.zoomed);
        axisStyle().apply(parts.axes->axis(QCPAxis::atLeft), panel.y, ranges.y, parts.zoomed);
        const bool framed = !panel.x.hidden && !panel.y.hidden
                            && std::any_of(panel.series.begin(), panel.series.end(),
                                           [](const Series& s) { return std::holds_alternative<HeatMap>(s); });
        for (const auto side : {QCPAxis::atTop, QCPAxis::atRight}) {
            QCPAxis* const axis = parts.axes->axis(side);
            axis->setVisible(framed);
            axis->setTicks(false);
            axis->setTickLabels(false);
            axis->setBasePen(QPen(palette.frame, std::max(1.0, std::round(0.75 * scale.pixelsPerPoint))));
        }
        for (std::size_t s = 0; s < parts.series.size(); ++s)
            parts.series[s].fill(panel.series[s], panel, palette, scale);
        if (parts.bar)
            axisStyle().styleBar(parts.bar, *colourScale(panel));
        if (parts.triangle)
            parts.triangle->setTriangle(*panel.triangle, palette, scale.tickFont(), scale.pixelsPerPoint);
        if (parts.title)
            parts.title->setText(QString::fromStdString(heading(panel)), scale.titleFont(), palette.text);
        if (parts.legend)
            parts.legend->setEntries(legendEntries(panel, palette, scale.pixelsPerPoint), scale.tickFont(),
                                     palette.text);
    }
    if (m_sharedBar)
        axisStyle().styleBar(m_sharedBar, *colourScale(chart.panels.front()));
    if (m_sharedLegend)
        m_sharedLegend->setEntries(legendEntries(chart.panels.front(), palette, scale.pixelsPerPoint), scale.tickFont(),
                                   palette.text);
}

void ChartPainter::build(const Chart& chart, int columns)
{
    m_plot->clearPlottables();
    for (QCPLayerable* child : m_plot->layer(QStringLiteral("main"))->children())
        if (dynamic_cast<ClipMark*>(child))
            delete child;
    m_plot->plotLayout()->clear();
    m_plot->plotLayout()->simplify();
    qDeleteAll(m_plot->findChildren<QCPMarginGroup*>());
    m_panels.clear();
    m_message      = nullptr;
    m_sharedBar    = nullptr;
    m_sharedLegend = nullptr;
    m_body         = nullptr;
    m_grid         = nullptr;

    if (chart.panels.empty() || !chart.message.empty()) {
        m_message = new TextElement(m_plot);
        m_message->setWrapped(true);
        m_plot->plotLayout()->addElement(0, 0, m_message);
        return;
    }
    m_body = new QCPLayoutGrid;
    m_plot->plotLayout()->addElement(0, 0, m_body);
    m_grid = new QCPLayoutGrid;
    m_body->addElement(0, 0, m_grid);
    m_panels.reserve(chart.panels.size());
    for (std::size_t k = 0; k < chart.panels.size(); ++k)
        buildPanel(chart.panels[k], m_grid, static_cast<int>(k) / columns, static_cast<int>(k) % columns,
                   static_cast<int>(k));

    for (int column = 0; column < m_grid->columnCount(); ++column) {   // as wide as their heaviest panel
        double weight = 0;
        for (std::size_t k = static_cast<std::size_t>(column); k < chart.panels.size();
             k += static_cast<std::size_t>(columns))
            weight = std::max(weight, chart.panels[k].weight);
        m_grid->setColumnStretchFactor(column, weight);
    }
    for (int row = 0; row < m_grid->rowCount(); ++row) {
        double weight = 0;
        for (std::size_t k = static_cast<std::size_t>(row * columns);
             k < std::min(chart.panels.size(), static_cast<std::size_t>((row + 1) * columns)); ++k)
            weight = std::max(weight, chart.panels[k].weight);
        m_grid->setRowStretchFactor(row, weight);
    }
    const bool sharedBar = sharesColourBar(chart, columns), sharedLegend = sharesLegend(chart);
    for (std::size_t k = 0; k < chart.panels.size(); ++k) {
        PanelParts& parts = m_panels[k];
        if (colourScale(chart.panels[k]) && !sharedBar) {
            parts.bar = new QCPColorScale(m_plot);
            parts.body->addElement(0, 1, parts.bar);
            parts.body->setColumnStretchFactor(1, 0.001);
            parts.bar->setMarginGroup(QCP::msTop | QCP::msBottom, parts.axes->marginGroup(QCP::msTop));
        }
        const auto row    = neighbours(k, chart.panels.size(), columns);
        const bool listed = std::any_of(chart.panels.begin() + row.first, chart.panels.begin() + row.second,
                                        [](const Panel& panel) { return !legendTexts(panel).empty(); });
        if (listed && !sharedLegend) {   // also next to a panel with a legend, so that axes in a row stay aligned
            parts.legend = new LegendBox(m_plot);
            parts.cell->addElement(parts.cell->rowCount(), 0, parts.legend);
        }
    }
    if (sharedBar) {
        m_sharedBar = new QCPColorScale(m_plot);
        m_sharedBar->setAutoMargins(QCP::msLeft | QCP::msRight);
        m_body->addElement(0, 1, m_sharedBar);
        m_body->setColumnStretchFactor(1, 0.001);
    }
    if (sharedLegend) {
        m_sharedLegend = new LegendBox(m_plot);
        m_plot->plotLayout()->addElement(1, 0, m_sharedLegend);
    }
}

void ChartPainter::buildPanel(const Panel& panel, QCPLayoutGrid* grid, int row, int column, int index)
{
    PanelParts parts;
    parts.cell = new QCPLayoutGrid;
    parts.cell->setRowSpacing(1);
    grid->addElement(row, column, parts.cell);
    if (!heading(panel).empty()) {
        parts.title = new TextElement(m_plot);
        parts.cell->addElement(0, 0, parts.title);
    }
    parts.body = new QCPLayoutGrid;
    parts.body->setColumnSpacing(4);
    parts.cell->addElement(parts.cell->rowCount(), 0, parts.body);
    parts.axes = new QCPAxisRect(m_plot, true);
    parts.body->addElement(0, 0, parts.axes);
    // Align the height of the colour bar with its panel.
    auto* const group = new QCPMarginGroup(m_plot);
    parts.axes->setMarginGroup(QCP::msTop | QCP::msBottom, group);
    for (const auto side : {QCPAxis::atLeft, QCPAxis::atBottom, QCPAxis::atRight,
                            QCPAxis::atTop}) {   // axes() has hash order, which differs between processes
        QCPAxis* const axis = parts.axes->axis(side);
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
    }
    QCPAxis* const x = parts.axes->axis(QCPAxis::atBottom);
    QCPAxis* const y = parts.axes->axis(QCPAxis::atLeft);
    new ClipMark(parts.axes, index, true);
    for (const Series& series : panel.series)
        parts.series.emplace_back(series, x, y);
    new ClipMark(parts.axes, index, false);
    if (panel.triangle) {
        parts.triangle = new TrianglePlottable(x, y);
        parts.triangle->setSelectable(QCP::stNone);
    }
    m_panels.push_back(std::move(parts));
}

int ChartPainter::panelAt(QPointF position) const
{
    for (int k = 0; k < panelCount(); ++k)
        if (panelRect(k).contains(position.toPoint()))
            return k;
    return -1;
}

QRect ChartPainter::panelRect(int panel) const { return m_panels[static_cast<std::size_t>(panel)].axes->rect(); }

std::pair<Range, Range> ChartPainter::shownRange(int panel) const
{
    const QCPAxisRect* const axes = m_panels[static_cast<std::size_t>(panel)].axes;
    const QCPRange x = axes->axis(QCPAxis::atBottom)->range(), y = axes->axis(QCPAxis::atLeft)->range();
    return {{x.lower, x.upper}, {y.lower, y.upper}};
}

QPointF ChartPainter::onAxes(int panel, QPointF position) const
{
    const QCPAxisRect* const axes = m_panels[static_cast<std::size_t>(panel)].axes;
    return {axes->axis(QCPAxis::atBottom)->pixelToCoord(position.x()),
            axes->axis(QCPAxis::atLeft)->pixelToCoord(position.y())};
}

QPointF ChartPainter::coordinates(int panel, QPointF position) const
{
    const QPointF at = onAxes(panel, position);
    if (!m_chart.panels[static_cast<std::size_t>(panel)].triangle)
        return at;
    const TrianglePlace place = triangle_probabilities(at.x(), at.y());
    return {place.first, place.second};
}

QPointF ChartPainter::position(int panel, QPointF coordinates) const
{
    const QCPAxisRect* const axes = m_panels[static_cast<std::size_t>(panel)].axes;
    if (m_chart.panels[static_cast<std::size_t>(panel)].triangle) {
        const PlanePlace place = triangle_place(coordinates.x(), coordinates.y());
        coordinates            = {place.x, place.y};
    }
    return {axes->axis(QCPAxis::atBottom)->coordToPixel(coordinates.x()),
            axes->axis(QCPAxis::atLeft)->coordToPixel(coordinates.y())};
}

void ChartPainter::zoom(int panel, QPointF position, double factor)
{
    PanelParts& parts    = m_panels[static_cast<std::size_t>(panel)];
    const QPointF centre = onAxes(panel, position);
    parts.axes->axis(QCPAxis::atBottom)->scaleRange(factor, centre.x());
    parts.axes->axis(QCPAxis::atLeft)->scaleRange(factor, centre.y());
    parts.zoomed = true;
}

void ChartPainter::pan(int panel, QPointF from, QPointF to)
{
    PanelParts& parts = m_panels[static_cast<std::size_t>(panel)];
    const auto move   = [](QCPAxis* axis, double a, double b) {
        const double start = axis->pixelToCoord(a), end = axis->pixelToCoord(b);
        if (axis->scaleType() == QCPAxis::stLinear)
            axis->moveRange(start - end);
        else
            axis->setRange(axis->range().lower * start / end, axis->range().upper * start / end);
    };
    move(parts.axes->axis(QCPAxis::atBottom), from.x(), to.x());
    move(parts.axes->axis(QCPAxis::atLeft), from.y(), to.y());
    parts.zoomed = true;
}

void ChartPainter::resetZoom()
{
    for (std::size_t k = 0; k < m_panels.size(); ++k) {
        PanelParts& parts        = m_panels[k];
        const PanelRanges ranges = panelRanges(m_chart.panels[k]);
        parts.zoomed             = false;
        axisStyle().apply(parts.axes->axis(QCPAxis::atBottom), m_chart.panels[k].x, ranges.x, false);
        axisStyle().apply(parts.axes->axis(QCPAxis::atLeft), m_chart.panels[k].y, ranges.y, false);
    }
}

bool ChartPainter::zoomed() const
{
    return std::any_of(m_panels.begin(), m_panels.end(), [](const PanelParts& parts) { return parts.zoomed; });
}

}   // namespace credence
