// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/encode_rows.h"

#include "formats/csv_columns.h"
#include "formats/csv_inputs.h"
#include "formats/csv_parser.h"
#include "formats/csv_styles.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/progress.h"
#include "foundation/text.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace credence {
namespace {

/// The category that a cell names: its text, or its number in another notation (3.0 for 3).
std::optional<std::size_t> category_of_cell(const TableColumn& column, std::string_view cell, bool decimal_comma)
{
    const auto find = [&](std::string_view text) {
        return static_cast<std::size_t>(std::ranges::find(column.categories, text) - column.categories.begin());
    };
    std::size_t k = find(cell);
    if (const auto number = parse_number(cell, decimal_comma); k == column.categories.size() && number)
        k = find(plain_text(*number));
    return k < column.categories.size() ? std::optional(k) : std::nullopt;
}

/// Collects what was done to a row.
class RowNote {
public:
    void add(const std::string& words) { text_.append(text_.empty() ? "" : "; ").append(words); }
    std::string text() && { return std::move(text_); }

private:
    std::string text_;
};

void encode_category(const TableColumn& column, std::string_view cell, bool decimal_comma, double* inputs,
                     RowNote& note)
{
    if (missing_cell(cell) && column.imputed) {
        const auto k = std::ranges::find(column.categories, std::string_view(missing_category));
        inputs[k - column.categories.begin()] = 1;
        note.add(column.name + " is missing");
        return;
    }
    if (const auto k = category_of_cell(column, cell, decimal_comma)) {
        inputs[*k] = 1;
        return;
    }
    if (!missing_cell(cell)) {
        note.add(column.name + " " + quoted_text(cell) + " is not a category of the training table");
        return;
    }
    const auto usual = static_cast<std::size_t>(column.fill);
    inputs[usual]    = 1;
    note.add(column.name + " is missing, replaced by the most frequent category "
             + quoted_text(column.categories[usual]));
}

/// " is beyond ±3.4e38" or " cannot be read as a number".
std::string why_unreadable(const TableColumn& column, std::string_view cell)
{
    if (const auto number = styled_number(cell); number && !std::isfinite(static_cast<float>(*number)))
        return " is beyond ±3.4e38";
    return " cannot be read as a " + std::string(name_of(column.kind));
}

void encode_number(const TableColumn& column, std::string_view cell, bool decimal_comma, double* inputs, RowNote& note)
{
    std::optional<double> value;
    if (column.kind == ColumnKind::ordered) {
        if (const auto k = category_of_cell(column, cell, decimal_comma))
            value = static_cast<double>(*k);
    } else if (!missing_cell(cell)) {
        value = number_in_style(cell, column.style, decimal_comma);
    }
    if (column.imputed)
        inputs[1] = value ? 0 : 1;
    inputs[0] = value.value_or(column.fill);
    if (!value) {
        const std::string what = missing_cell(cell) ? " is missing"
                                 : column.kind == ColumnKind::ordered
                                     ? " " + quoted_text(cell) + " is not a category of the training table"
                                     : " " + quoted_text(cell) + why_unreadable(column, cell);
        note.add(column.name + what + ", replaced by the median " + value_words(column, column.fill));
    } else if (*value < column.lowest || *value > column.highest) {
        const double end = *value < column.lowest ? column.lowest : column.highest;
        int digits       = 6;   // more until the value differs from the end of the range
        while (digits < 17 && value_words(column, *value, digits) == value_words(column, end, digits))
            ++digits;
        note.add(column.name + " " + value_words(column, *value, digits) + " is outside the training range "
                 + value_words(column, column.lowest, digits) + " to " + value_words(column, column.highest, digits));
    }
}

/// Adds the inputs of a row to the end of `inputs`. @return its note
std::string append_row(const TableSchema& schema, std::span<const std::string_view> cells, std::vector<double>& inputs)
{
    RowNote note;
    for (std::size_t j = 0; j < schema.columns.size(); ++j) {
        const TableColumn& column = schema.columns[j];
        const std::size_t first   = inputs.size();
        inputs.resize(first + column.n_inputs(), 0.0);
        const auto encode = column.kind == ColumnKind::category ? encode_category : encode_number;
        encode(column, cells[j], schema.decimal_comma, inputs.data() + first, note);
    }
    return std::move(note).text();
}

/// Positions of the schema's columns in another table.
struct MatchedColumns {
    std::vector<std::optional<std::size_t>> inputs;    ///< [schema.columns]
    std::vector<std::optional<std::size_t>> targets;   ///< as in TableSchema::targets
    std::size_t first_record = 0;
    std::vector<std::string> unused;

