// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"

#include "charts/number_text.h"
#include "charts/tex_text.h"
#include "charts/triangle.h"
#include "simplex/ternary_grid.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace credence {

namespace {

// The print palette: Okabe and Ito's colours, which colour-blind readers can tell apart.
constexpr const char* category_colours[] = {"0072B2", "E69F00", "009E73", "CC79A7",
                                            "56B4E9", "D55E00", "F0E442", "000000"};
constexpr const char* category_markers[] = {"*", "square*", "triangle*", "diamond*", "pentagon*", "x", "+", "o"};
constexpr int n_category_colours         = 8;

std::string colour(const Tone& tone)
{
    switch (tone.kind) {
    case Tone::Kind::category:
        return std::string("credencecat")
            .append(std::to_string(((tone.index % n_category_colours) + n_category_colours) % n_category_colours));
    case Tone::Kind::neutral: return "black";
    case Tone::Kind::muted: return "black!45";
    case Tone::Kind::accent: return "credencecat5";
    case Tone::Kind::data: return "black!80";
    case Tone::Kind::prior: return "black!55";
    case Tone::Kind::posterior: return "credencecat0";
    case Tone::Kind::training: return "credencecat0";
    case Tone::Kind::test: return "credencecat1";
    case Tone::Kind::right: return "credencecat2";
    case Tone::Kind::wrong: return "credencecat5";
    }
    return "black";
}

std::string marker(const Points& points)
{
    switch (points.marker) {
    case Marker::by_category:
        return category_markers[points.tone.kind == Tone::Kind::category
                                    ? std::abs(points.tone.index) % n_category_colours
                                    : 0];
    case Marker::circle: return points.filled ? "*" : "o";
    case Marker::square: return points.filled ? "square*" : "square";
    case Marker::triangle: return points.filled ? "triangle*" : "triangle";
    case Marker::diamond: return points.filled ? "diamond*" : "diamond";
    case Marker::cross: return "x";
    case Marker::plus: return "+";
    }
    return "*";
}

std::string dash(LineStyle style)
{
    return style == LineStyle::solid ? "solid" : style == LineStyle::dashed ? "dashed" : "dotted";
}

std::string number(double value)
{
    return number_text(value, 7);   // finer than a printer; the CSV has all digits
}

std::string pair(double x, double y)
{
    std::string out("(");
    out += number(x);
    out += ',';
    out += number(y);
    out += ')';
    return out;
}

/// One series of one panel, as pgfplots commands.
struct Plotter {
    std::ostringstream& out;

    void finish(const std::string& name, bool wanted) const
    {
        if (wanted && !name.empty())
            out << "\\addlegendentry{" << tex_text(name) << "}\n";
    }
    static std::string unlisted(const std::string& name) { return name.empty() ? ", forget plot" : ""; }

