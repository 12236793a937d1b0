// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"
#include "simplex/ternary_grid.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <set>
#include <sstream>

namespace credence {
namespace {

/// All possible columns of the long table; columns that no row fills are left out.
enum Slot {
    panel,
    series,
    kind,
    x,
    y,
    z,
    lower,
    upper,
    lower_whisker,
    lower_quartile,
    median,
    upper_quartile,
    upper_whisker,
    width,
    caption,
    pixel_columns,
    pixel_rows,
    channels,
    pixels,
    n_slots
};
using Row = std::array<std::optional<Cell>, n_slots>;

/// The label common to all panels, or `otherwise`.
Column axis_column(const Chart& chart, Axis Panel::*axis, const std::string& otherwise)
{
    std::set<std::pair<std::string, std::string>> labels;
    for (const auto& p : chart.panels)
        labels.insert({(p.*axis).label, (p.*axis).unit});
    if (labels.size() != 1 || labels.begin()->first.empty())
        return {otherwise, {}};
    return {labels.begin()->first, labels.begin()->second};
}

/// The name of a category if the axis has names, otherwise the number.
Cell place(const std::vector<std::string>& categories, double value)
{
    if (value >= 0 && value < static_cast<double>(categories.size()) && value == std::floor(value))
        return categories[static_cast<std::size_t>(value)];
    return value;
}

std::string in_one_line(std::string text)
{
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

/// The bytes in order, separated by blanks, so that any program can read them.
std::string pixel_text(const Picture& picture)
{
    std::string out;
    for (const auto byte : picture.pixels) {
        if (!out.empty())
            out += ' ';
        out += std::to_string(static_cast<int>(byte));
    }
    return out;
}

/// Rounded to `digits` decimals: the table has tens of thousands of cells, and no colour shows
/// more.
double rounded(double value, std::chars_format format, int digits)
{
    char text[400];   // the largest number has 309 digits before the point
    const auto end = std::to_chars(text, text + sizeof text, value, format, digits).ptr;
    double out     = value;
    std::from_chars(text, end, out);
    return out;
}

/// Passes on the rows of a series one by one, since a million rows in memory would take a gigabyte.
struct RowMaker {
    const Panel& p;
    const std::function<void(const Row&)>& use;

    Row begin(const std::string& name, const char* what) const
    {
        Row row;
        row[panel]  = in_one_line(p.title);
        row[series] = name;
        row[kind]   = std::string(what);
        return row;
    }
    Cell at_x(double value) const { return place(p.x.categories, value); }
    Cell at_y(double value) const { return place(p.y.categories, value); }

    void operator()(const Line& line) const
    {
        for (std::size_t i = 0; i < line.x.size(); ++i) {
            Row row = begin(line.name, "line");
            row[x]  = at_x(line.x[i]);
            row[y]  = at_y(line.y[i]);
            use(row);
        }
    }
    void operator()(const Band& band) const
    {
        for (std::size_t i = 0; i < band.x.size(); ++i) {
            Row row    = begin(band.name, "band");
            row[x]     = at_x(band.x[i]);
            row[lower] = band.lower[i];
            row[upper] = band.upper[i];
            use(row);
        }
    }
    void operator()(const Points& points) const
    {
        for (std::size_t i = 0; i < points.x.size(); ++i) {
            Row row = begin(points.name, "point");
            row[x]  = at_x(points.x[i]);
            row[y]  = at_y(points.y[i]);
            if (i < points.labels.size())
                row[caption] = points.labels[i];
            use(row);
        }
    }
    void operator()(const Bars& bars) const
    {
        for (std::size_t i = 0; i < bars.position.size(); ++i) {
            Row row    = begin(bars.name, "bar");
            row[x]     = bars.horizontal ? Cell(bars.height[i]) : at_x(bars.position[i]);
            row[y]     = bars.horizontal ? at_y(bars.position[i]) : Cell(bars.height[i]);
            row[width] = bars.width;
            use(row);
        }
    }
    void operator()(const Boxes& boxes) const
    {
        for (const auto& box : boxes.boxes) {
            Row row             = begin(boxes.name, "box");
            row[x]              = at_x(box.position);
            row[lower_whisker]  = box.lower_whisker;
            row[lower_quartile] = box.lower_quartile;
            row[median]         = box.median;
            row[upper_quartile] = box.upper_quartile;
            row[upper_whisker]  = box.upper_whisker;
            use(row);
            for (const double outlier : box.outliers) {
                Row far = begin(boxes.name, "outlier");
                far[x]  = at_x(box.position);
                far[y]  = outlier;
                use(far);
            }
        }
    }
    void operator()(const IntervalBars& intervals) const
    {
        for (const auto& bar : intervals.bars) {
            Row row    = begin(intervals.name, "interval");
            row[x]     = at_x(bar.position);
            row[y]     = bar.centre;
            row[lower] = bar.lower;
            row[upper] = bar.upper;
            use(row);
        }
    }
    void operator()(const HeatMap& map) const
    {
        for (int iy = 0; iy < map.ny; ++iy)
            for (int ix = 0; ix < map.nx; ++ix) {
                Row row = begin(label_with_unit(map.name, map.unit) + (map.part.empty() ? "" : ", " + map.part),
                                "cell");
                row[x]  = at_x(map.x_at(ix));
                row[y]  = at_y(map.y_at(iy));
                row[z]  = place(map.categories, map.z[static_cast<std::size_t>(iy) * map.nx + ix]);
                use(row);
            }
    }
    void operator()(const TernaryMap& map) const
    {
        const TernaryGrid grid{map.n, {}};
        for (int cell = 0; cell < static_cast<int>(map.z.size()); ++cell) {
            const auto corners = grid.corners(cell);
            Row row            = begin(label_with_unit(map.name, map.unit), "cell");
            row[x] = rounded((corners[0][0] + corners[1][0] + corners[2][0]) / 3, std::chars_format::fixed, 4);
            row[y] = rounded((corners[0][1] + corners[1][1] + corners[2][1]) / 3, std::chars_format::fixed, 4);
            row[z] = rounded(static_cast<double>(map.z[static_cast<std::size_t>(cell)]), std::chars_format::scientific,
                             5);
            use(row);
        }
    }
    void operator()(const Pictures& pictures) const
    {
        for (const auto& picture : pictures.pictures) {
            Row row            = begin(pictures.name, "picture");
            row[x]             = at_x(picture.x);
            row[y]             = at_y(picture.y);
            row[caption]       = in_one_line(picture.caption);
            row[pixel_columns] = static_cast<long>(picture.columns);
            row[pixel_rows]    = static_cast<long>(picture.rows);
            row[channels]      = static_cast<long>(picture.channels);
            row[pixels]        = pixel_text(picture);
            use(row);
        }
    }
    void operator()(const Rule& rule) const
    {
        if (rule.direction == Rule::Direction::diagonal) {
            use(begin(rule.label, "diagonal"));
            return;
        }
        Row row                                                  = begin(rule.label, "rule");
        row[rule.direction == Rule::Direction::vertical ? x : y] = rule.at;
        use(row);
    }
};

constexpr const char* end_of_line = "\r\n";   // RFC 4180

/// Quoted if it contains a separator, a quote or a line break; quotes are doubled. Text that looks
/// like a comment or has blanks at its ends is also quoted.
std::string quoted(const std::string& text)
{
    const bool plain = text.find_first_of(",\"\r\n#") == std::string::npos
                       && (text.empty() || (text.front() != ' ' && text.back() != ' '));
    if (plain)
        return text;
    std::string out = "\"";
    for (const char c : text) {
        out += c;
        if (c == '"')
            out += '"';
    }
    return out + '"';
}

std::string full_text(const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return quoted(*text);
    if (const auto* whole = std::get_if<long>(&cell))
        return std::to_string(*whole);
    return shortest_text(std::get<double>(cell));
}

}   // namespace

Table data_table(const Chart& chart)
{
    if (chart.panels.empty())
        return chart.table.value_or(Table{});
    const auto for_rows = [&](const std::function<void(const Row&)>& use) {
        for (const auto& p : chart.panels)
            for (const auto& s : p.series)
                std::visit(RowMaker{p, use}, s);
    };
    std::array<bool, n_slots> used{};
    used[panel] = used[series] = used[kind] = true;
    std::size_t n                           = 0;
    for_rows([&](const Row& row) {
        ++n;
        for (int slot = 0; slot < n_slots; ++slot)
            used[slot] = used[slot] || row[slot].has_value();
    });

    std::array<Column, n_slots> names{{{"panel"},
                                       {"series"},
                                       {"kind"},
                                       axis_column(chart, &Panel::x, "x"),
                                       axis_column(chart, &Panel::y, "y"),
                                       {"value"},
                                       {"lower"},
                                       {"upper"},
                                       {"lower whisker"},
                                       {"lower quartile"},
                                       {"median"},
                                       {"upper quartile"},
                                       {"upper whisker"},
                                       {"bar width"},
                                       {"caption"},
                                       {"pixel columns"},
                                       {"pixel rows"},
                                       {"channels"},
                                       {"pixels"}}};
    Table table;
    for (int slot = 0; slot < n_slots; ++slot)
        if (used[slot])
            table.columns.push_back(names[slot]);
    table.rows.reserve(n);
    for_rows([&](const Row& row) {
        auto& cells = table.rows.emplace_back();
        cells.reserve(table.columns.size());
        for (int slot = 0; slot < n_slots; ++slot)
            if (used[slot])
                cells.push_back(row[slot].value_or(std::string()));
    });
    return table;
}

std::string to_csv(const Table& table, const std::string& comments)
{
    std::string out;
    std::istringstream lines(comments);
    for (std::string line; std::getline(lines, line);)
        out += "# " + line + end_of_line;
    for (std::size_t j = 0; j < table.columns.size(); ++j)
        out.append(j ? "," : "").append(quoted(label_with_unit(table.columns[j].name, table.columns[j].unit)));
    return out + end_of_line + csv_rows(table);
}

std::string csv_rows(const Table& table)
{
    std::string out;
    for (const auto& row : table.rows) {
        for (std::size_t j = 0; j < row.size(); ++j)
            out.append(j ? "," : "").append(full_text(row[j]));
        out += end_of_line;
    }
    return out;
}

}   // namespace credence
