// SPDX-License-Identifier: GPL-3.0-or-later
#include "gallery/gallery.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

namespace credence {
namespace {

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

/// An item of an entry's list, such as "- *Difference*: None."; empty if there is no text.
std::string list_item(const char* label, const std::string& text)
{
    return text.empty() ? "" : wrapped("- *" + std::string(label) + "*: " + text, "  ");
}

/// Text of a table cell: no bars; a dash where there is no number.
std::string table_cell(const std::string& words)
{
    if (words.empty() || words == "-")
        return "–";
    std::string escaped;
    for (const char c : words)
        escaped += c == '|' ? "\\|" : std::string(1, c);
    return escaped;
}

std::string code(const std::string& words) { return "`" + words + "`"; }

/// A source file as a link from docs/.
std::string from_docs(const std::string& file)
{
    const std::string folder = "docs/";
    return file.starts_with(folder) ? file.substr(folder.size()) : "../" + file;
}

std::string values_table(const GalleryEntry& entry)
{
    if (entry.values.empty())
        return "";
    std::string table = "\n| Quantity | Published | Ours |\n| --- | ---: | ---: |\n";
    for (const auto& value : entry.values)
        table += "| " + table_cell(value.name) + " | " + table_cell(value.printed) + " | " + table_cell(value.ours)
                 + " |\n";
    return table;
}

/// "seeds 1 to 3; 3,000 steps; 14 minutes; 2026-11-23, commit 06e1e8f."
std::string measured_words(const GalleryEntry& entry)
{
    if (!entry.ours)
        return "";
    const OurRuns& ours = *entry.ours;
    std::string words   = ours.seeds_text();
    for (const auto& part : {ours.settings, ours.time, ours.date + ", commit " + ours.commit, ours.hashes_text()})
        if (!part.empty())
            words += "; " + part;
    return words + '.';
}

std::string reproduce_words(const GalleryEntry& entry)
{
    if (const auto* page = std::get_if<MadeByPage>(&entry.how))
        return "in the window, " + place_of(*page) + '.';
    if (const auto* tests = std::get_if<MadeByTests>(&entry.how)) {
        std::string words = tests->names.size() == 1 ? "test " : "tests ";
        for (const auto& name : tests->names)
            words += (&name == &tests->names.front() ? "" : ", ") + code(name);
        return words + '.';
    }
    const auto command = command_of(entry);
    if (command.empty())
        return "";
    std::string times = time_text(entry.minutes);
    if (has_quick_version(entry)) {
        const auto quick = time_text(entry.quick_minutes);
        times += (times.empty() ? "" : "; ") + code("--quick") + (quick.empty() ? "" : ": " + quick);
    }
    return code(command) + (times.empty() ? "" : " (" + times + ")") + '.';
}

std::string links_of(const GalleryEntry& entry)
{
    std::string links;
    for (const auto& [name, file] : {std::pair{"picture", &entry.picture}, std::pair{"details", &entry.document}})
        if (!file->empty())
            links += (links.empty() ? "[" : ", [") + std::string(name) + "](" + from_docs(*file) + ")";
    return links.empty() ? "" : links + '.';
}

/// The difference after its label: "None: …" for "No difference: …".
std::string difference_words(const std::string& difference)
{
    const std::string none = "No difference";
    return difference.starts_with(none) ? "None" + difference.substr(none.size()) : difference;
}

std::string entry_text(const GalleryEntry& entry)
{
    const bool no_result = entry.status == EntryStatus::open || entry.status == EntryStatus::impossible;
    return "\n### <a id=\"" + entry.id + "\"></a>" + entry.number + "\n\n"
           + wrapped("**" + std::string(title_of(entry.status)) + ".** " + entry.shows) + values_table(entry) + '\n'
           + list_item("How measured", measured_words(entry))
           + list_item(no_result ? "Reason" : "Difference", difference_words(entry.difference))
           + list_item("Reproduce", reproduce_words(entry)) + list_item("See", links_of(entry));
}

std::string counts_row(const std::string& name, const GalleryCounts& counts)
{
    std::string row = "| " + name + " |";
    row += ' ' + std::to_string(counts.all()) + " |";
    for (const int count : counts.each)
        row += ' ' + std::to_string(count) + " |";
    return row + '\n';
}

/// The entries of a paper by status, with links: "- **Agrees** (1): [Table 1](#B.table1)."
std::string entries_by_status(const std::vector<const GalleryEntry*>& entries)
{
    std::string list;
    const auto counts = counts_of(entries);
    for (const auto& [status, name] : entry_statuses) {
        if (counts[status] == 0)
            continue;
        std::string links;
        for (const auto* entry : entries)
            if (entry->status == status)
                links += (links.empty() ? "[" : ", [") + entry->number + "](#" + entry->id + ")";
        list += wrapped("- **" + std::string(title_of(status)) + "** (" + std::to_string(counts[status]) + "): " + links
                            + '.',
                        "  ");
    }
    return list;
}

std::string section_of(const Gallery& gallery, const Paper& paper)
{
    const auto entries = gallery.of_paper(paper.id);
    std::string text = "\n## " + paper.short_title + "\n\n" + wrapped("*" + paper.title + "*. " + paper.citation) + '\n'
                       + entries_by_status(entries);
    for (const auto* entry : entries)
        text += entry_text(*entry);
    return text;
}

}   // namespace

std::string papers_document(const Gallery& gallery)
{
    std::string text =
        "# Papers\n\n"
        "This page compares every table, figure and claim of five papers, and the UCI benchmark, with what\n"
        "Credence computes. Figures that show a scheme without a result are left out. In the window the same\n"
        "list is *Help › Papers*.\n\n"
        "Each entry starts with its status:\n\n";
    for (const auto& [status, name] : entry_statuses)
        text += wrapped("- **" + std::string(title_of(status)) + "**: " + meaning_of(status), "  ");
    text += "\n"
            "A table of numbers follows where there are any; “–” means no number. *How measured* gives seeds,\n"
            "settings, time, date and commit of the runs of Credence. *Difference* explains how and why the\n"
            "results differ, *Reason* why there is no result. Times are for two cores.\n\n"
            "*Reproduce* names the command. `credence reproduce P.table1` reproduces all entries whose ids begin\n"
            "with `P.table1`; `credence reproduce --list` prints the ids. With `--quick` a run only shows that\n"
            "everything works; its numbers need not agree. `ctest --preset release -R NAME` runs a test by its\n"
            "name.\n\n"
            "This page is written from `resources/gallery.json` by `credence papers --write FILE`; a test\n"
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