    void operator()(const Line& line) const
    {
        out << "\\addplot[" << colour(line.tone) << ", " << dash(line.style) << ", line width=" << number(line.width)
            << "pt, opacity=" << number(line.opacity) << (line.steps ? ", const plot" : "")
            << ", no marks, unbounded coords=jump" << unlisted(line.name) << "] coordinates {";
        for (std::size_t i = 0; i < line.x.size(); ++i)
            out << (i % 8 ? " " : "\n  ") << pair(line.x[i], line.y[i]);
        out << "\n};\n";
        finish(line.name, true);
    }
    void operator()(const Band& band) const
    {
        out << "\\addplot[draw=none, fill=" << colour(band.tone) << ", fill opacity=" << number(band.opacity)
            << ", area legend, no marks" << unlisted(band.name) << "] coordinates {";
        const std::size_t n = band.x.size();
        for (std::size_t i = 0; i < n; ++i)
            out << (i % 8 ? " " : "\n  ") << pair(band.x[i], band.upper[i]);
        for (std::size_t i = n; i-- > 0;)
            out << (i % 8 ? " " : "\n  ") << pair(band.x[i], band.lower[i]);
        out << "\n} -- cycle;\n";
        finish(band.name, true);
    }
    void operator()(const Points& points) const
    {
        out << "\\addplot[only marks, mark=" << marker(points) << ", mark size=" << number(points.size / 2) << "pt, "
            << colour(points.tone) << (points.filled ? "" : ", mark options={fill=white}") << unlisted(points.name)
            << "] coordinates {";
        for (std::size_t i = 0; i < points.x.size(); ++i)
            out << (i % 8 ? " " : "\n  ") << pair(points.x[i], points.y[i]);
        out << "\n};\n";
        finish(points.name, true);
    }
    void operator()(const Bars& bars) const
    {
        out << "\\addplot[ybar, bar width=" << number(bars.width) << ", draw=" << colour(bars.tone)
            << ", fill=" << colour(bars.tone) << ", fill opacity=" << number(bars.opacity) << ", area legend, no marks"
            << unlisted(bars.name) << "] coordinates {";
        for (std::size_t i = 0; i < bars.position.size(); ++i)
            out << (i % 8 ? " " : "\n  ") << pair(bars.position[i], bars.height[i]);
        out << "\n};\n";
        finish(bars.name, true);
    }
    void operator()(const Boxes& boxes) const
    {
        for (const auto& box : boxes.boxes) {
            out << "\\addplot[" << colour(box.tone)
                << ", solid, boxplot/draw direction=y, mark=o, mark size=1pt, boxplot prepared={draw position="
                << number(box.position) << ", box extend=" << number(boxes.width)
                << ", lower whisker=" << number(box.lower_whisker) << ", lower quartile=" << number(box.lower_quartile)
                << ", median=" << number(box.median) << ", upper quartile=" << number(box.upper_quartile)
                << ", upper whisker=" << number(box.upper_whisker)
                << "}, forget plot] table[row sep=\\\\, y index=0] {";
            for (const double outlier : box.outliers)
                out << " " << number(outlier) << "\\\\";
            out << " };\n";
        }
    }
    void operator()(const IntervalBars& intervals) const
    {
        for (const auto& bar : intervals.bars)
            out << "\\addplot[only marks, mark=*, " << colour(bar.tone)
                << ", error bars/.cd, y dir=both, y explicit, error bar style={line width=1.2pt}, /pgfplots/.cd, forget plot] coordinates {"
                << pair(bar.position, bar.centre) << " += " << pair(0, bar.upper - bar.centre)
                << " -= " << pair(0, bar.centre - bar.lower) << "};\n";
    }
    void operator()(const HeatMap& map) const
    {
        out << "\\addplot[matrix plot*, mesh/cols=" << map.nx
            << ", point meta=explicit, point meta min=" << number(map.z_range.first)
            << ", point meta max=" << number(map.z_range.second) << ", forget plot] coordinates {";
        for (int iy = 0; iy < map.ny; ++iy)
            for (int ix = 0; ix < map.nx; ++ix) {
                const double x = map.nx > 1 ? map.x.first + (map.x.second - map.x.first) * ix / (map.nx - 1)
                                            : map.x.first;
                const double y = map.ny > 1 ? map.y.first + (map.y.second - map.y.first) * iy / (map.ny - 1)
                                            : map.y.first;
                out << (ix % 8 ? " " : "\n  ") << "(" << number_text(x, 5) << "," << number_text(y, 5) << ") ["
                    << number_text(map.z[static_cast<std::size_t>(iy) * map.nx + ix], 4) << "]";
            }
        out << "\n};\n";
        if (!map.contours.empty())
            out << "% The contour lines of the picture on screen are not drawn here.\n";
    }
    /// Small triangles as patches, so many as a TeX run can bear: larger ones hold the mean of those they stand for.
    void operator()(const TernaryMap& map) const
    {
        constexpr int most = 50;   // cells a side
        const TernaryGrid fine{map.n, {}}, coarse{std::min(map.n, most), {}};
        std::vector<double> sum(static_cast<std::size_t>(coarse.n) * coarse.n, 0), count(sum.size(), 0);
        for (int cell = 0; cell < static_cast<int>(map.z.size()); ++cell) {
            const auto c  = fine.corners(cell);
            const auto at = static_cast<std::size_t>(
                coarse.cell_of((c[0][0] + c[1][0] + c[2][0]) / 3, (c[0][1] + c[1][1] + c[2][1]) / 3));
            sum[at] += static_cast<double>(map.z[static_cast<std::size_t>(cell)]);
            count[at] += 1;
        }
        const auto meta = [&](double value) {
            return map.logarithmic ? std::log10(std::max(value, map.z_range.first)) : value;
        };
        if (coarse.n < map.n)
            out << "% The map has " << map.n << " cells a side, here means over " << coarse.n << ".\n";
        out << "\\addplot[patch, patch type=triangle, shader=flat mean, point meta=explicit, point meta min="
            << number(meta(map.z_range.first)) << ", point meta max=" << number(meta(map.z_range.second))
            << ", forget plot] coordinates {";
        for (int cell = 0; cell < static_cast<int>(sum.size()); ++cell) {
            const auto at = static_cast<std::size_t>(cell);
            if (!(count[at] > 0) || !std::isfinite(sum[at]))
                continue;
            out << "\n ";
            for (const auto& corner : coarse.corners(cell)) {
                const PlanePlace place = triangle_place(corner[0], corner[1]);
                out << " (" << number_text(place.x, 5) << "," << number_text(place.y, 5) << ") ["
                    << number_text(meta(sum[at] / count[at]), 4) << "]";
            }
        }
        out << "\n};\n";
    }
    /// Rectangles of equal pixels in a row: a figure of TeX alone, without a file beside it.
    void operator()(const Pictures& pictures) const
    {
        for (const auto& picture : pictures.pictures) {
            const double left = picture.x - picture.width / 2, top = picture.y + picture.height / 2;
            const double dx = picture.width / picture.columns, dy = picture.height / picture.rows;
            const std::size_t plane = static_cast<std::size_t>(picture.rows) * picture.columns;
            const auto shade        = [&](std::size_t at, int channel) {
                return static_cast<int>(picture.pixels[at + (picture.channels == 3 ? channel : 0) * plane]);
            };
            for (int row = 0; row < picture.rows; ++row)
                for (int first = 0; first < picture.columns;) {
                    const std::size_t at = static_cast<std::size_t>(row) * picture.columns + first;
                    int last             = first;
                    const auto same      = [&](std::size_t other) {
                        return shade(at, 0) == shade(other, 0) && shade(at, 1) == shade(other, 1)
                               && shade(at, 2) == shade(other, 2);
                    };
                    while (last + 1 < picture.columns && same(at + last + 1 - first))
                        ++last;
                    out << "\\fill[fill={rgb,255:red," << shade(at, 0) << ";green," << shade(at, 1) << ";blue,"
                        << shade(at, 2) << "}] (axis cs:" << number_text(left + first * dx, 5) << ","
                        << number_text(top - row * dy, 5)
                        << ") rectangle (axis cs:" << number_text(left + (last + 1) * dx, 5) << ","
                        << number_text(top - (row + 1) * dy, 5) << ");\n";
                    first = last + 1;
                }
            out << "\\draw["
                << (picture.frame ? colour(*picture.frame) + ", line width=1.2pt" : "black!30, line width=0.3pt")
                << "] (axis cs:" << number_text(left, 5) << "," << number_text(top, 5)
                << ") rectangle (axis cs:" << number_text(left + picture.width, 5) << ","
                << number_text(top - picture.height, 5) << ");\n";
            if (picture.caption.empty())
                continue;
            out << "\\node[anchor=north, align=center, inner sep=1pt, font=\\tiny] at (axis cs:"
                << number_text(picture.x, 5) << "," << number_text(top - picture.height, 5) << ") {";
            std::istringstream lines(picture.caption);
            bool first_line = true;
            for (std::string line; std::getline(lines, line); first_line = false)
                out << (first_line ? "" : "\\\\") << tex_text(line);
            out << "};\n";
        }
    }
    void operator()(const Rule& rule) const
    {
        std::string from, to;
        const std::string at = number(rule.at);
        switch (rule.direction) {
        case Rule::Direction::horizontal:
            from.append("(axis cs:\\pgfkeysvalueof{/pgfplots/xmin},").append(at).append(")");
            to.append("(axis cs:\\pgfkeysvalueof{/pgfplots/xmax},").append(at).append(")");
            break;
        case Rule::Direction::vertical:
            from.append("(axis cs:").append(at).append(",\\pgfkeysvalueof{/pgfplots/ymin})");
            to.append("(axis cs:").append(at).append(",\\pgfkeysvalueof{/pgfplots/ymax})");
            break;
        case Rule::Direction::diagonal:   // panels with a diagonal have one range on both axes
            from = "(rel axis cs:0,0)";
            to   = "(rel axis cs:1,1)";
            break;
        }
        out << "\\draw[" << colour(rule.tone) << ", " << dash(rule.style) << "] " << from << " -- " << to;
        if (!rule.label.empty())
            out << " node[pos=0.97, anchor=south east, font=\\scriptsize] {" << tex_text(rule.label) << "}";
        out << ";\n";
    }
};

void axis_options(std::ostringstream& out, const char* name, const Axis& axis)
{
    out << "  " << name << "label={" << tex_text(label_with_unit(axis.label, axis.unit)) << "},\n";
    if (axis.logarithmic)
        out << "  " << name << "mode=log,\n";
    if (axis.range) {
        const auto [low, high] = std::minmax(axis.range->first, axis.range->second);
        out << "  " << name << "min=" << number(low) << ", " << name << "max=" << number(high) << ",\n";
        if (axis.range->first > axis.range->second)
            out << "  " << name << " dir=reverse,\n";
    }
    if (!axis.categories.empty()) {
        out << "  " << name << "tick={";
        for (std::size_t i = 0; i < axis.categories.size(); ++i)
            out << (i ? "," : "") << i;
        out << "}, " << name << "ticklabels={";
        for (std::size_t i = 0; i < axis.categories.size(); ++i)
            out << (i ? "," : "") << "{" << tex_text(axis.categories[i]) << "}";
        out << "},\n";
    }
}

/// Colour bar and map of the panel's heat map. Regions get one colour each.
void colour_options(std::ostringstream& out, const HeatMap& map)
{
    if (!map.categories.empty()) {
        out << "  colormap={regions}{";
        const int n = static_cast<int>(map.categories.size());
        for (int i = 0; i < n; ++i)
            out << " color(" << i << ")=(" << colour(category(i)) << ")";
        out << " },\n  colorbar, colorbar style={ytick={";
        for (int i = 0; i < n; ++i)
            out << (i ? "," : "") << i;
        out << "}, yticklabels={";
        for (int i = 0; i < n; ++i)
            out << (i ? "," : "") << "{" << tex_text(map.categories[i]) << "}";
        out << "}},\n";
        return;
    }
    const char* name = map.map == ColourMap::viridis   ? "viridis"
                       : map.map == ColourMap::cividis ? "credencecividis"
                                                       : "credencediverging";
    out << "  colormap name=" << name << ", colorbar, colorbar style={ylabel={"
        << tex_text(label_with_unit(map.name, map.unit)) << "}},\n";
}

void colour_options(std::ostringstream& out, const TernaryMap& map)
{
    const std::string label = label_with_unit(map.name, map.unit);
    out << "  colormap name=viridis, colorbar, colorbar style={ylabel={" << (map.logarithmic ? "$\\log_{10}$ of " : "")
        << tex_text(label) << "}},\n";
}

/// The border of the triangle and the names at its corners.
void triangle_latex(std::ostringstream& out, const Triangle& triangle)
{
    const PlanePlace top = triangle_place(0, 0);
    out << "\\draw[black!60] (axis cs:0,0) -- (axis cs:1,0) -- (axis cs:" << number_text(top.x, 5) << ","
        << number_text(top.y, 5) << ") -- cycle;\n";
    const std::pair<const char*, PlanePlace> corners[] = {
        {"north", triangle_place(1, 0)}, {"north", triangle_place(0, 1)}, {"south", top}};
    for (int k = 0; k < 3; ++k)
        out << "\\node[anchor=" << corners[k].first
            << ", font=\\scriptsize] at (axis cs:" << number_text(corners[k].second.x, 5) << ","
            << number_text(corners[k].second.y, 5) << ") {" << tex_text(triangle.corners[static_cast<std::size_t>(k)])
            << "};\n";
}

/// @param width  share of the line; empty: as the group says
void panel_latex(std::ostringstream& out, const Panel& given, std::optional<double> width)
{
    const Panel panel = given.triangle ? on_plane(given) : given;
    out << "\\nextgroupplot[\n  title={" << tex_text(panel.title) << "},\n";
    axis_options(out, "x", panel.x);
    axis_options(out, "y", panel.y);
    if (panel.x.hidden && panel.y.hidden)
        out << "  hide axis,\n";
    if (width)
        out << "  width=" << fixed_text(*width, 3) << "\\linewidth,\n";
    if (panel.equal_aspect)
        out << "  axis equal image,\n";
    for (const auto& series : panel.series)
        if (const auto* map = std::get_if<HeatMap>(&series)) {
            colour_options(out, *map);
            break;
        } else if (const auto* ternary = std::get_if<TernaryMap>(&series)) {
            colour_options(out, *ternary);
            break;
        }
    out << "]\n";
    for (const auto& series : panel.series)
        std::visit(Plotter{out}, series);
    if (panel.triangle)
        triangle_latex(out, *panel.triangle);
    if (!panel.legend)
        out << "\\legend{}\n";
}

void comment_lines(std::ostringstream& out, const std::string& comments)
{
    std::istringstream lines(comments);
    for (std::string line; std::getline(lines, line);)
        out << "% " << line << "\n";
}

void tabular(std::ostringstream& out, const Table& table)
{
    out << "\\begin{tabular}{";
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
        const bool text = std::any_of(table.rows.begin(), table.rows.end(),
                                      [&](const auto& row) { return std::holds_alternative<std::string>(row[j]); });
        out << (text ? "l" : "r");
    }
    out << "}\n\\toprule\n";
    for (std::size_t j = 0; j < table.columns.size(); ++j)
        out << (j ? " & " : "") << tex_text(label_with_unit(table.columns[j].name, table.columns[j].unit));
    out << " \\\\\n\\midrule\n";
    for (const auto& row : table.rows) {
        for (std::size_t j = 0; j < row.size(); ++j)
            out << (j ? " & " : "") << tex_text(cell_text(row[j], table.columns[j]));
        out << " \\\\\n";
    }
    out << "\\bottomrule\n\\end{tabular}\n";
}

