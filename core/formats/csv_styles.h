// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/csv.h"
#include "formats/csv_parser.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

// Numbers in special notation: thousands separators, currency or per cent signs, typographic minus
// signs, Fortran exponents, and dates.

/// A cell that stands for a missing value: empty, "?", "NA", "n/a", "-", "null" and the like.
bool missing_mark(std::string_view cell);

/// A column of such numbers, all cells read in one style.
struct StyledColumn {
    std::vector<double> numbers;   ///< [n_rows], all cells that are not missing
    std::string how;               ///< "commas as thousands separators"; several are joined by
                                   ///< "and"
    CellStyle style     = CellStyle::plain;
    std::size_t example = 0;                    ///< a record whose cell needed the style
    std::string problem;                        ///< what is expected if the cells are ambiguous; then there are no
                                                ///< numbers
    std::optional<TwoReadings> readings = {};   ///< of ambiguous numbers
};

/// The column in the one style that reads all cells except missing ones: a date becomes days since
/// 1970-01-01, a time of day hours.
/// @return empty if there is no such style. Plain numbers in every cell are a style with an empty
/// `how`.
/// @param options  separator and decimal mark
std::optional<StyledColumn> read_styled(const CsvTable& table, std::size_t first_record, std::size_t column,
                                        const CsvOptions& options);

/// What the points of a column of plain numbers can be.
struct PointsOfColumn {
    bool decimal = false;                 ///< one at least cannot be a thousands separator
    std::optional<TwoReadings> example;   ///< each of them can be one: 1.234
};
PointsOfColumn points_of(const CsvTable& table, std::size_t first_record, std::size_t column);

/// A single cell, read as in such a column. @return empty also for ambiguous cells, such as 1,234
/// or 01/02/2024
std::optional<double> styled_number(std::string_view cell);

/// A single cell, read in the style of its column. @param decimal_comma  of the table
/// @return empty if it is not a finite number in this style
std::optional<double> number_in_style(std::string_view cell, CellStyle style, bool decimal_comma);

/// Returns true if the cell could be a number in some style. Used to find the header.
bool looks_like_number(std::string_view cell, bool decimal_comma);

}   // namespace credence
