// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/dataset.h"
#include "data/table_schema.h"

#include <filesystem>
#include <optional>

namespace credence {

enum class CsvHeader { detect, yes, no };

enum class MissingValues {
    refuse,   ///< a missing number is an error; a missing category is a category
    drop,     ///< rows with a missing cell in a used column are left out
    impute,   ///< median of the training rows and an input "NAME missing"; a category of its own. Rows without a
              ///< target are left out.
};

struct CsvOptions {
    CsvHeader header   = CsvHeader::detect;
    char separator     = 0;                  ///< ',', ';', '\t', ' ' or '|'; 0: found from the first lines
    bool decimal_comma = false;              ///< 1,5 is one and a half (needs a separator other than ',')
    bool decimal_point = false;              ///< 1,234 is 1234: not ambiguous
    std::string target = {};                 ///< column name or 1-based number, or a list of several numeric
                                             ///< columns (column_names_in); empty: the last column
    std::vector<std::string> columns = {};   ///< names or 1-based numbers of the inputs; empty: all but the target
    std::optional<Task> task =
        {};   ///< empty: classification if the target has words or at most 20 different whole numbers
    MissingValues missing               = MissingValues::refuse;
    std::string ordered                 = {};   ///< see ordered_values
    std::vector<std::string> categories = {};   ///< names or 1-based numbers of numeric columns read as categories
    std::string split_column = {};   ///< name or 1-based number: read into Dataset::split_column, not an input

    bool operator==(const CsvOptions&) const = default;
};

/// Distribution of the values of a column, for a small histogram.
struct ColumnSummary {
    static constexpr std::size_t bins = 24;
    /// Categories: rows of each value, in their order. Numbers: rows in bins of equal width; empty if unreadable.
    std::vector<std::size_t> counts = {};
    double lowest = 0, highest = 0;   ///< numbers
    std::size_t distinct = 0;         ///< different values; of numbers at most 21
    bool whole           = false;     ///< numbers without a fraction
    std::size_t missing  = 0;         ///< rows without a value
};

/// Why a column cannot be used.
enum class ColumnFault {
    none,
    too_many_values,   ///< words that are not categories
    empty_cell,        ///< among numbers
    decimal_commas,    ///< numbers only with the option decimal comma
    ambiguous_comma,   ///< all its commas can be decimal marks or thousands separators: 1,234
    other,
};

/// A cell of a column in which each mark can be a decimal mark or a thousands separator.
struct TwoReadings {
    std::string cell;   ///< "1,234" or "1.234"
    double with_point = 0, with_comma = 0;
};

struct CsvColumn {
    std::string name;
    bool categorical = false;          ///< becomes one-hot, one column per value; as the target of a
                                       ///< classification: its classes
    std::vector<std::string> values;   ///< the distinct values, numbers first and in their order, then words;
                                       ///< categorical only
    std::string problem;               ///< the sentence with which read_csv rejects the column; empty if it can
                                       ///< be used
    ColumnFault fault                   = ColumnFault::none;   ///< the reason of `problem`
    std::optional<TwoReadings> readings = {};   ///< if they differ, and neither the options nor other columns decide
    ColumnSummary summary               = {};
    ColumnKind kind                     = ColumnKind::number;
    bool leading_zeros                  = false;   ///< numbers written as digits only, some like 01067: perhaps codes
    bool numbers_rows = false;   ///< counts the rows from 0 or 1, or is called "id" and all its whole numbers differ
};

/// Shown in the import dialog before anything is loaded. An unused column may have a problem.
struct CsvPreview {
    CsvOptions resolved;                          ///< with header, separator, target and task decided
    std::vector<CsvColumn> columns;               ///< all columns of the file
    std::vector<std::size_t> targets;             ///< indices of the target columns, in the order of the targets
    std::vector<std::vector<std::string>> rows;   ///< the first rows, as text
    std::size_t n_rows = 0;
    std::vector<std::string> notes;   ///< as csv_notes
    std::size_t repeated_rows = 0;    ///< rows with the cells of an earlier one in all inputs and the target
};

/// How a table is read. UTF-8 with or without byte order mark, quotes as in RFC 4180, any line
/// ends, empty lines skipped, columns without a name called "column 3", equal names distinguished
/// as "x (2)".
/// - A column of finite numbers is one input, and so is a column whose cells are all numbers or dates
///   in one other style (csv_styles.h): thousands separators, currency or per cent signs, typographic
///   minus signs, Fortran exponents; a date becomes days since 1970-01-01, a time of day hours.
///   csv_notes reports this reading, and leading zeros as in 01067.
/// - Any other column is categorical: one input "name=value" for each distinct value, at most 1000.
///   `?`, the empty cell and other marks of missing values are values too. Words of the target are
///   its classes, sorted; so are the numbers of a numeric target.
/// - A column that was meant to be numeric is rejected, with the line of the first cell that does not
///   fit:
///   - it has no words, and a cell is empty, NaN or infinite;
///   - it is numeric except for marks of missing values, and its numbers are written in another
///     style, are not all whole, or have more than 20 distinct values: `?` is a value among a few
///     codes and an error among measurements;
///   - its cells are ambiguous, such as 1,234 or 01/02/2024, unless decimal_point or decimal_comma is set;
///   - all its non-numeric cells would be numbers with the other decimal mark;
///   - more than half of its cells are numbers with more than 20 distinct values, or look like
///     numbers in several styles.
/// - CsvOptions::missing, ordered and categories change these rules for inputs. Missing cells are then
///   those of missing_mark and NaN.
/// - The first line is a header if a word is above a column of numbers; or if it has only words, all
///   different, none of which recurs in its column.
/// @throws Error "mushrooms.csv, line 17: found 21 columns, expected 23." — nothing is loaded
CsvPreview preview_csv(const std::filesystem::path& file, const CsvOptions& options, std::size_t rows = 100);
Dataset read_csv(const std::filesystem::path& file, const CsvOptions& options);

/// What a user should know about how read_csv reads this table: columns left out, numbers in
/// special notation, numbers that became categories. One sentence each, with the column and what to
/// do.
/// @throws Error as read_csv if the table cannot be read at all
std::vector<std::string> csv_notes(const std::filesystem::path& file, const CsvOptions& options);

}   // namespace credence
