// SPDX-License-Identifier: GPL-3.0-or-later
#include "gallery/gallery.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace credence {
namespace {

/// Escapes text for a table cell: no bars, no line breaks.
std::string in_cell(const std::string& words)
{
    std::string cell;
    for (const char c : words)
        cell += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
    return cell;
}

std::string code(const std::string& words) { return words.empty() ? "" : "`" + in_cell(words) + "`"; }

/// A source file as a link from docs/.
std::string from_docs(const std::string& file)
{
    const std::string folder = "docs/";
    return file.starts_with(folder) ? file.substr(folder.size()) : "../" + file;
}

/// "Error (%): 0.70 / **0.80**", one per line.
std::string values_cell(const GalleryEntry& entry)
{
    std::string cell;
    for (const auto& value : entry.values) {
        cell += (cell.empty() ? "" : "<br>") + in_cell(value.name) + ": " + in_cell(value.printed);
        if (!value.ours.empty())
            cell += " / **" + in_cell(value.ours) + "**";
    }
    return cell;
}

std::string ours_cell(const GalleryEntry& entry)
{
    if (!entry.ours)
        return "";
    const OurRuns& ours = *entry.ours;
    std::string cell    = in_cell(ours.seeds_text());
    for (const auto& part : {ours.settings, ours.time, ours.date + ", " + ours.commit})
        if (!part.empty())
            cell += "<br>" + in_cell(part);
    return cell;
}

std::string shows_cell(const GalleryEntry& entry)
{
    std::string cell = in_cell(entry.shows);
    if (!entry.picture.empty())
        cell += " [Picture](" + from_docs(entry.picture) + ").";
    if (!entry.document.empty())
        cell += " [More](" + from_docs(entry.document) + ").";
    return cell;
}

std::string again_cell(const GalleryEntry& entry)
{
    if (const auto* page = std::get_if<MadeByPage>(&entry.how))
        return "in the window: " + in_cell(place_of(*page));
    std::string cell = code(command_of(entry));
    if (const auto time = time_text(entry.minutes); !time.empty())
        cell += "<br>" + time;
    if (has_quick_version(entry)) {
        const auto time = time_text(entry.quick_minutes);
        cell += "<br>`--quick`" + (time.empty() ? "" : ": " + time);
    }
    return cell;
}

std::string row_of(const GalleryEntry& entry)
{
    std::string row = "| <a id=\"" + entry.id + "\"></a>" + in_cell(entry.number) + " |";
    for (const auto& cell : {shows_cell(entry), std::string(title_of(entry.status)), values_cell(entry),
                             ours_cell(entry), in_cell(entry.difference), again_cell(entry)})
        row += " " + cell + (cell.empty() ? "|" : " |");
    return row + '\n';
}

/// The anchor that GitHub generates for a heading.
std::string anchor_of(const std::string& heading)
{
    std::string anchor;
    for (const char c : heading)
        if (c == ' ')
            anchor += '-';
        else if (std::isalnum(static_cast<unsigned char>(c)) || c == '-'
                 || (static_cast<unsigned char>(c) & 0x80u) != 0)
            anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return anchor;
}

/// Characters of UTF-8.
std::size_t width_of(const std::string& words)
{
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; };
    return static_cast<std::size_t>(std::count_if(words.begin(), words.end(), begins));
}

/// Breaks a paragraph at blanks so that no line has over 100 characters; all lines but the first
/// start with `indent`.
std::string wrapped(const std::string& words, const std::string& indent = {})
{
    std::istringstream pieces(words);
    std::string text, piece;
    std::size_t column = 0;
    while (pieces >> piece) {
        const auto width = width_of(piece);
        if (column > 0 && column + 1 + width > 100) {
            text += '\n' + indent;
            column = indent.size();
        } else if (column > 0) {
            text += ' ';
            ++column;
        }
        text += piece;
        column += width;
    }
    return text + '\n';
}

std::string counts_row(const std::string& name, const GalleryCounts& counts)
{
    std::string row = "| " + name + " |";
    row += ' ' + std::to_string(counts.all()) + " |";
    for (const int count : counts.each)
        row += ' ' + std::to_string(count) + " |";
    return row + '\n';
}

std::string section_of(const Gallery& gallery, const Paper& paper)
{
    const auto entries = gallery.of_paper(paper.id);
    std::string text =
        "\n## " + paper.short_title + "\n\n" + wrapped("*" + paper.title + "*. " + paper.citation) + "\n"
        + wrapped(counts_of(entries).text() + ".")
        + "\n"
          "| Where | What it shows | Status | Published / **measured** | How measured | Difference | Reproduce |\n"
          "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (const auto* entry : entries)
        text += row_of(*entry);
    return text;
}

}   // namespace

std::string papers_document(const Gallery& gallery)
{
    std::string text =
        "# Papers\n\n"
        "This page compares every table, figure and claim of five papers, and the UCI benchmark, with what\n"
        "Credence computes, and gives the reason for each difference. Seeds, date, commit and time are those\n"
        "of the runs of Credence; times are for two cores. Figures that show a scheme without a result are\n"
        "left out. In the window the same list is *Help › Papers*.\n\n";
    for (const auto& [status, name] : entry_statuses)
        text += wrapped("- *" + std::string(title_of(status)) + "*: " + meaning_of(status), "  ");
    text += "\n"
            "`credence reproduce --list` prints the ids. `credence reproduce P.table1` reproduces all entries\n"
            "whose ids begin with `P.table1`. `--quick` only shows that everything works; its numbers need not\n"
            "agree. This page is written from `resources/gallery.json` by `credence papers --write FILE`; a test\n"
            "compares the two.\n\n"
            "| Paper | Entries |";
    for (const auto& [status, name] : entry_statuses)
        text += ' ' + std::string(title_of(status)) + " |";
    text += "\n| --- | ---: |";
    for (std::size_t i = 0; i < std::size(entry_statuses.entries); ++i)
        text += " ---: |";
    text += '\n';
    for (const auto& paper : gallery.papers)
        text += counts_row("[" + paper.short_title + "](#" + anchor_of(paper.short_title) + ")",
                           counts_of(gallery.of_paper(paper.id)));
    text += counts_row("All", counts_of(gallery));
    for (const auto& paper : gallery.papers)
        text += section_of(gallery, paper);
    return text;
}

}   // namespace credence
