// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/figure_files.h"

#include "charts/chart.h"
#include "charts/latex_parts.h"
#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "foundation/hashes.h"
#include "foundation/json.h"
#include "foundation/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace credence {

const std::vector<NamedFigureSize>& figure_sizes()
{
    static const std::vector<NamedFigureSize> sizes{{"column", "One column", 89, 65, 8},
                                                    {"two_columns", "Two columns", 183, 100, 8},
                                                    {"slide", "Slide (16:9)", 339, 191, 20}};
    return sizes;
}

const NamedFigureSize& figure_size_named(std::string_view id)
{
    if (const auto* size = find_listed(figure_sizes(), id))
        return *size;
    throw Error("--size is \"" + std::string(id) + "\", expected WIDTHxHEIGHT in mm, such as 120x90, or one of "
                + listed_ids(figure_sizes()) + ".");
}

std::string caption_as_text(const Chart& chart, const Table& settings)
{
    std::string text = chart.title + "\n";
    if (!chart.caption.empty())
        text += "\n" + chart.caption + "\n";
    if (settings.rows.empty())
        return text + text_caption_end;
    text += "\nSettings\n";
    for (const auto& row : settings.rows) {
        for (std::size_t c = 0; c < row.size() && c < settings.columns.size(); ++c) {
            const std::string cell = cell_text(row[c], settings.columns[c]);
            if (!cell.empty())
                text += (c == 0 ? "  " : c == 1 ? ": " : " ") + cell;
        }
        text += "\n";
    }
    return text + text_caption_end;
}

std::string caption_as_latex(const Chart& chart, const Table& settings, const std::string& label)
{
    std::string text = std::string(latex_caption_begin) + "\\caption[" + tex_text(chart.title) + "]{"
                       + tex_text(chart.caption.empty() ? chart.title : chart.caption) + "}\n\\label{fig:" + label
                       + "}\n";
    if (settings.rows.empty())
        return text;
    text += "% All settings, as a table: remove the percent signs to print it.\n";
    std::istringstream lines(to_latex({.id = label + "_settings", .title = "Settings", .table = settings}));
    for (std::string line; std::getline(lines, line);)
        text += "% " + line + "\n";
    return text;
}

std::string study_comments_of(std::string_view study_json)
{
    if (study_json.empty())
        return {};
    if (study_json.size() <= longest_study_in_comments)
        return std::string(study_begin_mark) + "\n" + std::string(study_json) + study_end_mark;
    auto settings = parse_json<nlohmann::ordered_json>(study_json, "study", "a Study");
    for (const char* label : {"name", "note"})   // not part of the hash
        if (settings.contains(label))
            settings[label] = "";
    const auto text = settings.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    return study_hash_mark + text_hash(text) + "\nThe Study is too long for this file. It is in study.json of its run.";
}

std::string film_suffix(const std::filesystem::path& file)
{
    std::string suffix = file.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) { return std::tolower(c); });
    if (suffix == std::string(".") + film_folder_suffix)
        return {};
    if (!suffix.empty() && suffix != ".png" && suffix != ".gif")
        throw Error(file.string() + ": the suffix is \"" + one_line(file.extension().string(), 20)
                    + "\", expected .png (animated), .gif, or the name of a new folder without suffix.");
    return suffix;
}

}   // namespace credence
