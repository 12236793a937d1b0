// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/plain_table.h"

#include "foundation/number_text.h"
#include "views/scores.h"

#include <algorithm>

namespace {

std::size_t width(const std::string& utf8)
{
    return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string cellText(const credence::Cell& cell, int decimals)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* whole = std::get_if<long>(&cell))
        return std::to_string(*whole);
    const double number = std::get<double>(cell);
    return decimals >= 0 ? credence::fixed_text(number, decimals) : credence::number_text(number, 5);
}

}   // namespace

std::string plainTable(const credence::Table& table)
{
    const std::size_t columns = table.columns.size();
    std::vector<std::vector<std::string>> lines(1);
    std::vector<bool> rightward(columns, false);
    for (const auto& column : table.columns)
        lines[0].push_back(column.unit.empty() ? column.name : column.name + " [" + column.unit + "]");
    for (const auto& row : table.rows) {
        auto& line = lines.emplace_back();
        for (std::size_t i = 0; i < columns; ++i) {
            line.push_back(cellText(row[i], table.columns[i].decimals));
            rightward[i] = rightward[i] || !std::holds_alternative<std::string>(row[i]);
        }
    }
    std::string text;
    for (const auto& line : lines) {
        std::string written;
        for (std::size_t i = 0; i < columns; ++i) {
            std::size_t widest = 0;
            for (const auto& other : lines)
                widest = std::max(widest, width(other[i]));
            const std::string gap(widest - width(line[i]), ' ');
            written += (i == 0 ? "" : "  ") + (rightward[i] ? gap + line[i] : line[i] + gap);
        }
        text += written.substr(0, written.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

std::string scoresText(const credence::WrittenResults& written)
{
    const bool both  = !written.validation_scores.rows.empty();
    std::string text = !written.no_scores.empty() ? "No scores: " + written.no_scores + "\n"
                       : both ? plainTable(scores_side_by_side(written.validation_scores, written.scores))
                              : plainTable(written.scores);
    for (const auto& [view, sentence] : written.left_out)
        text.append("Without ").append(view).append(": ").append(sentence).append("\n");
    return text;
}

std::string findingsText(const credence::WrittenResults& written)
{
    if (!written.findings || (written.findings->findings.empty() && !written.no_scores.empty()))
        return {};   // without scores the linter has nothing to check; an empty list would suggest that all is well
    return "\n" + credence::findings_text(*written.findings);
}
