// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_layout.h"

#include "widgets/heat_map_plottable.h"
#include "widgets/layout_elements.h"
#include "widgets/plottables.h"
#include "widgets/triangle_plottables.h"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

double linesOfScreen = 1;   // used only by the GUI thread

}   // namespace

bool countsClasses(const Panel& panel, const HeatMap& map)
{
    return !panel.x.categories.empty() && !panel.y.categories.empty() && map.categories.empty();
}

std::optional<ColourScale> colourScale(const Panel& panel)
{
    for (const Series& series : panel.series) {
        if (const auto* map = std::get_if<HeatMap>(&series); map && map->categories.empty())
            return ColourScale{map->name, map->unit, map->z_range, map->map, false, countsClasses(panel, *map)};
        if (const auto* map = std::get_if<TernaryMap>(&series))
            return ColourScale{map->name, map->unit, map->z_range, map->map, map->logarithmic};
    }
    return {};
}

bool isSingleMap(const Chart& chart)
{
    if (chart.panels.size() != 1 || chart.table || chart.panels.front().triangle)
        return false;
    const Panel& panel = chart.panels.front();
    return panel.x.categories.empty() && panel.y.categories.empty()
           && std::any_of(panel.series.begin(), panel.series.end(),
                          [](const Series& series) { return std::holds_alternative<HeatMap>(series); });
}

QString axisLabel(const std::string& label, const std::string& unit)
{
    const QString text = QString::fromStdString(label);
    return unit.empty() ? text : QStringLiteral("%1 / %2").arg(text, QString::fromStdString(unit));
}

int columnsFor(const Chart& chart, int width)
{
    constexpr int narrowest = 180;   // pixels per panel of weight 1
    int columns             = std::max(1, std::min(chart.columns, static_cast<int>(chart.panels.size())));
    const auto needed       = [&chart](int n) {
        double most = 0, row = 0;
        for (std::size_t k = 0; k < chart.panels.size(); ++k) {
            row  = (k % static_cast<std::size_t>(n) == 0 ? 0 : row) + chart.panels[k].weight;
            most = std::max(most, row);
        }
        return most * narrowest;
    };
    while (columns > 1 && needed(columns) > width)
        --columns;
    return columns;
}

int columnsFor(const Chart& chart, QSize size)
{
    constexpr double lowest = 150, wideness = 1.4;   // pixels and aspect ratio of a panel that is easy to read
    const int panels   = static_cast<int>(chart.panels.size());
    const auto rows    = [panels](int columns) { return (panels + columns - 1) / columns; };
    const auto quality = [&](int columns) {
        return std::min(size.width() / wideness / columns, static_cast<double>(size.height()) / rows(columns));
    };
    const int first = columnsFor(chart, size.width());
    if (panels < 2 || size.height() >= lowest * rows(first))
        return first;
    int best = first;
    for (int columns = first + 1; columns <= panels; ++columns)   // rows of the chart are divided or joined as a whole
        if ((columns <= chart.columns || columns % std::max(1, chart.columns) == 0) && quality(columns) > quality(best))
            best = columns;
    return best;
}

int leastHeight(const Chart& chart, int columns)
{
    constexpr int lowest = 150, lowestTriangle = 170;   // for a row of panels including title and legend
    const int rows = (static_cast<int>(chart.panels.size()) + columns - 1) / columns;
    if (std::any_of(chart.panels.begin(), chart.panels.end(),
                    [](const Panel& panel) { return panel.triangle.has_value(); }))
        return rows * lowestTriangle;
    return rows > 1 ? rows * lowest : 0;
}

double screenLines() { return linesOfScreen; }

void setScreenLines(double factor) { linesOfScreen = factor; }

DrawScale drawScale(const Chart& chart, QFont font, int pixels, QSize size, int columns, bool whole)
{
    constexpr int compactHeight = 260, compactLines = 20;   // pixels and font sizes
    const int rows     = std::max(1, (static_cast<int>(chart.panels.size()) + columns - 1) / columns);
    const double share = std::clamp(std::min(size.width() / columns / 260.0, size.height() / rows / 190.0), 0.8, 1.0);
    font.setPixelSize(std::max(9, static_cast<int>(std::lround(pixels * share))));
    const bool compact = !whole && size.height() / rows < std::max(compactHeight, compactLines * pixels);
    return {font, 96.0 / 72 * share, whole, compact};
}

bool sharesColourBar(const Chart& chart, int columns)
{
    if (chart.panels.size() < 2 || columns < 2)
        return false;
    const auto first = colourScale(chart.panels.front());
    return first && std::all_of(chart.panels.begin(), chart.panels.end(), [&first](const Panel& panel) {
               return colourScale(panel) == first;
           });
}

