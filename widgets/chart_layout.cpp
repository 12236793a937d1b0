// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_layout.h"

#include "widgets/layout_elements.h"

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
    constexpr double lowest = 150, wideness = 1.4;   // of a panel that is easy to read
    const int panels   = static_cast<int>(chart.panels.size());
    const auto rows    = [panels](int columns) { return (panels + columns - 1) / columns; };
    const auto quality = [&](int columns) {
        return std::min(size.width() / wideness / columns, static_cast<double>(size.height()) / rows(columns));
    };
    const int first = columnsFor(chart, size.width());
    if (panels < 2 || size.height() >= lowest * rows(first))
        return first;
    int best = first;
    for (int columns = first + 1; columns <= panels; ++columns)   // rows of the chart are cut or joined whole
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

}   // namespace credence
