// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/csv_parser.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

// Numbers that are not written as plain numbers: with thousands separators, signs of currencies or per cent, typographic minus signs, Fortran exponents, and dates.

/// A cell that stands for a missing value: empty, "?", "NA", "n/a", "-", "null" and the like.
bool missing_mark(std::string_view cell);

/// A column of such numbers, all of its cells read in one style.
struct StyledColumn {
    std::vector<double> numbers;   ///< [n_rows], of all cells that are not missing
    std::string how;               ///< "commas between thousands"; several are joined by "and"
    std::size_t example = 0;       ///< a record whose cell needed it
    std::string problem;   ///< what is expected, if the cells can be read in two ways; then there are no numbers
};

/// The column in the one style that reads all cells but the missing ones: a date becomes days since 1970-01-01, a time of day hours.
/// @return empty if there is no such style. Plain numbers in every cell are one, with an empty `how`.
std::optional<StyledColumn> read_styled(const CsvTable& table, std::size_t first_record, std::size_t column,
                                        bool decimal_comma, char separator);

/// One cell by itself, as such a column reads it. @return empty also for what can be read in two ways, such as 1,234 or 01/02/2024
std::optional<double> styled_number(std::string_view cell);

/// Could this cell be a number in some style? For the search of a header.
bool looks_like_number(std::string_view cell, bool decimal_comma);

}   // namespace credence