    bool has_target() const
    {
        return std::ranges::any_of(targets, [](const auto& column) { return column.has_value(); });
    }
};

MatchedColumns match_by_name(const TableSchema& schema, const std::vector<std::string>& names)
{
    MatchedColumns found;
    found.first_record = 1;
    const auto place   = [&](const std::string& name) -> std::optional<std::size_t> {
        const auto at = std::ranges::find(names, name);
        return at == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - names.begin()));
    };
    std::vector<bool> used(names.size(), false);
    for (const TableColumn& column : schema.columns) {
        found.inputs.push_back(place(column.name));
        if (found.inputs.back())
            used[*found.inputs.back()] = true;
    }
    for (const TableColumn& target : schema.targets()) {
        found.targets.push_back(place(target.name));
        if (found.targets.back())
            used[*found.targets.back()] = true;
    }
    for (std::size_t c = 0; c < names.size(); ++c)
        if (!used[c])
            found.unused.push_back(names[c]);
    return found;
}

MatchedColumns match_columns(const TableSchema& schema, const CsvTable& table)
{
    const auto names = column_names(table, true);
    auto by_name     = match_by_name(schema, names);
    if (schema.header && std::ranges::any_of(by_name.inputs, [](const auto& column) { return column.has_value(); }))
        return by_name;
    if (has_header(table, schema.decimal_comma) && schema.header) {
        std::vector<std::string> wanted;
        for (const TableColumn& column : schema.columns)
            wanted.push_back(quoted_text(column.name));
        throw Error(table.file + ": found no input column, expected " + some_names(wanted, 10) + ".");
    }
    MatchedColumns by_order;
    by_order.first_record = has_header(table, schema.decimal_comma) ? 1 : 0;
    if (table.n_columns == schema.n_columns) {
        for (const TableColumn& column : schema.columns)
            by_order.inputs.push_back(column.position);
        for (const TableColumn& target : schema.targets())
            by_order.targets.emplace_back(target.position);
    } else if (table.n_columns == schema.columns.size()) {
        for (std::size_t c = 0; c < table.n_columns; ++c)
            by_order.inputs.push_back(c);
    } else {
        throw Error(table.file + ": found " + std::to_string(table.n_columns) + " columns without names, expected "
                    + std::to_string(schema.columns.size()) + " inputs or all " + std::to_string(schema.n_columns)
                    + " columns of the training table.");
    }
    return by_order;
}

CellStyle with_other_mark(CellStyle style)
{
    return style == CellStyle::point ? CellStyle::comma : style == CellStyle::comma ? CellStyle::point : style;
}

TableSchema with_other_mark(TableSchema schema)
{
    schema.decimal_comma = !schema.decimal_comma;
    schema.target.style  = with_other_mark(schema.target.style);
    for (auto* columns : {&schema.columns, &schema.other_targets})
        for (TableColumn& column : *columns)
            column.style = with_other_mark(column.style);
    return schema;
}

/// True for 1.234 and 1,234, where the mark can separate decimals or thousands.
bool ambiguous_mark(std::string_view cell)
{
    const auto mark = cell.find_first_of(".,");
    return mark == cell.find_last_of(".,") && cell.size() - mark == 4;
}

/// Returns true if some cells are numbers only with the other decimal mark, such as 2,5 in a table
/// with decimal points.
bool has_other_mark(const TableSchema& schema, const CsvTable& table, const MatchedColumns& found)
{
    bool other_only = false;
    for (std::size_t j = 0; j < schema.columns.size(); ++j) {
        const TableColumn& column = schema.columns[j];
        if (!found.inputs[j] || column.kind != ColumnKind::number)
            continue;
        for (std::size_t record = found.first_record; record < table.n_records(); ++record) {
            const auto cell = table.cell(record, *found.inputs[j]);
            if (cell.find_first_of(".,") == std::string_view::npos || ambiguous_mark(cell))
                continue;
            const bool own   = number_in_style(cell, column.style, schema.decimal_comma).has_value();
            const bool other = number_in_style(cell, with_other_mark(column.style), !schema.decimal_comma).has_value();
            if (own && !other)
                return false;
            other_only = other_only || (other && !own);
        }
    }
    return other_only;
}

/// Adds to the note of the last row that its target is not known, unless it is missing.
void note_target(const TableColumn& target, std::string_view cell, const std::string& what, EncodedRows& rows)
{
    if (missing_cell(cell))
        return;
    std::string& note = rows.notes.back();
    note += (note.empty() ? "" : "; ") + target.name + " " + quoted_text(cell) + what + ", left out of the scores";
}

