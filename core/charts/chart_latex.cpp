// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/latex_parts.h"

#include "charts/chart.h"
#include "charts/triangle.h"

#include <algorithm>

namespace credence {

namespace {

using namespace latex;

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

/// The lines of a title, one below the other.
void title_latex(std::ostringstream& out, const std::string& text)
{
    std::istringstream lines(text);
    std::string line, title;
    bool several = false;
    while (std::getline(lines, line)) {
        several = !title.empty();
        title += (several ? "\\\\" : "") + tex_text(line);
    }
    out << "  title={" << title << "},\n" << (several ? "  title style={align=center},\n" : "");
}

/// @param width  share of the line; empty: set by the group
void panel_latex(std::ostringstream& out, const Panel& given, std::optional<double> width)
{
    const Panel panel = given.triangle ? on_plane(given) : given;
    out << "\\nextgroupplot[\n";
    title_latex(out, heading(panel));
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
        write_series(out, series);
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
    for (std::size_t i = 0; i < category_colours.size(); ++i)
        out << "\\definecolor{credencecat" << i << "}{HTML}{" << category_colours[i] << "}\n";
    out << "\\pgfplotsset{\n"
           "  colormap={credencecividis}{rgb255=(0,34,78) rgb255=(63,77,107) rgb255=(124,123,120) "
           "rgb255=(187,173,108) rgb255=(254,232,56)},\n"
           "  colormap={credencediverging}{rgb255=(33,102,172) rgb255=(247,247,247) rgb255=(178,24,43)},\n"
           "}\n";
}

}   // namespace

std::string to_latex(const Chart& chart, const std::string& comments)
{
    std::ostringstream out;
    comment_lines(out, comments);
    const bool is_table = chart.panels.empty() && chart.table;
    out << (is_table ? "% needs: \\usepackage{booktabs}\n"
                     : "% needs: \\usepackage{xcolor,pgfplots} \\pgfplotsset{compat=1.16} "
                       "\\usepgfplotslibrary{groupplots,statistics,colormaps}\n");
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
            << "\\linewidth,\n  legend style={font=\\scriptsize, cells={anchor=west}},\n  label "
               "style={font=\\small}, title style={font=\\small},\n]\n";
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
