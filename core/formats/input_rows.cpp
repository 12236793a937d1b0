// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/input_rows.h"

#include "formats/csv_parser.h"
#include "formats/csv_styles.h"
#include "foundation/error.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace credence {
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

    std::vector<double> rows;
    for (std::size_t r = header ? 1 : 0; r < table.n_records(); ++r) {
        const auto refuse = [&](std::size_t column, const std::string& expected) {
            const std::string name = header ? "\"" + std::string(table.cell(0, column)) + "\""
                                            : std::to_string(column + 1);
            throw Error(table.file + ", line " + std::to_string(table.lines[r]) + ": column " + name + " is \""
                        + std::string(table.cell(r, column)) + "\", expected " + expected + ".");
        };
        for (const auto& [column, known] : words)
            if (std::find(known.begin(), known.end(), table.cell(r, column)) == known.end())
                refuse(column, "one of the words in the training data");
        for (const InputColumn& input : columns) {
            const auto cell = table.cell(r, input.column);
            if (input.word) {
                rows.push_back(cell == *input.word ? 1 : 0);
                continue;
            }
            const auto number = styled_number(cell);
            if (!number || !std::isfinite(static_cast<float>(*number)))
                refuse(input.column, "a finite number");
            rows.push_back(*number);
        }
    }
    return rows;
}

}   // namespace credence
