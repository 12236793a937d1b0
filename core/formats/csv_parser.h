// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

// From bytes to cells; nothing here knows what a number is.

/// A table of text. Cells point into `text`, without quotes; doubled quotes are single; blanks round unquoted cells are gone.
struct CsvTable {
    std::string file;   ///< the file's name, for sentences
    std::vector<char> text;
    std::vector<std::string_view> cells;   ///< [n_records × n_columns], the header (if any) is record 0
    std::vector<std::size_t> lines;        ///< [n_records] where each begins in the file, counted from 1
    std::size_t n_columns   = 0;
    bool first_name_missing = false;   ///< record 0 had one cell fewer than the others and got an empty first one

    std::size_t n_records() const { return lines.size(); }
    std::string_view cell(std::size_t record, std::size_t column) const { return cells[record * n_columns + column]; }
};

/// The bytes of a file, without byte order mark. @throws Error if it cannot be read, is empty or is not UTF-8
std::vector<char> read_utf8(const std::filesystem::path& file);

/// The first of tab ; | , and blank that divides each of the first 20 lines into the same number of cells, at least two.
/// If none does, the one that most often divides them; 0 if no line is divided.
char detect_separator(const std::vector<char>& text, bool decimal_comma);

/// The separator that Excel's first line "sep=;" names, which is then made empty; 0: there is no such line.
char take_separator_line(std::vector<char>& text);

/// Takes away last columns that are empty from top to bottom: each line ends with a separator. At least one column is left.
void drop_empty_last_columns(CsvTable& table);

/// RFC 4180 with any of the three line ends. Empty lines are passed over. A separator of blanks may be any number of them.
/// @throws Error naming file and line: a row of another length than the first (but a header may lack the name of the first column, as R writes it,
/// or the separator at the end of all other lines), a quote that is not closed, text after a closing quote
CsvTable parse_csv(const std::string& file, std::vector<char> text, char separator);

}   // namespace credence