void definitions(std::ostringstream& out)
{
    for (int i = 0; i < n_category_colours; ++i)
        out << "\\definecolor{credencecat" << i << "}{HTML}{" << category_colours[i] << "}\n";
    out << "\\pgfplotsset{\n"
           "  colormap={credencecividis}{rgb255=(0,34,78) rgb255=(63,77,107) rgb255=(124,123,120) rgb255=(187,173,108) rgb255=(254,232,56)},\n"
           "  colormap={credencediverging}{rgb255=(33,102,172) rgb255=(247,247,247) rgb255=(178,24,43)},\n"
           "}\n";
}

}   // namespace

std::string to_latex(const Chart& chart, const std::string& comments)
{
    std::ostringstream out;
    comment_lines(out, comments);
    const bool is_table = chart.panels.empty() && chart.table;
    out << (is_table
                ? "% needs: \\usepackage{booktabs}\n"
                : "% needs: \\usepackage{xcolor,pgfplots} \\pgfplotsset{compat=1.16} \\usepgfplotslibrary{groupplots,statistics,colormaps}\n");
    if (chart.table && !is_table)
        out << "% and:   \\usepackage{booktabs}\n";
    out << "\\begin{" << (is_table ? "table" : "figure") << "}[htbp]\n\\centering\n";
    if (chart.panels.empty() && !chart.table)
        out << tex_text(chart.message) << "\n";
    if (!chart.panels.empty()) {
        definitions(out);
        const int columns = std::max(1, std::min(chart.columns, static_cast<int>(chart.panels.size())));
        const int rows    = (static_cast<int>(chart.panels.size()) + columns - 1) / columns;
        out << "\\begin{tikzpicture}\n\\begin{groupplot}[\n  group style={group size=" << columns << " by " << rows
            << ", horizontal sep=2.2cm, vertical sep=2cm},\n  width="
            << fixed_text(columns > 1 ? 0.92 / columns : 0.85, 3)
            << "\\linewidth,\n  legend style={font=\\scriptsize, cells={anchor=west}},\n  label style={font=\\small}, title style={font=\\small},\n]\n";
        for (std::size_t first = 0; first < chart.panels.size(); first += columns) {   // row by row
            const std::size_t end = std::min(chart.panels.size(), first + columns);
            double weights        = 0;
            for (std::size_t k = first; k < end; ++k)
                weights += chart.panels[k].weight;
            for (std::size_t k = first; k < end; ++k) {
                const bool own = chart.panels[k].weight != 1 || weights != static_cast<double>(end - first);
                panel_latex(out, chart.panels[k],
                            own ? std::optional(0.92 * chart.panels[k].weight / weights) : std::nullopt);
            }
        }
        out << "\\end{groupplot}\n\\end{tikzpicture}\n";
    }
    if (chart.table) {
        if (!chart.panels.empty())
            out << "\n\\medskip\n";
        tabular(out, *chart.table);
    }
    if (!chart.caption.empty() || !chart.title.empty())
        out << "\\caption{" << tex_text(chart.caption.empty() ? chart.title : chart.caption) << "}\n";
    out << "\\label{" << (is_table ? "tab:" : "fig:") << (chart.id.empty() ? "credence" : chart.id) << "}\n\\end{"
        << (is_table ? "table" : "figure") << "}\n";
    return out.str();
}

}   // namespace credence
