// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_painter.h"

#include "charts/triangle.h"
#include "widgets/chart_axes.h"
#include "widgets/layout_elements.h"
#include "widgets/plottables.h"
#include "widgets/triangle_plottables.h"

#include <algorithm>
#include <cmath>
#include <span>

// Fits the chart to the current size of its plot.

namespace credence {
namespace {

constexpr int gapOverCells = 1;   ///< pixels, so that the key of the colours does not touch a table of classes

}   // namespace

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
    std::vector<int> result{columns,
                            static_cast<int>(chart.panels.size()),
                            chart.message.empty() ? 0 : 1,
                            sharesColourBar(chart, columns) ? 1 : 0,
                            sharesLegend(chart) ? 1 : 0,
                            m_scale.compact ? 1 : 0};
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
    // Another chart or stated range resets the zoom; new data do not.
    for (std::size_t k = 0; k < std::min({m_panels.size(), chart.panels.size(), m_chart.panels.size()}); ++k)
        if (m_chart.id != chart.id || m_chart.panels[k].x.range != chart.panels[k].x.range
            || m_chart.panels[k].y.range != chart.panels[k].y.range)
            m_panels[k].zoomed = false;
    m_chart           = chart;
    m_palette         = palette;
    m_scale           = scale;
    m_columns         = std::max(1, columns);
    const auto wanted = structure(chart, columns);
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
        parts.y              = ranges.y;
        parts.highest        = m_scale.compact ? highestValue(panel) : std::nullopt;
        const bool framed    = frameMap(parts, panel);
        ChartPalette colours = palette;   // so that maps have the same colours in both themes
        colours.outline      = (framed ? ChartPalette::light() : palette).outline;
        for (std::size_t s = 0; s < parts.series.size(); ++s)
            parts.series[s].fill(panel.series[s], panel, colours, scale);
        if (parts.bar)
            axisStyle().styleBar(parts.bar, *colourScale(panel));
        if (parts.triangle)
            parts.triangle->setTriangle(*panel.triangle, palette, scale.tickFont(), scale.pixelsPerPoint);
        if (parts.words)
            setWords(k);
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

/// Draws a line around a map with numbers on its axes. @return  is it one?
bool ChartPainter::frameMap(const PanelParts& parts, const Panel& panel) const
{
    const bool framed = !panel.x.hidden && !panel.y.hidden
                        && std::any_of(panel.series.begin(), panel.series.end(),
                                       [](const Series& s) { return std::holds_alternative<HeatMap>(s); });
    for (const auto side : {QCPAxis::atTop, QCPAxis::atRight}) {
        QCPAxis* const axis = parts.axes->axis(side);
        axis->setVisible(framed);
        axis->setTicks(false);
        axis->setTickLabels(false);
        axis->setBasePen(QPen(m_palette.frame, std::max(1.0, std::round(0.75 * m_scale.pixelsPerPoint))));
    }
    return framed;
}

/// Shows a scale that all panels share, and the name of a series that occurs in several panels, in
/// the first panel only.
void ChartPainter::setWords(std::size_t panel)
{
    const Panel& one = m_chart.panels[panel];
    PanelWords::Content content;
    if (m_chart.panels.size() > 1)   // a single panel needs no name: its view has one
        content.title = QString::fromStdString(one.title).section(QLatin1Char('\n'), 0, 0);
    if (!one.x.hidden)
        content.x = axisLabel(one.x.label, one.x.unit);
    if (!one.y.hidden)
        content.y = axisLabel(one.y.label, one.y.unit);
    if (panel == 0 || !sharesLegend(m_chart))
        content.legend = legendEntries(one, m_palette, m_scale.pixelsPerPoint);
    for (std::size_t before = 0; before < panel; ++before)   // one entry for all panels
        for (const auto& known : legendEntries(m_chart.panels[before], m_palette, m_scale.pixelsPerPoint))
            std::erase_if(content.legend, [&](const LegendEntry& entry) {
                return entry.text == known.text && entry.colour == known.colour;
            });
    const auto before = std::span(m_chart.panels).first(panel);
    if (const auto scale = colourScale(one); scale && std::ranges::none_of(before, [&](const Panel& other) {
                                                 return colourScale(other) && colourScale(other)->looksLike(*scale);
                                             }))
        content.scale = scale;   // one key for all panels with these colours
    content.overMap  = std::any_of(one.series.begin(), one.series.end(), [&one](const Series& series) {
        return std::holds_alternative<HeatMap>(series) || std::holds_alternative<TernaryMap>(series)
               || (one.x.hidden && std::holds_alternative<Pictures>(series));
    });
    content.cells    = content.overMap && !one.x.categories.empty();
    content.filling  = m_scale.filling;
    content.triangle = m_panels[panel].triangle;
    m_panels[panel].words->setContent(std::move(content), m_palette, m_scale.tickFont());
}

void ChartPainter::clear()
{
    for (const PanelParts& parts : m_panels) {
        delete parts.words;
        delete parts.clipBegin;
        delete parts.clipEnd;
    }
    m_plot->clearPlottables();
    m_plot->plotLayout()->clear();
    m_plot->plotLayout()->simplify();
    qDeleteAll(m_plot->findChildren<QCPMarginGroup*>());
    m_panels.clear();
    m_message      = nullptr;
    m_sharedBar    = nullptr;
    m_sharedLegend = nullptr;
    m_body         = nullptr;
    m_grid         = nullptr;
}

void ChartPainter::build(const Chart& chart, int columns)
{
    clear();
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
    stretch(chart, columns);
    if (!m_scale.compact)
        buildLegends(chart, columns);
}

/// Gives columns and rows the stretch of their heaviest panel.
void ChartPainter::stretch(const Chart& chart, int columns)
{
    for (int column = 0; column < m_grid->columnCount(); ++column) {
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
}

/// Builds colour bars and legends, either shared or one per panel.
void ChartPainter::buildLegends(const Chart& chart, int columns)
{
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
    if (!heading(panel).empty() && !m_scale.compact) {
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
    parts.clipBegin  = new ClipMark(parts.axes, index, true);
    for (const Series& series : panel.series)
        parts.series.emplace_back(series, x, y);
    parts.clipEnd = new ClipMark(parts.axes, index, false);
    if (panel.triangle) {
        parts.triangle = new TrianglePlottable(x, y);
        parts.triangle->setSelectable(QCP::stNone);
    }
    if (m_scale.compact) {
        parts.words = new PanelWords(parts.axes, parts.cell);
        parts.axes->setMinimumSize(8, 8);
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

void ChartPainter::layOut()
{
    for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        m_plot->plotLayout()->update(phase);
}

/// Returns the space around and between panels, pixels; in compact panels this space is around the
/// axes.
int ChartPainter::outerGap() const
{
    return m_scale.compact ? 0 : static_cast<int>(std::lround(5 * m_scale.pixelsPerPoint));
}

void ChartPainter::arrange()
{
    const int gap              = outerGap();
    QCPLayoutGrid* const outer = m_plot->plotLayout();
    outer->setMargins(QMargins(gap, gap, gap, gap));
    outer->setRowSpacing(2);
    if (m_panels.empty())
        return;
    m_body->setColumnSpacing(gap);
    m_grid->setColumnSpacing(2 * gap);
    m_grid->setRowSpacing(2 * gap);
    const int overhang = QFontMetrics(m_scale.tickFont()).height() / 2 + 1;
    // Also next to a panel with a colour bar, whose labels reach below it, so that axes in a row stay aligned.
    const bool bars = std::any_of(m_panels.begin(), m_panels.end(), [](const PanelParts& parts) { return parts.bar; });
    for (PanelParts& parts : m_panels) {
        const bool cells = parts.words && parts.words->overCells();   // which nothing may cover: margins are small
        parts.axes->setMinimumMargins(cells             ? QMargins(10, gapOverCells, 4, 8)
                                      : m_scale.compact ? QMargins(10, 8, 10, 8)
                                                        : QMargins(2, overhang, overhang, bars ? overhang : 2));
        for (const auto side : {QCPAxis::atLeft, QCPAxis::atBottom})
            parts.axes->axis(side)->setPadding(cells ? 0 : 5);
    }
    // Labels depend on the space and the space on the labels: the second pass settles both.
    for (int pass = 0; pass < 2; ++pass) {
        fitTexts();
        fitAspect();
        makeHeadRoom();
    }
    fitTexts();
}

/// Returns the factor by which the y axis of a compact panel must be extended so that its words
/// cover no values; 1: unchanged.
double ChartPainter::neededStretch(const PanelParts& parts, const Panel& panel, const QSizeF& size) const
{
    constexpr double most   = 0.6;   ///< of the height, for the words
    constexpr double marker = 9;     ///< pixels
    const auto [low, high]  = parts.y;
    const double head       = parts.words->headHeight(size);
    if (!parts.highest || head <= 0)
        return 1;
    const double along = panel.y.logarithmic ? std::log(*parts.highest / low) / std::log(high / low)
                                             : (*parts.highest - low) / (high - low);
    const double share = std::min(most, (head + marker) / std::max(1.0, size.height()));
    return std::max(1.0, std::min(along, 1.0) / (1 - share));
}

/// Places the words of compact panels without a map above the highest values. Panels with the same
/// range keep a common range.
void ChartPainter::makeHeadRoom()
{
    const auto canStretch = [this](std::size_t k) {
        const PanelParts& parts = m_panels[k];
        return parts.words && !parts.words->overMap() && !parts.triangle && !parts.equal
               && parts.y.first < parts.y.second;
    };
    std::vector<double> needed;
    for (std::size_t k = 0; k < m_panels.size(); ++k)
        needed.push_back(canStretch(k) ? neededStretch(m_panels[k], m_chart.panels[k], m_panels[k].axes->rect().size())
                                       : 1);
    for (std::size_t k = 0; k < m_panels.size(); ++k) {
        PanelParts& parts = m_panels[k];
        parts.stretch     = 1;
        if (!canStretch(k))
            continue;
        for (std::size_t other = 0; other < m_panels.size(); ++other)
            if (m_panels[other].y == parts.y)
                parts.stretch = std::max(parts.stretch, needed[other]);
        const auto [low, high] = parts.y;
        if (!parts.zoomed)
            parts.axes->axis(QCPAxis::atLeft)
                ->setRange(low, m_chart.panels[k].y.logarithmic ? low * std::pow(high / low, parts.stretch)
                                                                : low + (high - low) * parts.stretch);
    }
}

void ChartPainter::fitTexts()
{
    layOut();
    for (std::size_t k = 0; k < m_panels.size(); ++k) {
        PanelParts& parts  = m_panels[k];
        const QRect inside = parts.axes->rect();
        axisStyle().fit(parts.axes->axis(QCPAxis::atBottom), m_chart.panels[k].x, inside.width(),
                        countsBars(m_chart.panels[k]));
        if (parts.stretch > 1 && !parts.zoomed)
            axisStyle().fitPart(parts.axes->axis(QCPAxis::atLeft), m_chart.panels[k].y, parts.y,
                                static_cast<int>(inside.height() / parts.stretch));
        else
            axisStyle().fit(parts.axes->axis(QCPAxis::atLeft), m_chart.panels[k].y, inside.height());
        if (parts.bar)
            axisStyle().fitBar(parts.bar, *colourScale(m_chart.panels[k]), inside.height());
        if (parts.legend)
            parts.legend->fit(parts.cell->outerRect().width(),
                              static_cast<int>((m_scale.whole ? 0.5 : 0.3) * parts.cell->outerRect().height()),
                              m_scale.whole);
    }
    for (std::size_t k = 0; k < m_panels.size(); ++k) {
        const auto row = neighbours(k, m_panels.size(), m_columns);
        int height     = 0;
        for (auto n = row.first; n < row.second; ++n)
            if (const auto* legend = m_panels[static_cast<std::size_t>(n)].legend)
                height = std::max(height, legend->neededHeight());
        if (m_panels[k].legend)
            m_panels[k].legend->setHeight(height);
    }
    QCPLayoutGrid* const outer = m_plot->plotLayout();
    if (m_sharedBar) {
        const int top    = m_panels.front().axes->rect().top() - m_grid->rect().top();
        const int bottom = m_grid->rect().bottom() - m_panels.back().axes->rect().bottom();
        m_sharedBar->setMargins(QMargins(0, std::max(top, 0), 0, std::max(bottom, 0)));
        axisStyle().fitBar(m_sharedBar, *colourScale(m_chart.panels.front()), m_grid->rect().height() - top - bottom);
    }
    if (m_sharedLegend)
        m_sharedLegend->fit(outer->rect().width(),
                            static_cast<int>((m_scale.whole ? 0.5 : 0.25) * outer->rect().height()), m_scale.whole);
    layOut();
}

/// Returns the height of the words at the top of a compact map, pixels; 0: there are no words, or
/// they are shown inside.
int ChartPainter::headOverMap(const PanelParts& parts) const
{
    return parts.words && parts.words->overMap() && !parts.triangle && !m_scale.filling
               ? static_cast<int>(std::ceil(parts.words->headHeight(parts.axes->rect().size())))
               : 0;
}

QSize ChartPainter::surplus(std::size_t panel) const
{
    const QRect inside = m_panels[panel].axes->rect();
    const double ratio = m_panels[panel].axes->axis(QCPAxis::atBottom)->range().size()
                         / m_panels[panel].axes->axis(QCPAxis::atLeft)->range().size();
    const double width  = std::min<double>(inside.width(), inside.height() * ratio),
                 height = std::min<double>(inside.height(), inside.width() / ratio);
    return {inside.width() - static_cast<int>(std::lround(width)),
            inside.height() - static_cast<int>(std::lround(height))};
}

/// Returns the size of the axes of a panel with equal units. Pictures with the same ranges, such as
/// an image and the gradient by its pixels, have the same size.
QSize ChartPainter::equalSize(std::size_t panel) const
{
    const auto range = [this](std::size_t k, QCPAxis::AxisType side) {
        return m_panels[k].axes->axis(side)->range().size();
    };
    QSize size = m_panels[panel].axes->rect().size() - surplus(panel);
    for (std::size_t k = 0; k < m_panels.size() && m_chart.panels[panel].x.hidden; ++k)
        if (m_panels[k].equal && m_chart.panels[k].x.hidden && !m_chart.panels[k].triangle
            && range(k, QCPAxis::atBottom) == range(panel, QCPAxis::atBottom)
            && range(k, QCPAxis::atLeft) == range(panel, QCPAxis::atLeft))
            size = size.boundedTo(m_panels[k].axes->rect().size() - surplus(k));
    return size;
}

/// Decides whether a panel keeps equal units. On screen, panels with numbers on their axes do so
/// only if most of their area remains and words cover no values.
bool ChartPainter::keepsEqualUnits(std::size_t k) const
{
    const Panel& panel      = m_chart.panels[k];
    const PanelParts& parts = m_panels[k];
    if (!panel.equal_aspect)
        return false;
    if (m_scale.whole || panel.triangle || panel.x.hidden || (!m_scale.compact && colourScale(panel)))
        return true;
    const double least = m_scale.compact ? 0.7 : 0.55;   // the others have names and a legend around them
    const QSize cell = parts.cell->outerRect().size(), used = parts.axes->rect().size() - surplus(k);
    const bool covered = parts.words && !parts.words->overMap() && neededStretch(parts, panel, used) > 1;
    return !covered && used.width() * used.height() >= least * cell.width() * cell.height();
}

/// With equal units in x and y, unused space becomes margin: horizontally only for the panels, so
/// that legends keep the full width; vertically for everything.
void ChartPainter::fitAspect()
{
    QCPLayoutGrid* const outer = m_plot->plotLayout();
    const int gap              = outerGap();
    outer->setMargins(QMargins(gap, gap, gap, gap));
    m_body->setMargins({});
    for (PanelParts& parts : m_panels) {
        parts.cell->setMargins({});
        parts.body->setMargins({});
        parts.equal = false;
        parts.head  = 0;
        if (parts.words)
            parts.words->setAbove(0);
    }
    if (std::none_of(m_chart.panels.begin(), m_chart.panels.end(),
                     [](const Panel& panel) { return panel.equal_aspect; }))
        return clearCells();
    for (const PanelParts& parts : m_panels)   // the units are those without head room
        if (parts.stretch > 1 && !parts.zoomed)
            parts.axes->axis(QCPAxis::atLeft)->setRange(parts.y.first, parts.y.second);
    layOut();
    clearTriangles();
    for (std::size_t k = 0; k < m_panels.size(); ++k)
        m_panels[k].equal = keepsEqualUnits(k)
                            && !(m_panels[k].words && m_panels[k].words->overCells()
                                 && surplus(k).height() < headOverMap(m_panels[k]));
    centreEqualPanels();
    clearCells();
}

/// Moves the words of a table of classes above it, since every cell contains a number.
void ChartPainter::clearCells()
{
    for (const PanelParts& parts : m_panels)
        if (const int head = headOverMap(parts); head > 0 && !parts.equal && parts.words->overCells()) {
            parts.cell->setMargins({0, head, 0, 0});
            parts.words->setAbove(head + gapOverCells);
        }
}

/// Moves the words of triangles above them if a panel is too narrow for words to the left and right
/// of the name of the upper corner.
void ChartPainter::clearTriangles()
{
    int head = 0;
    for (const PanelParts& parts : m_panels)
        if (const QSize cell = parts.cell->outerRect().size();
            parts.triangle && parts.words && parts.words->widthAroundTop() > cell.width())
            head = std::max(head, static_cast<int>(std::ceil(parts.words->headHeight(cell))));
    if (head == 0)
        return;
    for (PanelParts& parts : m_panels)
        if (parts.triangle && parts.words) {   // all, so that triangles have the same size
            parts.head = head;
            parts.cell->setMargins({0, head, 0, 0});
            parts.words->setAbove(head);
        }
    layOut();
}

/// Returns the width that a panel with equal units can give to the margins around all panels.
double ChartPainter::freeWidth(std::size_t k) const
{
    const PanelParts& parts = m_panels[k];
    const int free          = surplus(k).width();
    if (!parts.triangle || !parts.words)
        return free;
    const double needed = parts.head > 0 ? parts.cell->outerRect().width() : parts.words->widthAroundTop();
    return std::clamp<double>(parts.cell->outerRect().width() - needed, 0, free);
}

void ChartPainter::centreEqualPanels()
{
    const auto sides           = [](int width) { return QMargins(width / 2, 0, width - width / 2, 0); };
    const auto topDown         = [](int height) { return QMargins(0, height / 2, 0, height - height / 2); };
    QCPLayoutGrid* const outer = m_plot->plotLayout();
    if (std::all_of(m_panels.begin(), m_panels.end(), [](const PanelParts& parts) { return parts.equal; })) {
        QSize least = surplus(0);
        for (std::size_t k = 0; k < m_panels.size(); ++k)
            least = least.boundedTo({static_cast<int>(freeWidth(k)), surplus(k).height()});
        int head = 0;
        for (const PanelParts& parts : m_panels)
            head = std::max(head, headOverMap(parts));
        least.setHeight(std::max(0, least.height() - head));
        const int rows = (panelCount() + m_columns - 1) / m_columns;
        m_body->setMargins(sides(least.width() * std::min(m_columns, panelCount())));
        outer->setMargins(outer->margins() + topDown(least.height() * rows));
        layOut();
    }
    for (std::size_t k = 0; k < m_panels.size(); ++k)
        if (m_panels[k].equal) {
            const QSize rest = m_panels[k].axes->rect().size() - equalSize(k);
            const int head   = headOverMap(m_panels[k]);
            m_panels[k].body->setMargins(sides(rest.width()));
            if (head == 0 || rest.height() + 1 < head) {   // rounded
                m_panels[k].cell->setMargins(topDown(rest.height()) + QMargins(0, m_panels[k].head, 0, 0));
                continue;
            }
            const int top = std::min(std::max(head, rest.height() / 2), rest.height());
            m_panels[k].cell->setMargins({0, top, 0, rest.height() - top});
            m_panels[k].words->setAbove(head + (m_panels[k].words->overCells() ? gapOverCells : 0));
        }
}

}   // namespace credence
