// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/csv.h"
#include "formats/csv_parser.h"

#include <cstdint>
#include <optional>

namespace credence {

// From cells to numbers and categories.

inline constexpr std::size_t max_values           = 1000;   ///< of a categorical column
inline constexpr std::size_t max_numbers_as_codes = 20;     ///< a column with more distinct numbers is a measurement

/// The number in the cell as a double; infinity and NaN if written so or out of range. Independent
/// of the locale.
std::optional<double> parse_number(std::string_view cell, bool decimal_comma);

/// Numbers before words, numbers by value, words by bytes.
bool value_order(std::string_view a, std::string_view b);

/// How a column was read.
struct ColumnReport {
    std::string problem;   ///< why it cannot be used; then it has no values
    ColumnFault fault = ColumnFault::none;
    std::optional<TwoReadings> readings;   ///< as in CsvColumn, of this column alone
    bool decimal_points = false;           ///< has points that cannot be thousands separators
    bool leading_zeros  = false;           ///< digits only, some like 01067: numbers that may be codes
    std::string note;                      ///< how it was read, if not plainly: a sentence; otherwise empty
};

/// One column below the header, read by the rules of csv.h.
struct ColumnContent : ColumnReport {
    bool categorical = false;
    std::vector<double> numbers;   ///< [n_rows], numeric columns only
    CellStyle style = CellStyle::plain;
    std::vector<std::string> values;    ///< sorted, categorical columns only
    std::vector<std::uint32_t> codes;   ///< [n_rows] index into values, categorical columns only
    std::size_t odd_record = 0;         ///< the first record with a non-numeric cell, categorical
                                        ///< columns only
};

/// @param options  separator and decimal mark
ColumnContent read_column(const CsvTable& table, std::size_t first_record, std::size_t column, const std::string& name,
                          const CsvOptions& options);

/// A numeric column as categories: its distinct numbers in order. Unchanged if there are more than
/// max_values.
void number_classes(ColumnContent& content);

bool has_header(const CsvTable& table, bool decimal_comma);
/// One name per column, all different. @param header  read them from record 0
std::vector<std::string> column_names(const CsvTable& table, bool header);

}   // namespace credence