void read_target(const TableSchema& schema, const TableColumn& target, std::string_view cell, EncodedRows& rows)
{
    if (target.kind == ColumnKind::category) {
        const auto k = category_of_cell(target, cell, schema.decimal_comma);
        rows.labels.push_back(k ? static_cast<int>(*k) : -1);
        if (!k)
            note_target(target, cell, " is not a class of the training table", rows);
    } else {
        const auto y = number_in_style(cell, target.style, schema.decimal_comma);
        rows.targets.push_back(y.value_or(std::numeric_limits<double>::quiet_NaN()));
        if (!y)
            note_target(target, cell, why_unreadable(target, cell), rows);
    }
}

}   // namespace

std::string value_words(const TableColumn& column, double value, int digits)
{
    if (column.kind == ColumnKind::ordered && value == std::floor(value) && value >= 0
        && value < static_cast<double>(column.categories.size()))
        return quoted_text(column.categories[static_cast<std::size_t>(value)]);
    if (column.kind == ColumnKind::date) {
        constexpr long day = 86'400;   // seconds
        const auto seconds = std::lround(value * day), time = (seconds % day + day) % day;
        const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days((seconds - time) / day))};
        const auto two    = [](auto number) { return (number < 10 ? "0" : "") + std::to_string(number); };
        std::string words = std::to_string(int(date.year())) + "-" + two(unsigned(date.month())) + "-"
                            + two(unsigned(date.day()));
        if (time != 0)
            words += " " + two(time / 3600) + ":" + two(time / 60 % 60);
        if (time % 60 != 0)
            words += ":" + two(time % 60);
        return words;
    }
    // Years, identifiers and Unix times are written in full.
    return value == std::floor(value) && std::fabs(value) < 1e15 ? fixed_text(value, 0) : number_text(value, digits);
}

EncodedRows encode_rows(const TableSchema& schema, const CsvTable& table)
{
    const MatchedColumns found = match_columns(schema, table);
    EncodedRows rows;
    if (table.n_records() <= found.first_record)
        throw Error(table.file + ": found no rows, expected at least 1.");
    rows.n_rows = table.n_records() - found.first_record;
    rows.inputs.reserve(rows.n_rows * schema.n_inputs());
    for (std::size_t j = 0; j < schema.columns.size(); ++j)
        if (!found.inputs[j]) {
            rows.missing.push_back(schema.columns[j].name);
            rows.table_notes.push_back(
                table.file + ": column " + quoted_text(schema.columns[j].name)
                + " is missing; its training median, or its most frequent category, is used in every row.");
        }
    rows.unused = found.unused;
    if (!found.unused.empty())
        rows.table_notes.push_back(table.file + ": not used: " + some_names(found.unused, 5) + ".");

    const auto targets = schema.targets();
    std::vector<std::string_view> cells(schema.columns.size());
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
        if (i % 1000 == 0)
            stop_point();
        const std::size_t record = found.first_record + i;
        for (std::size_t j = 0; j < cells.size(); ++j)
            cells[j] = found.inputs[j] ? table.cell(record, *found.inputs[j]) : std::string_view{};
        rows.notes.push_back(append_row(schema, cells, rows.inputs));
        rows.lines.push_back(table.lines[record]);
        for (std::size_t t = 0; found.has_target() && t < targets.size(); ++t)
            read_target(schema, targets[t],
                        found.targets[t] ? table.cell(record, *found.targets[t]) : std::string_view{}, rows);
    }
    return rows;
}

namespace {

/// Returns true if the first line has the name of an input.
bool names_inputs(const TableSchema& schema, const CsvTable& table)
{
    const auto names = column_names(table, true);
    return std::ranges::any_of(schema.columns, [&](const TableColumn& column) {
        return std::ranges::find(names, column.name) != names.end();
    });
}

/// @param separator  set to that of the table
CsvTable parse_new_rows(const TableSchema& schema, const std::filesystem::path& file, char& separator)
{
    const auto parse = [&file](std::vector<char> text, char by) {
        CsvTable table = parse_csv(file.filename().string(), std::move(text), by);
        drop_empty_last_columns(table);
        return table;
    };
    auto text         = read_utf8(file);
    const char stated = remove_separator_line(text);
    if (!stated && schema.decimal_comma && schema.header && detect_separator(text, false) == ',')
        try {   // commas do not separate decimals here if they separate the names of inputs
            if (CsvTable table = parse(text, ','); names_inputs(schema, table)) {
                separator = ',';
                return table;
            }
        } catch (const Error&) {   // lines of different lengths
        }
    separator = stated ? stated : detect_separator(text, schema.decimal_comma);
    separator = separator ? separator : ',';
    return parse(std::move(text), separator);
}

}   // namespace