bool countsBars(const Panel& panel)
{
    return std::any_of(panel.series.begin(), panel.series.end(), [](const Series& series) {
        const auto* bars = std::get_if<Bars>(&series);
        return bars && !bars->horizontal && bars->width < 1
               && std::all_of(bars->position.begin(), bars->position.end(),
                              [](double at) { return at == std::round(at); });
    });
}

std::pair<std::ptrdiff_t, std::ptrdiff_t> neighbours(std::size_t k, std::size_t panels, int columns)
{
    const auto first = static_cast<std::ptrdiff_t>(k) / columns * columns;
    return {first, std::min(first + columns, static_cast<std::ptrdiff_t>(panels))};
}

std::vector<QString> legendTexts(const Panel& panel)
{
    std::vector<QString> texts;
    for (const LegendEntry& entry : legendEntries(panel, ChartPalette::print(), 1))
        texts.push_back(entry.text);
    return texts;
}

bool sharesLegend(const Chart& chart)
{
    if (chart.panels.size() < 2)
        return false;
    const auto first = legendTexts(chart.panels.front());
    return !first.empty() && std::all_of(chart.panels.begin(), chart.panels.end(), [&first](const Panel& panel) {
        return legendTexts(panel) == first;
    });
}

namespace {

QVector<double> vector(const std::vector<double>& values) { return {values.begin(), values.end()}; }

/// QCPGraph needs ascending keys and thins long curves; all other lines (ROC, contours, loops) use
/// QCPCurve.
bool isFunction(const Line& line)
{
    for (std::size_t k = 0; k < line.x.size(); ++k)
        if (!std::isfinite(line.x[k]) || (k > 0 && line.x[k] < line.x[k - 1]))
            return false;
    return true;
}

QColor translucent(QColor colour, double opacity)
{
    colour.setAlphaF(static_cast<float>(std::clamp(opacity, 0.0, 1.0)));
    return colour;
}

/// Updates the plottables of one series: one overload for each kind.
struct Filler {
    const std::vector<QCPAbstractPlottable*>& plottables;
    const Panel& panel;
    const ChartPalette& palette;
    const DrawScale& scale;

    template <class Plottable>
    Plottable* first() const
    {
        return static_cast<Plottable*>(plottables.front());
    }

    void operator()(const HeatMap& map) const
    {
        first<HeatMapPlottable>()->setMap(map, palette, scale.tickFont(), scale.pixelsPerPoint,
                                          countsClasses(panel, map));
    }

    void operator()(const Band& band) const
    {
        auto* lower = first<QCPGraph>();
        auto* upper = static_cast<QCPGraph*>(plottables.back());
        lower->setData(vector(band.x), vector(band.lower), false);
        upper->setData(vector(band.x), vector(band.upper), false);
        lower->setPen(Qt::NoPen);
        upper->setPen(Qt::NoPen);
        upper->setBrush(translucent(palette.colour(band.tone), band.opacity));
        upper->setChannelFillGraph(lower);
    }

    void operator()(const Bars& s) const
    {
        auto* bars = first<LabelledBars>();
        bars->setData(vector(s.position), vector(s.height), false);
        bars->setWidthType(QCPBars::wtPlotCoords);
        bars->setWidth(s.width);
        bars->setBrush(translucent(palette.colour(s.tone), s.opacity));
        bars->setPen(
            QPen(translucent(palette.colour(s.tone), std::min(1.0, s.opacity + 0.2)), 0.5 * scale.pixelsPerPoint));
        bars->setAntialiased(false);
        bars->setLabels(s.labels, palette.text, scale.tickFont());
    }

    void operator()(const Line& s) const
    {
        for (QCPAbstractPlottable* plottable : plottables) {
            const bool halo = s.halo && plottable == plottables.front();
            plottable->setPen(halo ? QPen(translucent(palette.background, 0.6), (s.width + 1.6) * scale.pixelsPerPoint)
                                   : linePen(s, palette, scale.pixelsPerPoint));
            const auto marker = halo ? QCPScatterStyle() : curveMarker(s, panel, palette, scale.pixelsPerPoint);
            if (auto* graph = qobject_cast<QCPGraph*>(plottable)) {
                graph->setScatterStyle(marker);
                graph->setScatterSkip(betweenMarkers(s.x.size()));
                graph->setData(vector(s.x), vector(s.y), true);
                graph->setLineStyle(s.steps ? QCPGraph::lsStepLeft : QCPGraph::lsLine);
            } else {
                auto* curve = static_cast<QCPCurve*>(plottable);
                curve->setScatterStyle(marker);
                curve->setScatterSkip(betweenMarkers(s.x.size()));
                curve->setData(vector(s.x), vector(s.y));
            }
        }
    }

