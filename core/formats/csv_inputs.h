// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/table_schema.h"
#include "formats/csv.h"
#include "formats/csv_columns.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

// Input columns with the choices of CsvOptions: missing values, ordered categories, codes.

/// Number, date or time.
ColumnKind kind_of_numbers(CellStyle style);

/// An empty cell, another mark of a missing value, or NaN.
bool missing_cell(std::string_view cell);

/// Removes the records with a missing cell in one of these columns.
/// @return  numbers of the remaining records, from 0 for the first below the header; empty: all remain
std::vector<std::uint32_t> drop_missing(CsvTable& table, std::size_t first_record,
                                        std::span<const std::size_t> columns);

/// Column names in one text, separated by commas; names with a comma or a quote are in double quotes.
std::string list_of_columns(const std::vector<std::string>& names);
std::vector<std::string> column_names_in(const std::string& list);

/// Categories with an order, lowest first.
struct OrderedValues {
    std::string column;   ///< its name; empty: every column of words that has no other values
    std::vector<std::string> values;
};
/// Reads "size: small < medium < large; low < high". @throws Error (data.ordered)
std::vector<OrderedValues> ordered_values(const std::string& text);

struct CsvInput : ColumnReport {
    TableColumn column;                   ///< kind, style, categories, imputed
    std::vector<double> numbers;          ///< [n_rows] number, date, time or position in the order; 0 where missing
    std::vector<std::uint32_t> codes;     ///< [n_rows] category
    std::vector<std::uint32_t> missing;   ///< rows without a value, if they are imputed
    std::size_t order = 0;                ///< of an ordered column: index into `orders`
};

/// @param options  resolved; `categories` are names
CsvInput read_input(const CsvTable& table, std::size_t first_record, std::size_t column, const std::string& name,
                    const CsvOptions& options, std::span<const OrderedValues> orders);

}   // namespace credence
