// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/chart.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

namespace credence {
namespace {

constexpr int spoken_digits              = 3;
constexpr std::size_t most_spread_listed = 10;   ///< boxes or intervals of one series

std::string rounded_text(double value) { return plain_text(rounded_number(value, spoken_digits)); }

std::string from_to(const Range& range) { return rounded_text(range.first) + " to " + rounded_text(range.second); }

std::string unbroken(std::string text)
{
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

/// "3 boxes", "1 box".
std::string counted(std::size_t n, const std::string& one, const std::string& many)
{
    return std::to_string(n) + ' ' + (n == 1 ? one : many);
}

std::string named(const std::string& kind, const std::string& name)
{
    return name.empty() ? kind : kind + ' ' + unbroken(name);
}

/// Minimum and maximum of the finite values.
template <class Values>
std::optional<Range> span_of(const Values& values)
{
    std::optional<Range> found;
    for (const auto value : values) {
        const auto v = static_cast<double>(value);
        if (!std::isfinite(v))
            continue;
        found = found ? Range{std::min(found->first, v), std::max(found->second, v)} : Range{v, v};
    }
    return found;
}

void widen(std::optional<Range>& to, const std::optional<Range>& by)
{
    if (by)
        to = to ? Range{std::min(to->first, by->first), std::max(to->second, by->second)} : *by;
}

/// The extent of a series on both axes.
struct Extent {
    std::optional<Range> x, y;
};

Extent extent_of(const Series& series)
{
    Extent e;
    std::visit(
        [&e](const auto& s) {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, Line> || std::is_same_v<S, Points>) {
            e = {span_of(s.x), span_of(s.y)};
        } else if constexpr (std::is_same_v<S, Band>) {
            e = {span_of(s.x), span_of(s.lower)};
            widen(e.y, span_of(s.upper));
        } else if constexpr (std::is_same_v<S, Bars>) {
            e = {span_of(s.position), span_of(s.height)};
            if (s.horizontal)
                std::swap(e.x, e.y);
        } else if constexpr (std::is_same_v<S, HeatMap>) {
            e = {s.x, s.y};
        } else if constexpr (std::is_same_v<S, Boxes>) {
            for (const auto& box : s.boxes) {
                widen(e.x, Range{box.position, box.position});
                widen(e.y, Range{box.lower_whisker, box.upper_whisker});
            }
        } else if constexpr (std::is_same_v<S, IntervalBars>) {
            for (const auto& bar : s.bars) {
                widen(e.x, Range{bar.position, bar.position});
                widen(e.y, Range{bar.lower, bar.upper});
            }
        }
        },
        series);
    return e;
}

std::string axis_in_words(const std::string& direction, const Axis& axis, const std::optional<Range>& found)
{
    if (axis.hidden)
        return {};
    std::string words = direction;
    if (!axis.label.empty())
        words += unbroken(label_with_unit(axis.label, axis.unit));
    const auto& range = axis.range ? axis.range : found;
    if (!axis.categories.empty()) {
        words += axis.label.empty() ? "" : ", ";
        words += counted(axis.categories.size(), "category", "categories");
    } else if (range) {
        words += (axis.label.empty() ? "" : ", ") + from_to(*range);
    } else if (axis.label.empty()) {
        return {};
    }
    return words + (axis.logarithmic ? ", logarithmic." : ".");
}

std::string place_on(const Axis& axis, double at)
{
    const auto k = static_cast<std::size_t>(std::max(0.0, at));
    return at >= 0 && at == std::floor(at) && k < axis.categories.size() ? unbroken(axis.categories[k])
                                                                         : rounded_text(at);
}

std::string in_words(const Line& line, const Panel& panel)
{
    std::vector<std::size_t> seen;
    for (std::size_t k = 0; k < std::min(line.x.size(), line.y.size()); ++k)
        if (std::isfinite(line.x[k]) && std::isfinite(line.y[k]))
            seen.push_back(k);
    const std::string curve = named("curve", line.name);
    if (seen.empty())
        return curve + " without points";
    if (panel.triangle)
        return curve + " of " + counted(seen.size(), "point", "points");
    const auto lower         = [&line](std::size_t a, std::size_t b) { return line.y[a] < line.y[b]; };
    const auto [least, most] = std::minmax_element(seen.begin(), seen.end(), lower);
    const auto at = [&](std::size_t k) { return rounded_text(line.y[k]) + " at " + place_on(panel.x, line.x[k]); };
    const std::size_t first = seen.front(), last = seen.back();
    std::string words = curve + " from " + at(first) + " to " + at(last);
    const auto inside = [&](std::size_t k) { return line.y[k] != line.y[first] && line.y[k] != line.y[last]; };
    if (inside(*least))
        words += ", least " + at(*least);
    if (inside(*most))
        words += ", greatest " + at(*most);
    return words;
}

std::string in_words(const Band& band, const Panel&)
{
    std::optional<Range> all = span_of(band.lower);
    widen(all, span_of(band.upper));
    return named("band", band.name)
           + (all ? " between " + rounded_text(all->first) + " and " + rounded_text(all->second) : "");
}

std::string in_words(const Points& points, const Panel&)
{
    return named(counted(points.x.size(), "point", "points"), points.name);
}

std::string in_words(const Bars& bars, const Panel& panel)
{
    std::string words = named(counted(bars.height.size(), "bar", "bars"), bars.name);
    if (bars.height.empty() || bars.position.size() != bars.height.size())
        return words;
    if (bars.horizontal) {
        for (std::size_t k = 0; k < std::min(bars.height.size(), most_spread_listed); ++k)
            words += (k == 0 ? ": " : "; ") + place_on(panel.y, bars.position[k]) + ' ' + rounded_text(bars.height[k]);
        if (bars.height.size() > most_spread_listed)
            words += "; and " + std::to_string(bars.height.size() - most_spread_listed) + " more";
        return words;
    }
    const auto highest = std::max_element(bars.height.begin(), bars.height.end());
    return words + ", the highest " + rounded_text(*highest) + " at "
           + place_on(panel.x, bars.position[static_cast<std::size_t>(highest - bars.height.begin())]);
}

template <class Item, class Describe>
std::string each_of(const std::vector<Item>& items, const std::string& head, const Panel& panel, Describe describe)
{
    std::string words = head;
    for (std::size_t k = 0; k < std::min(items.size(), most_spread_listed); ++k)
        words += (k == 0 ? ": " : "; ") + place_on(panel.x, items[k].position) + ' ' + describe(items[k]);
    if (items.size() > most_spread_listed)
        words += "; and " + std::to_string(items.size() - most_spread_listed) + " more";
    return words;
}

std::string in_words(const Boxes& boxes, const Panel& panel)
{
    return each_of(boxes.boxes, named(counted(boxes.boxes.size(), "box", "boxes"), boxes.name), panel,
                   [](const Box& box) {
        return "median " + rounded_text(box.median) + ", quartiles " + rounded_text(box.lower_quartile) + " and "
               + rounded_text(box.upper_quartile);
    });
}

std::string in_words(const IntervalBars& bars, const Panel& panel)
{
    return each_of(bars.bars, named(counted(bars.bars.size(), "interval", "intervals"), bars.name), panel,
                   [](const IntervalBar& bar) {
        return rounded_text(bar.centre) + ", from " + rounded_text(bar.lower) + " to " + rounded_text(bar.upper);
    });
}

std::string in_words(const HeatMap& map, const Panel&)
{
    if (map.categories.empty()) {
        const auto range = span_of(map.z);
        return named("map of", label_with_unit(map.name.empty() ? "values" : map.name, map.unit))
               + (range ? ", from " + from_to(*range) : ", without values");
    }
    std::vector<std::size_t> cells(map.categories.size(), 0);
    std::size_t known = 0;
    for (const float z : map.z)
        if (std::isfinite(z) && z >= 0 && static_cast<std::size_t>(z) < cells.size()) {
            ++cells[static_cast<std::size_t>(z)];
            ++known;
        }
    std::string words = named("map of regions", map.name);
    for (std::size_t k = 0; k < cells.size(); ++k)
        words += (k == 0 ? ": " : ", ") + unbroken(map.categories[k]) + ' '
                 + rounded_text(known > 0 ? 100 * static_cast<double>(cells[k]) / static_cast<double>(known) : 0)
                 + " %";
    return words;
}

std::string in_words(const TernaryMap& map, const Panel&)
{
    const auto range = span_of(map.z);
    return named("map over the triangle of", label_with_unit(map.name.empty() ? "values" : map.name, map.unit))
           + (range ? ", from " + from_to(*range) : ", without values");
}

std::string in_words(const Rule& rule, const Panel&)
{
    return rule.direction == Rule::Direction::diagonal ? named("diagonal", rule.label)
                                                       : named("line", rule.label) + " at " + rounded_text(rule.at);
}

std::string in_words(const Pictures& pictures, const Panel&)
{
    return named(counted(pictures.pictures.size(), "picture", "pictures"), pictures.name);
}

/// The first series one by one, the others counted.
std::string series_in_words(const Panel& panel, std::size_t limit)
{
    std::string words;
    std::size_t n_listed = 0, others = 0;
    for (const auto& series : panel.series) {
        if (const auto* rule = std::get_if<Rule>(&series); rule && rule->label.empty())
            continue;   // a grid line
        if (n_listed == limit) {
            ++others;
            continue;
        }
        words += (n_listed++ == 0 ? " Shows " : "; ")
                 + std::visit([&panel](const auto& s) { return in_words(s, panel); }, series);
    }
    if (others > 0)
        words += "; and " + std::to_string(others) + " more series";
    return n_listed == 0 ? words : words + '.';
}

std::string table_in_words(const Table& table)
{
    std::string words = "Table of " + counted(table.rows.size(), "row", "rows") + " and "
                        + counted(table.columns.size(), "column", "columns");
    for (std::size_t k = 0; k < table.columns.size(); ++k)
        words += (k == 0 ? ": " : ", ") + unbroken(label_with_unit(table.columns[k].name, table.columns[k].unit));
    return words + '.';
}

}   // namespace

std::string axes_in_words(const Panel& panel)
{
    if (panel.triangle)
        return "Triangle of the classes " + unbroken(panel.triangle->corners[0]) + ", "
               + unbroken(panel.triangle->corners[1]) + " and " + unbroken(panel.triangle->corners[2]) + '.';
    Extent all;
    for (const auto& series : panel.series) {
        const auto one = extent_of(series);
        widen(all.x, one.x);
        widen(all.y, one.y);
    }
    const std::string across = axis_in_words("Across: ", panel.x, all.x), up = axis_in_words("Up: ", panel.y, all.y);
    return across + (across.empty() || up.empty() ? "" : " ") + up;
}

std::string summary_in_words(const Chart& chart, std::size_t series_each)
{
    if (!chart.message.empty())
        return unbroken(chart.message);
    std::string words;
    if (chart.panels.size() > 1)
        words = counted(chart.panels.size(), "panel", "panels") + '.';
    for (std::size_t p = 0; p < chart.panels.size(); ++p) {
        const auto& panel = chart.panels[p];
        if (chart.panels.size() > 1 || !panel.title.empty())
            words += (words.empty() ? "" : " ")
                     + (panel.title.empty() ? "Panel " + std::to_string(p + 1) : unbroken(panel.title)) + '.';
        if (!panel.note.empty())
            words += (words.empty() ? "" : " ") + unbroken(panel.note) + '.';
        const std::string axes = axes_in_words(panel);
        words += (words.empty() || axes.empty() ? "" : " ") + axes + series_in_words(panel, series_each);
    }
    if (chart.table && !chart.table->columns.empty())
        words += (words.empty() ? "" : " ") + table_in_words(*chart.table);
    return words;
}

}   // namespace credence
