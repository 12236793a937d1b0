// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/source.h"

#include "formats/csv_inputs.h"
#include "foundation/error.h"
#include "sources/data_files.h"
#include "study/field_makers.h"

#include <algorithm>
#include <iterator>

namespace credence {

using namespace field_makers;

namespace {

std::vector<Option<std::optional<Task>>> table_tasks()
{
    return {
        {std::nullopt,
         {"automatic", "By the column",
          "Classification if the target has text values or at most 20 different whole numbers."}},
        {Task::classification,
         {"classification", "Classification", "The target names classes, even if these are numbers."}},
        {Task::regression, {"regression", "Regression", "The target is a quantity."}},
    };
}

std::vector<Option<CsvHeader>> headers()
{
    return {
        {CsvHeader::detect, {"detect", "Detect", "The first line is a header if it looks unlike the others."}},
        {CsvHeader::yes, {"yes", "First line has names", "Choose this if the names look like data."}},
        {CsvHeader::no, {"no", "No header", "All lines are data; columns are named by their number."}},
    };
}

std::vector<Option<MissingValues>> missing_values()
{
    return {
        {MissingValues::refuse,
         {"refuse", "Refuse", "A missing number is an error. A missing category is a category of its own."}},
        {MissingValues::drop, {"drop", "Leave rows out", "Rows with a missing value in a used column are left out."}},
        {MissingValues::impute,
         {"impute", "Impute",
          "Numbers: the median of the training rows, and an extra input that marks imputed values. Categories: a "
          "category of their own."}},
    };
}

std::vector<Option<char>> separators()
{
    return {
        {'\0', {"automatic", "Detect", "Determined from the first lines."}},
        {',', {"comma", "Comma ,", "The usual separator in English."}},
        {';', {"semicolon", "Semicolon ;", "The usual separator if the comma is the decimal separator."}},
        {'\t', {"tab", "Tab", "Tables copied from a spreadsheet."}},
        {' ', {"space", "Space", "Columns separated by spaces."}},
        {'|', {"bar", "Bar |", "Database exports."}},
    };
}

/// The file, and the use of its columns.
std::vector<Field> csv_column_fields()
{
    return {
        plain(
            {.path  = "data.file",
             .label = "File",
             .help =
                 "A text table with one example per line, and columns separated by a comma, semicolon, tab, space or "
                 "bar. Text columns become one-hot inputs, and ? is treated as a separate value. A relative path "
                 "starts from the folder of the Study's file."},
            [](auto& s) -> auto& { return s.data.file; }),
        plain(
            {.path  = "data.target",
             .label = "Target column",
             .help =
                 "The column to predict: its name or its number, counted from 1. Empty uses the last column. Several "
                 "numeric columns, separated by commas, are predicted by one network, with one noise level each."},
            [](auto& s) -> auto& { return s.data.csv.target; }),
        choice(
            {.path  = "data.task",
             .label = "Target is",
             .help  = "Whether the target is a class or a quantity. Determined from the column unless you choose."},
            [](auto& s) -> auto& { return s.data.csv.task; }, table_tasks()),
        finish(
            {.path  = "data.columns",
             .label = "Input columns",
             .help =
                 "Names or numbers of the input columns, separated by commas; a name that contains a comma must be in "
                 "double quotes. Empty uses all columns except the target.",
             .advanced = true},
            [](const Study& s) { return FieldValue{list_of_columns(s.data.csv.columns)}; },
            [](Study& s, const FieldValue& v) { s.data.csv.columns = column_names_in(std::get<std::string>(v)); })};
}

/// Settings that determine how cells become values.
std::vector<Field> csv_value_fields()
{
    return {
        choice(
            {.path  = "data.missing",
             .label = "Missing values",
             .help  = "What happens to empty cells and marks such as ? and NA. Imputed numbers are the median of the "
                      "training rows, and an additional input states that the value is missing.",
             .advanced           = true,
             .written_if_changed = true},
            [](auto& s) -> auto& { return s.data.csv.missing; }, missing_values()),
        plain(
            {.path  = "data.ordered",
             .label = "Ordered categories",
             .help =
                 "Categories with an order, lowest first, become one input 0, 1, 2, …: \"size: small < medium < "
                 "large\". Without a column name, the list is used for each column of words that has no other values. "
                 "Separate several lists by semicolons.",
             .advanced           = true,
             .written_if_changed = true},
            [](auto& s) -> auto& { return s.data.csv.ordered; }),
        finish(
            {.path  = "data.categories",
             .label = "Numbers as categories",
             .help =
                 "Names or numbers of numeric columns whose values are codes without an order, separated by commas. "
                 "Each value becomes an input of its own.",
             .advanced           = true,
             .written_if_changed = true},
            [](const Study& s) { return FieldValue{list_of_columns(s.data.csv.categories)}; },
            [](Study& s, const FieldValue& v) { s.data.csv.categories = column_names_in(std::get<std::string>(v)); }),
        choice(
            {.path     = "data.header",
             .label    = "Header",
             .help     = "Whether the first line contains the column names.",
             .advanced = true},
            [](auto& s) -> auto& { return s.data.csv.header; }, headers()),
        choice(
            {.path     = "data.separator",
             .label    = "Separator",
             .help     = "The character between two columns.",
             .advanced = true},
            [](auto& s) -> auto& { return s.data.csv.separator; }, separators()),
        plain(
            {.path     = "data.decimal_comma",
             .label    = "Decimal comma",
             .help     = "Reads 1,5 as one and a half. Needs a separator other than the comma.",
             .advanced = true},
            [](auto& s) -> auto& { return s.data.csv.decimal_comma; }),
        plain(
            {.path  = "data.decimal_point",
             .label = "Decimal point",
             .help = "Reads 1,234 as 1234 also in a table whose commas could be decimal marks. Such a table is refused "
                     "unless this or the decimal comma is set.",
             .advanced           = true,
             .written_if_changed = true},
            [](auto& s) -> auto& { return s.data.csv.decimal_point; })};
}

std::vector<Field> csv_fields()
{
    auto fields = csv_column_fields();
    std::ranges::move(csv_value_fields(), std::back_inserter(fields));
    return fields;
}

void require_table(const DataSpec& data)
{
    if (data.file.empty())
        throw Error("data.file", "data.file is empty, expected the path of a table.");
    if (data.csv.decimal_comma && data.csv.separator == ',')
        throw Error("data.separator",
                    "data.separator is comma, but data.decimal_comma is true: expected another separator.");
    ordered_values(data.csv.ordered);   // refuses invalid lists
}

void require_table_file(const DataSpec& data)
{
    require_data_file("data.file", data.file,
                      "Copy the table there, or set data.file to its path; relative paths start from the folder of the "
                      "file that contains them.");
}

}   // namespace

/// A table in a text file.
Source csv_source()
{
    return {.id            = "csv",
            .title         = "Table in a file",
            .hint          = "Your own measurements: one row per example, one column with the target.",
            .fields        = csv_fields(),
            .name          = [](const DataSpec&) -> std::string { return "Table"; },
            .task          = [](const DataSpec& data) { return data.csv.task; },
            .check         = require_table,
            .load          = [](const DataSpec& data) { return read_csv(data.file, data.csv); },
            .place         = [](const DataSpec& data) { return std::filesystem::path(data.file); },
            .require_files = require_table_file};
}

}   // namespace credence