    void operator()(const Points& points) const
    {
        auto* curve = first<QCPCurve>();
        curve->setData(vector(points.x), vector(points.y));
        curve->setLineStyle(QCPCurve::lsNone);
        curve->setScatterStyle(scatterStyle(points, palette, scale.pixelsPerPoint));
        if (plottables.size() > 1)
            static_cast<LabelsPlottable*>(plottables.back())
                ->setLabels(points, palette, scale.tickFont(), scale.pixelsPerPoint);
    }

    void operator()(const Rule& rule) const
    {
        first<RulePlottable>()->setRule(rule, palette.colour(rule.tone), palette.background, scale);
    }

    void operator()(const Pictures& pictures) const
    {
        first<PicturesPlottable>()->setPictures(pictures, palette, scale.tickFont(), scale.pixelsPerPoint);
    }

    void operator()(const TernaryMap& map) const { first<TernaryMapPlottable>()->setMap(map); }

    void operator()(const Boxes& boxes) const
    {
        std::vector<SpreadPlottable::Item> items;
        for (const Box& box : boxes.boxes)
            items.push_back({box.position, box.lower_whisker, box.lower_quartile, box.median, box.upper_quartile,
                             box.upper_whisker, box.outliers, palette.colour(box.tone), true, rim(box.wrong)});
        first<SpreadPlottable>()->setItems(std::move(items), boxes.width, scale.pixelsPerPoint);
    }

    void operator()(const IntervalBars& s) const
    {
        std::vector<SpreadPlottable::Item> items;
        for (const IntervalBar& bar : s.bars)
            items.push_back({bar.position,
                             bar.lower,
                             bar.centre,
                             bar.centre,
                             bar.centre,
                             bar.upper,
                             {},
                             palette.colour(bar.tone),
                             false,
                             rim(bar.wrong),
                             s.thin});
        first<SpreadPlottable>()->setItems(std::move(items), 0, scale.pixelsPerPoint);
    }

    QColor rim(bool wrong) const { return wrong ? palette.wrong : QColor(); }
};

}   // namespace

QFont DrawScale::tickFont() const
{
    QFont result = font;
    result.setPixelSize(std::max(8, font.pixelSize() - 1));
    return result;
}

QFont DrawScale::titleFont() const
{
    QFont result = font;
    result.setPixelSize(font.pixelSize() + 1);
    result.setBold(true);
    return result;
}

int SeriesPlotter::kind(const Series& series)
{
    const auto* line   = std::get_if<Line>(&series);
    const auto* points = std::get_if<Points>(&series);
    const auto* bars   = std::get_if<Bars>(&series);
    return 4 * static_cast<int>(series.index()) + (line && isFunction(*line) ? 1 : 0) + (line && line->halo ? 2 : 0)
           + (points && !points->labels.empty() ? 1 : 0) + (bars && bars->horizontal ? 1 : 0);
}

SeriesPlotter::SeriesPlotter(const Series& series, QCPAxis* x, QCPAxis* y)
{
    std::visit(
        [&](const auto& s) {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, HeatMap>)
            m_plottables = {new HeatMapPlottable(x, y)};
        else if constexpr (std::is_same_v<S, Band>)
            m_plottables = {new ClippedGraph(x, y), new ClippedGraph(x, y)};
        else if constexpr (std::is_same_v<S, Bars>)
            m_plottables = {s.horizontal ? new LabelledBars(y, x) : new LabelledBars(x, y)};
        else if constexpr (std::is_same_v<S, Line>) {
            for (int k = 0; k < (s.halo ? 2 : 1); ++k)   // the halo first, below the line
                if (isFunction(s))
                    m_plottables.push_back(new ClippedGraph(x, y));
                else
                    m_plottables.push_back(new QCPCurve(x, y));
        } else if constexpr (std::is_same_v<S, Points>) {
            m_plottables = {new QCPCurve(x, y)};
            if (!s.labels.empty())
                m_plottables.push_back(new LabelsPlottable(x, y));
        } else if constexpr (std::is_same_v<S, Rule>)
            m_plottables = {new RulePlottable(x, y)};
        else if constexpr (std::is_same_v<S, Pictures>)
            m_plottables = {new PicturesPlottable(x, y)};
        else if constexpr (std::is_same_v<S, TernaryMap>)
            m_plottables = {new TernaryMapPlottable(x, y)};
        else
            m_plottables = {new SpreadPlottable(x, y)};
        },
        series);
    for (QCPAbstractPlottable* plottable : m_plottables)
        plottable->setSelectable(QCP::stNone);
}

void SeriesPlotter::fill(const Series& series, const Panel& panel, const ChartPalette& palette, const DrawScale& scale)
{
    std::visit(Filler{m_plottables, panel, palette, scale}, series);
}

}   // namespace credence
