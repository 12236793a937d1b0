// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/caption_file.h"

#include "charts/number_text.h"
#include "charts/tex_text.h"

#include <sstream>

namespace credence {

std::string caption_as_text(const Chart& chart, const Table& settings)
{
    std::string text = chart.title + "\n";
    if (!chart.caption.empty())
        text += "\n" + chart.caption + "\n";
    if (settings.rows.empty())
        return text;
    text += "\nSettings\n";
    for (const auto& row : settings.rows) {
        for (std::size_t c = 0; c < row.size() && c < settings.columns.size(); ++c) {
            const std::string cell = cell_text(row[c], settings.columns[c]);
            if (!cell.empty())
                text += (c == 0 ? "  " : c == 1 ? ": " : " ") + cell;
        }
        text += "\n";
    }
    return text;
}

std::string caption_as_latex(const Chart& chart, const Table& settings, const std::string& label)
{
    std::string text = "% \\input this file inside the figure, after \\includegraphics.\n\\caption["
                       + tex_text(chart.title) + "]{" + tex_text(chart.caption.empty() ? chart.title : chart.caption)
                       + "}\n\\label{fig:" + label + "}\n";
    if (settings.rows.empty())
        return text;
    text += "% All settings, as a table: remove the percent signs to print it.\n";
    std::istringstream lines(to_latex({.id = label + "_settings", .title = "Settings", .table = settings}));
    for (std::string line; std::getline(lines, line);)
        text += "% " + line + "\n";
    return text;
}

}   // namespace credence
