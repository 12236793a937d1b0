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
namespace {

/// One scale for what is compared: all panels measure the same quantity on the same range.
bool sharesColourBar(const Chart& chart, int columns)
{
    if (chart.panels.size() < 2 || columns < 2)
        return false;
    const auto first = colourScale(chart.panels.front());
    return first && std::all_of(chart.panels.begin(), chart.panels.end(), [&first](const Panel& panel) {
               return colourScale(panel) == first;
           });
}

/// A minus sign in place of the hyphen.
QString typeset(QString number)
{
    if (number.startsWith(QLatin1Char('-')))
        number[0] = QChar(0x2212);
    return number;
}

class NumberTicker : public QCPAxisTicker {
public:
    using QCPAxisTicker::QCPAxisTicker;

protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override
    {
        return typeset(QCPAxisTicker::getTickLabel(std::abs(tick) < 1e-14 ? 0.0 : tick, locale, format, precision));
    }
};

/// For what is counted: no ticks between whole numbers.
class WholeTicker : public NumberTicker {
protected:
    double getTickStep(const QCPRange& range) override { return std::max(1.0, NumberTicker::getTickStep(range)); }
    int getSubTickCount(double tickStep) override { return tickStep > 1 ? NumberTicker::getSubTickCount(tickStep) : 0; }
};

/// Do bars stand on whole numbers? Then these are counted.
bool countsBars(const Panel& panel)
{
    return std::any_of(panel.series.begin(), panel.series.end(), [](const Series& series) {
        const auto* bars = std::get_if<Bars>(&series);
        return bars && bars->width < 1 && std::all_of(bars->position.begin(), bars->position.end(), [](double at) {
                   return at == std::round(at);
               });
    });
}

/// 1, 2, 5, 10, 20, … for logarithmic axes of few decades.
class OneTwoFiveTicker : public NumberTicker {
public:
    explicit OneTwoFiveTicker(bool thinned)
        : m_factors(thinned ? std::vector<double>{1, 3} : std::vector<double>{1, 2, 5})
    {}

protected:
    int getSubTickCount(double) override { return 0; }
    QVector<double> createTickVector(double, const QCPRange& range) override
    {
        QVector<double> ticks;
        for (int power = static_cast<int>(std::floor(std::log10(range.lower))); power <= std::log10(range.upper) + 1;
             ++power)
            for (const double factor : m_factors)
                ticks.append(factor * std::pow(10.0, power));
        return ticks;
    }

private:
    std::vector<double> m_factors;
};

/// A name in at most three lines of `width` pixels; empty: it needs more.
QString wrapped(const QString& name, const QFontMetrics& metrics, double width)
{
    QStringList lines;
    for (const QString& word : name.split(QLatin1Char(' '))) {
        if (metrics.horizontalAdvance(word) > width)
            return {};
        const QString longer = lines.isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
        if (!lines.isEmpty() && metrics.horizontalAdvance(longer) <= width)
            lines.back() = longer;
        else
            lines << word;
    }
    return lines.size() <= 3 ? lines.join(QLatin1Char('\n')) : QString();
}

/// First panel in the row of panel `k`, and the one after its last.
std::pair<std::ptrdiff_t, std::ptrdiff_t> neighbours(std::size_t k, std::size_t panels, int columns)
{
    const auto first = static_cast<std::ptrdiff_t>(k) / columns * columns;
    return {first, std::min(first + columns, static_cast<std::ptrdiff_t>(panels))};
}

/// A label that fits along `length` pixels: in one line, else in two, else elided.
QString fittedLabel(const QString& text, const QFontMetrics& metrics, int length)
{
    if (metrics.horizontalAdvance(text) <= length)
        return text;
    qsizetype cut = text.indexOf(
        QStringLiteral(" / "));   // the unit goes to the second line, as long as that is enough
    if (cut < 0 || metrics.horizontalAdvance(text.left(cut)) > length) {
        cut = -1;
        for (qsizetype k = 0; k < text.size(); ++k)
            if (text[k] == QLatin1Char(' ')
                && (cut < 0 || std::abs(2 * k - text.size()) < std::abs(2 * cut - text.size())))
                cut = k;
    }
    if (cut < 0)
        return metrics.elidedText(text, Qt::ElideRight, length);
    return metrics.elidedText(text.left(cut), Qt::ElideRight, length) + QLatin1Char('\n')
           + metrics.elidedText(text.mid(cut + 1), Qt::ElideRight, length);
}

/// All of a label, in as few lines of `length` pixels as it needs; a sign and its unit stay together.
QStringList wholeLabel(const QString& text, const QFontMetrics& metrics, int length)
{
    QStringList lines;
    QString joined = text;
    joined.replace(QStringLiteral(" / "), QStringLiteral(" /\u00a0"));
    for (const QString& word : joined.split(QLatin1Char(' '))) {
        const QString longer = lines.isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
        if (!lines.isEmpty() && metrics.horizontalAdvance(longer) <= length)
            lines.back() = longer;
        else
            lines << word;
    }
    return lines;
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

QString axisLabel(const std::string& label, const std::string& unit)
{
    const QString text = QString::fromStdString(label);
    return unit.empty() ? text : QStringLiteral("%1 / %2").arg(text, QString::fromStdString(unit));
}

int columnsFor(const Chart& chart, int width)
{
    constexpr int narrowest = 180;   // pixels a panel of weight 1
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

int leastHeight(const Chart& chart, int columns)
{
    constexpr int lowest = 150, lowestTriangle = 170;   // of a row of panels, title and legend included
    const int rows = (static_cast<int>(chart.panels.size()) + columns - 1) / columns;
    if (std::any_of(chart.panels.begin(), chart.panels.end(),
                    [](const Panel& panel) { return panel.triangle.has_value(); }))
        return rows * lowestTriangle;
    return rows > 1 ? rows * lowest : 0;
}

DrawScale drawScale(const Chart& chart, QFont font, int pixels, QSize size, bool whole)
{
    const int columns  = columnsFor(chart, size.width());
    const int rows     = std::max(1, (static_cast<int>(chart.panels.size()) + columns - 1) / columns);
    const double share = std::clamp(std::min(size.width() / columns / 260.0, size.height() / rows / 190.0), 0.8, 1.0);
    font.setPixelSize(std::max(9, static_cast<int>(std::lround(pixels * share))));
    return {font, 96.0 / 72 * share, whole};
}

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
        result.push_back(panel.title.empty() ? 0 : 1);
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
    // Another picture, or another stated range, ends a zoom; new data does not.
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
        styleAxis(parts.axes->axis(QCPAxis::atBottom), panel.x, ranges.x, parts.zoomed);
        styleAxis(parts.axes->axis(QCPAxis::atLeft), panel.y, ranges.y, parts.zoomed);
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
            styleColourBar(parts.bar, *colourScale(panel));
        if (parts.triangle)
            parts.triangle->setTriangle(*panel.triangle, palette, scale.tickFont(), scale.pixelsPerPoint);
        if (parts.title)
            parts.title->setText(QString::fromStdString(panel.title), scale.titleFont(), palette.text);
        if (parts.legend)
            parts.legend->setEntries(legendEntries(panel, palette, scale.pixelsPerPoint), scale.tickFont(),
                                     palette.text);
    }
    if (m_sharedBar)
        styleColourBar(m_sharedBar, *colourScale(chart.panels.front()));
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
        if (listed && !sharedLegend) {   // also beside one with a legend: axes in a row stay level
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
    if (!panel.title.empty()) {
        parts.title = new TextElement(m_plot);
        parts.cell->addElement(0, 0, parts.title);
    }
    parts.body = new QCPLayoutGrid;
    parts.body->setColumnSpacing(4);
    parts.cell->addElement(parts.cell->rowCount(), 0, parts.body);
    parts.axes = new QCPAxisRect(m_plot, true);
    parts.body->addElement(0, 0, parts.axes);
    // The bar beside the panel is as high as the panel.
    auto* const group = new QCPMarginGroup(m_plot);
    parts.axes->setMarginGroup(QCP::msTop | QCP::msBottom, group);
    for (const auto side :
         {QCPAxis::atLeft, QCPAxis::atBottom, QCPAxis::atRight,
          QCPAxis::atTop}) {   // axes() lists them in the order of a hash, another one in each process
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

void ChartPainter::styleAxis(QCPAxis* axis, const Axis& value, Range range, bool keepRange) const
{
    const double px   = m_scale.pixelsPerPoint;
    const double fine = std::max(
        1.0, std::round(0.75 * px));   // whole pixels: lines along the axes are drawn without smoothing
    axis->setScaleType(value.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis->setRangeReversed(range.first > range.second);
    if (!keepRange)
        axis->setRange(std::min(range.first, range.second), std::max(range.first, range.second));
    axis->setVisible(!value.hidden);
    axis->setTickLabelFont(m_scale.tickFont());
    axis->setTickLabelColor(m_palette.text);
    axis->setLabelFont(m_scale.font);
    axis->setLabelColor(m_palette.text);
    axis->setBasePen(QPen(m_palette.frame, fine));
    axis->setTickPen(QPen(m_palette.frame, fine));
    axis->setSubTickPen(QPen(m_palette.frame, fine));
    axis->setTickLength(0, static_cast<int>(std::lround(3 * px)));
    axis->setSubTickLength(0, static_cast<int>(std::lround(1.5 * px)));
    axis->setTickLabelPadding(static_cast<int>(std::lround(2 * px)));
    axis->setLabelPadding(static_cast<int>(std::lround(2 * px)));
    axis->grid()->setPen(QPen(m_palette.grid, fine));
    axis->grid()->setZeroLinePen(QPen(m_palette.grid, fine));
    axis->grid()->setSubGridVisible(false);
    axis->grid()->setVisible(!value.hidden && (value.categories.empty() || axis->orientation() == Qt::Vertical));
}

void ChartPainter::styleColourBar(QCPColorScale* bar, const ColourScale& scale) const
{
    const double px   = m_scale.pixelsPerPoint;
    const double fine = std::max(1.0, std::round(0.75 * px));
    bar->setType(QCPAxis::atRight);
    bar->setRangeDrag(false);
    bar->setRangeZoom(false);
    bar->setBarWidth(static_cast<int>(std::lround(8 * px)));
    bar->setGradient(HeatMapPlottable::gradient(scale.map, scale.stretched));
    if (!scale.logarithmic)
        bar->axis()->setTicker(QSharedPointer<NumberTicker>::create());   // one for decades cannot stand a range from 0
    bar->setDataScaleType(scale.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    bar->setDataRange(scale.range.first < scale.range.second
                          ? QCPRange(scale.range.first, scale.range.second)
                          : QCPRange(scale.range.first - 0.5, scale.range.first + 0.5));
    Axis axis;
    axis.label       = scale.name;
    axis.unit        = scale.unit;
    axis.logarithmic = scale.logarithmic;
    styleAxis(bar->axis(), axis, {bar->dataRange().lower, bar->dataRange().upper}, true);
    bar->axis()->grid()->setVisible(false);
    for (const auto side : {QCPAxis::atLeft, QCPAxis::atTop, QCPAxis::atBottom, QCPAxis::atRight})
        bar->axis()->axisRect()->axis(side)->setBasePen(QPen(m_palette.frame, fine));
}

void ChartPainter::fitColourBar(QCPColorScale* bar, const ColourScale& scale, int length) const
{
    fitAxis(bar->axis(), {scale.name, scale.unit, {}, scale.logarithmic, {}}, length);
}

/// On screen in one or two lines, cut where these are too short; in files whole, in up to three lines or smaller letters.
void ChartPainter::fitLabel(QCPAxis* axis, const QString& text, int length) const
{
    if (!m_scale.whole) {
        axis->setLabel(fittedLabel(text, QFontMetrics(m_scale.font), std::max(length, 40)));
        return;
    }
    constexpr int mostLines = 3;
    QFont font              = m_scale.font;
    const int least         = static_cast<int>(std::ceil(0.7 * font.pixelSize()));
    for (;; font.setPixelSize(font.pixelSize() - 1)) {
        const QFontMetrics metrics(font);
        const QStringList lines = wholeLabel(text, metrics, length);
        const bool fits         = lines.size() <= mostLines
                          && std::all_of(lines.begin(), lines.end(), [&](const QString& line) {
                                 return metrics.horizontalAdvance(line) <= length;
                             });
        if (fits || font.pixelSize() <= least) {
            axis->setLabelFont(font);
            axis->setLabel(lines.join(QLatin1Char('\n')));
            return;
        }
    }
}

/// As many ticks as have room, categories slanted or thinned.
/// @param counted  ticks at whole numbers only
void ChartPainter::fitAxis(QCPAxis* axis, const Axis& value, int length, bool counted) const
{
    const QFontMetrics ticks(m_scale.tickFont());
    const bool horizontal = axis->orientation() == Qt::Horizontal;
    const bool roomy      = length > 22 * ticks.height();
    fitLabel(axis, axisLabel(value.label, value.unit), length);
    if (!value.categories.empty()) {
        const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
        ticker->setSubTickCount(0);
        const double span = std::max(axis->range().size(), 1.0);
        const double room = length / span;   // pixels for each category
        // Along the bottom: in lines as wide as a category has room; slanted where even single words are wider. At the side: as they are.
        QStringList names;
        bool fits = true;
        for (const std::string& name : value.categories) {
            names << (horizontal ? wrapped(QString::fromStdString(name), ticks, room - 4)
                                 : QString::fromStdString(name));
            fits = fits && (!horizontal || !names.back().isEmpty());
        }
        const bool slanted  = !fits;
        const double needed = slanted ? 1.15 * ticks.height() : horizontal ? 0 : ticks.height();
        const int every     = std::max(1, static_cast<int>(std::ceil(needed / std::max(room, 1.0))));
        const int limit     = (m_scale.whole ? 2 : 1)
                          * (slanted      ? 7 * ticks.height()
                             : horizontal ? length
                                          : 9 * ticks.height());
        for (std::size_t k = 0; k < value.categories.size(); k += static_cast<std::size_t>(every)) {
            const QString name = slanted ? QString::fromStdString(value.categories[k])
                                         : names[static_cast<qsizetype>(k)];
            ticker->addTick(static_cast<double>(k),
                            name.contains(QLatin1Char('\n')) ? name : ticks.elidedText(name, Qt::ElideRight, limit));
        }
        axis->setTicker(ticker);
        axis->setTickLabelRotation(slanted ? -40 : 0);
        return;
    }
    axis->setTickLabelRotation(0);
    const double decades = value.logarithmic ? std::log10(axis->range().upper / std::max(axis->range().lower, 1e-300))
                                             : 0;
    const int room       = horizontal ? std::max(5 * ticks.horizontalAdvance(QLatin1Char('0')) + 14, 40)
                                      : static_cast<int>(2.2 * ticks.height());
    const int count      = std::clamp(length / std::max(room, 1), 2, 8);
    if (value.logarithmic && decades > 3) {
        const auto ticker = QSharedPointer<QCPAxisTickerLog>::create();
        ticker->setLogBase(10);
        ticker->setTickCount(count);
        ticker->setSubTickCount(roomy && decades < 7 ? 8 : 0);
        axis->setTicker(ticker);
        axis->setNumberFormat(QStringLiteral("eb"));
        axis->setNumberPrecision(0);
    } else {
        if (value.logarithmic && decades >= 1)
            axis->setTicker(QSharedPointer<OneTwoFiveTicker>::create(count < 3 * decades));
        else if (counted)
            axis->setTicker(QSharedPointer<WholeTicker>::create());
        else
            axis->setTicker(QSharedPointer<NumberTicker>::create());
        axis->ticker()->setTickCount(count);
        axis->setNumberFormat(QStringLiteral("gbc"));
        axis->setNumberPrecision(6);
    }
    axis->setSubTicks(roomy);
}

void ChartPainter::layOut()
{
    for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        m_plot->plotLayout()->update(phase);
}

void ChartPainter::arrange()
{
    const int gap              = static_cast<int>(std::lround(5 * m_scale.pixelsPerPoint));
    QCPLayoutGrid* const outer = m_plot->plotLayout();
    outer->setMargins(QMargins(gap, gap, gap, gap));
    outer->setRowSpacing(2);
    if (m_panels.empty())
        return;
    m_body->setColumnSpacing(gap);
    m_grid->setColumnSpacing(2 * gap);
    m_grid->setRowSpacing(2 * gap);
    const int overhang = QFontMetrics(m_scale.tickFont()).height() / 2 + 1;
    for (PanelParts& parts : m_panels)
        parts.axes->setMinimumMargins(QMargins(2, overhang, overhang, 2));
    // What is written depends on the room, and the room on what is written: the second pass settles it.
    for (int pass = 0; pass < 2; ++pass) {
        fitTexts();
        fitAspect();
    }
    fitTexts();
}

void ChartPainter::fitTexts()
{
    layOut();
    for (std::size_t k = 0; k < m_panels.size(); ++k) {
        PanelParts& parts  = m_panels[k];
        const QRect inside = parts.axes->rect();
        fitAxis(parts.axes->axis(QCPAxis::atBottom), m_chart.panels[k].x, inside.width(),
                countsBars(m_chart.panels[k]));
        fitAxis(parts.axes->axis(QCPAxis::atLeft), m_chart.panels[k].y, inside.height());
        if (parts.bar)
            fitColourBar(parts.bar, *colourScale(m_chart.panels[k]), inside.height());
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
        fitColourBar(m_sharedBar, *colourScale(m_chart.panels.front()), m_grid->rect().height() - top - bottom);
    }
    if (m_sharedLegend)
        m_sharedLegend->fit(outer->rect().width(),
                            static_cast<int>((m_scale.whole ? 0.5 : 0.25) * outer->rect().height()), m_scale.whole);
    layOut();
}

/// Where one unit of x is as long as one unit of y, the room that is left over becomes a margin: to the sides of the panels alone, so that legends keep
/// the whole width; above and below everything.
void ChartPainter::fitAspect()
{
    const auto surplus = [this](std::size_t k) {
        const QRect inside = m_panels[k].axes->rect();
        const double ratio = m_panels[k].axes->axis(QCPAxis::atBottom)->range().size()
                             / m_panels[k].axes->axis(QCPAxis::atLeft)->range().size();
        const double width  = std::min<double>(inside.width(), inside.height() * ratio),
                     height = std::min<double>(inside.height(), inside.width() / ratio);
        return QSize(inside.width() - static_cast<int>(std::lround(width)),
                     inside.height() - static_cast<int>(std::lround(height)));
    };
    const auto sides           = [](int width) { return QMargins(width / 2, 0, width - width / 2, 0); };
    const auto topDown         = [](int height) { return QMargins(0, height / 2, 0, height - height / 2); };
    QCPLayoutGrid* const outer = m_plot->plotLayout();
    const int gap              = static_cast<int>(std::lround(5 * m_scale.pixelsPerPoint));
    outer->setMargins(QMargins(gap, gap, gap, gap));
    m_body->setMargins({});
    for (PanelParts& parts : m_panels) {
        parts.cell->setMargins({});
        parts.body->setMargins({});
    }
    if (std::none_of(m_chart.panels.begin(), m_chart.panels.end(),
                     [](const Panel& panel) { return panel.equal_aspect; }))
        return;
    layOut();
    if (std::all_of(m_chart.panels.begin(), m_chart.panels.end(),
                    [](const Panel& panel) { return panel.equal_aspect; })) {
        QSize least = surplus(0);
        for (std::size_t k = 1; k < m_panels.size(); ++k)
            least = least.boundedTo(surplus(k));
        const int rows = (panelCount() + m_columns - 1) / m_columns;
        m_body->setMargins(sides(least.width() * std::min(m_columns, panelCount())));
        outer->setMargins(outer->margins() + topDown(least.height() * rows));
        layOut();
    }
    for (std::size_t k = 0; k < m_panels.size(); ++k)
        if (m_chart.panels[k].equal_aspect) {
            const QSize rest = surplus(k);
            m_panels[k].body->setMargins(sides(rest.width()));
            m_panels[k].cell->setMargins(topDown(rest.height()));
        }
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
        styleAxis(parts.axes->axis(QCPAxis::atBottom), m_chart.panels[k].x, ranges.x, false);
        styleAxis(parts.axes->axis(QCPAxis::atLeft), m_chart.panels[k].y, ranges.y, false);
    }
}

bool ChartPainter::zoomed() const
{
    return std::any_of(m_panels.begin(), m_panels.end(), [](const PanelParts& parts) { return parts.zoomed; });
}

}   // namespace credence
