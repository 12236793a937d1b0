// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

// From bytes to cells; nothing here interprets numbers.

/// A table of text. Cells point into `text`, without quotes; doubled quotes are single; blanks
/// around unquoted cells are removed.
struct CsvTable {
    std::string file;   ///< file name for error messages
    std::vector<char> text;
    std::vector<std::string_view> cells;   ///< [n_records × n_columns], the header (if any) is record 0
    std::vector<std::size_t> lines;        ///< [n_records] the line on which each begins, counted from 1
    std::size_t n_columns   = 0;
    bool first_name_missing = false;   ///< record 0 had one cell fewer than the others and got an
                                       ///< empty first cell

    std::size_t n_records() const { return lines.size(); }
    /// Frees the text and its cells, which are half of the memory of an import.
    void release_cells()
    {
        cells = std::vector<std::string_view>();
        text  = std::vector<char>();
    }
    std::string_view cell(std::size_t record, std::size_t column) const { return cells[record * n_columns + column]; }
};

/// The bytes of a file, without byte order mark. @throws Error if it cannot be read, is empty or is
/// not UTF-8
std::vector<char> read_utf8(const std::filesystem::path& file);

/// The first of tab ; | , and blank that divides each of the first 20 lines into the same number of
/// cells, at least two. Otherwise the one that divides them most often; 0 if no line is divided.
char detect_separator(const std::vector<char>& text, bool decimal_comma);

/// The separator named by Excel's first line "sep=;", which is then emptied; 0: there is no such
/// line.
char remove_separator_line(std::vector<char>& text);

/// Removes last columns that are empty throughout (each line ends with a separator). At least one
/// column remains.
void drop_empty_last_columns(CsvTable& table);

/// RFC 4180 with any of the three line ends. Empty lines are skipped. A blank separator can be
/// repeated.
/// The header can lack the name of the first column, as R writes it, or the separator at the end of
/// all other lines.
/// @throws Error naming file and line: a row of a different length than the first, an unclosed
/// quote, or text after a closing quote
CsvTable parse_csv(const std::string& file, std::vector<char> text, char separator);

}   // namespace credence