EncodedRows encode_rows(const TableSchema& schema, const std::filesystem::path& file)
{
    char separator       = 0;
    const CsvTable table = parse_new_rows(schema, file, separator);
    const bool can_be    = schema.decimal_comma || separator != ',';   // 1,234 in quotes has thousands
    if (!can_be || !has_other_mark(schema, table, match_columns(schema, table)))
        return encode_rows(schema, table);
    EncodedRows rows  = encode_rows(with_other_mark(schema), table);
    rows.decimal_mark = std::string("Numbers are read with decimal ") + (schema.decimal_comma ? "points" : "commas")
                        + ", unlike those of the training table.";
    return rows;
}

namespace {

/// The source of an input in the table: a numeric column, or a column of words and the word that
/// maps to 1.
struct InputColumn {
    std::size_t column = 0;
    std::optional<std::string> word;
};

bool begins_with_words(const CsvTable& table)
{
    for (std::size_t c = 0; c < table.n_columns; ++c)
        if (!table.cell(0, c).empty() && !number_from(table.cell(0, c)))
            return true;
    return false;
}

InputColumn column_called(const CsvTable& table, const std::string& name)
{
    const auto find = [&](std::string_view wanted) -> std::optional<std::size_t> {
        for (std::size_t c = 0; c < table.n_columns; ++c)
            if (table.cell(0, c) == wanted)
                return c;
        return {};
    };
    if (const auto column = find(name))
        return {*column, {}};
    for (auto at = name.find('='); at != std::string::npos; at = name.find('=', at + 1))
        if (const auto column = find(std::string_view(name).substr(0, at)))
            return {*column, name.substr(at + 1)};
    throw Error(table.file + ": found no column \"" + name + "\", expected one for each input of the data.");
}

std::vector<InputColumn> columns_of(const CsvTable& table, std::span<const std::string> names, bool has_header)
{
    std::vector<InputColumn> columns;
    if (has_header) {
        for (const std::string& name : names)
            columns.push_back(column_called(table, name));
        return columns;
    }
    if (table.n_columns != names.size())
        throw Error(table.file + ": found " + std::to_string(table.n_columns) + " columns without names, expected "
                    + std::to_string(names.size()) + ", the inputs of the data.");
    for (std::size_t c = 0; c < names.size(); ++c)
        columns.push_back({c, {}});
    return columns;
}

}   // namespace

std::vector<double> read_input_rows(const std::filesystem::path& file, std::span<const std::string> names)
{
    auto text            = read_utf8(file);
    const char separator = detect_separator(text, false);
    const auto table     = parse_csv(file.filename().string(), std::move(text), separator ? separator : ',');
    const bool header    = begins_with_words(table);
    const auto columns   = columns_of(table, names, header);
    if (table.n_records() <= (header ? 1 : 0))
        throw Error(table.file + ": found no rows, expected at least 1.");

    std::map<std::size_t, std::vector<std::string>> words;   // allowed words of each such column
    for (const InputColumn& input : columns)
        if (input.word)
            words[input.column].push_back(*input.word);

    const auto refuse = [&](std::size_t row, std::size_t column, const std::string& expected) {
        const std::string name = header ? quoted_text(table.cell(0, column)) : std::to_string(column + 1);
        throw Error(table.file + ", line " + std::to_string(table.lines[row]) + ": column " + name + " is "
                    + quoted_text(table.cell(row, column)) + ", expected " + expected + ".");
    };
    std::vector<double> rows;
    for (std::size_t r = header ? 1 : 0; r < table.n_records(); ++r) {
        for (const auto& [column, known] : words)
            if (std::find(known.begin(), known.end(), table.cell(r, column)) == known.end())
                refuse(r, column, "one of the words in the training data");
        for (const InputColumn& input : columns) {
            const auto cell = table.cell(r, input.column);
            if (input.word) {
                rows.push_back(cell == *input.word ? 1 : 0);
                continue;
            }
            const auto number = styled_number(cell);
            if (!number || !std::isfinite(static_cast<float>(*number)))
                refuse(r, input.column, "a finite number");
            rows.push_back(*number);
        }
    }
    return rows;
}

}   // namespace credence
