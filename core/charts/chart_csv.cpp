// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"

#include "charts/number_text.h"

#include <sstream>

namespace credence {

namespace {

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

std::string to_csv(const Table& table, const std::string& comments)
{
    std::string out;
    std::istringstream lines(comments);
    for (std::string line; std::getline(lines, line);)
        out += "# " + line + end_of_line;
    for (std::size_t j = 0; j < table.columns.size(); ++j)
        out.append(j ? "," : "").append(quoted(label_with_unit(table.columns[j].name, table.columns[j].unit)));
    out += end_of_line;
    for (const auto& row : table.rows) {
        for (std::size_t j = 0; j < row.size(); ++j)
            out.append(j ? "," : "").append(full_text(row[j]));
        out += end_of_line;
    }
    return out;
}

}   // namespace credence
