// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/table_schema.h"
#include "formats/csv_parser.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// A value of a column as in its table: a date, an ordered category or a number.
std::string value_words(const TableColumn& column, double value, int digits = 6);

/// New rows as inputs of a network that was trained on another table.
/// - A missing or unreadable cell is replaced by the median of the training rows, or by the most
///   frequent category. If the training rows had missing cells that were imputed, it is imputed
///   likewise.
/// - A category that the table did not have sets all inputs of its column to 0.
/// - A number outside the training range is used as it is.
struct EncodedRows {
    std::size_t n_rows = 0;
    std::vector<double> inputs;             ///< [n_rows × n_inputs], original units
    std::vector<std::string> notes;         ///< [n_rows] what was replaced or is outside the training range
    std::vector<std::size_t> lines;         ///< [n_rows] line in the file, from 1
    std::vector<std::string> table_notes;   ///< sentences on the table: missing and unused columns
    std::string decimal_mark;               ///< a sentence if it is not that of the training table
    std::vector<std::string> missing;       ///< names of the input columns that the table does not have
    std::vector<std::string> unused;        ///< names of its columns that are neither inputs nor target
    /// [n_rows × targets of the schema] regression, if the table has one of them: NaN where it is not a number
    std::vector<double> targets;
    std::vector<int> labels;   ///< classification, likewise: -1 where it is no known class
};

/// Finds the columns of the schema by their names. A table without column names needs the columns of
/// the training table, or the inputs only, in the same order.
/// @throws Error  if no input column is found, or the number of columns without names is neither
EncodedRows encode_rows(const TableSchema& schema, const CsvTable& table);
/// Reads the file, with the other decimal mark if its numbers are readable only with that one.
EncodedRows encode_rows(const TableSchema& schema, const std::filesystem::path& file);

/// Reads a table of inputs to predict. formats/csv_parser.h describes how bytes become cells. If
/// the first line contains a word, it is a header, and columns are found by name in any order;
/// other columns are ignored. Otherwise the columns are the inputs in order. A one-hot input
/// "colour=red" is 1 if the column "colour" is red.
/// @param names    of the inputs of a data set [d]
/// @return         [n × d], in the order of `names`, original units
/// @throws Error   that names file, line and column
std::vector<double> read_input_rows(const std::filesystem::path& file, std::span<const std::string> names);

}   // namespace credence
