// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/csv.h"

#include "formats/csv_columns.h"
#include "formats/text.h"
#include "foundation/error.h"
#include "foundation/stopped.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace credence {

namespace {

/// A file cut into cells, with everything decided that does not need the cells' meaning.
struct OpenTable {
    CsvTable table;
    CsvOptions resolved;
    std::vector<std::string> names;
    std::size_t first_record = 0;   ///< 1 after a header
    std::size_t target       = 0;
    std::vector<std::size_t> inputs;

    std::size_t n_rows() const { return table.n_records() - first_record; }
    ColumnContent column(std::size_t c) const
    {
        return read_column(table, first_record, c, names[c], resolved.decimal_comma, resolved.separator);
    }
};

/// A column by its name, or by its number counted from 1.
std::size_t find_column(const OpenTable& open, const std::string& wanted, const char* field)
{
    const auto named = std::find(open.names.begin(), open.names.end(), wanted);
    if (named != open.names.end())
        return static_cast<std::size_t>(named - open.names.begin());
    std::size_t number    = 0;
    const auto [end, why] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    if (why == std::errc{} && end == wanted.data() + wanted.size() && number >= 1 && number <= open.names.size())
        return number - 1;

    constexpr std::size_t shown = 10;
    std::string known;
    for (std::size_t c = 0; c < std::min(open.names.size(), shown); ++c)
        known.append(c ? ", " : "").append(quoted_text(open.names[c]));
    if (open.names.size() > shown)
        known += ", …";
    throw Error(field, open.table.file + ": found no column " + quoted_text(wanted) + ", expected a number from 1 to "
                           + std::to_string(open.names.size()) + " or one of " + known + ".");
}

void choose_columns(OpenTable& open, const CsvOptions& options)
{
    open.target = options.target.empty() ? open.names.size() - 1 : find_column(open, options.target, "data.target");
    open.resolved.target = open.names[open.target];
    if (options.columns.empty()) {
        for (std::size_t c = 0; c < open.names.size(); ++c)
            if (c != open.target)
                open.inputs.push_back(c);
        return;
    }
    std::set<std::size_t> chosen;
    open.resolved.columns.clear();
    for (const std::string& wanted : options.columns) {
        const std::size_t c = find_column(open, wanted, "data.columns");
        if (c == open.target)
            throw Error("data.columns", open.table.file + ": column " + quoted_text(open.names[c])
                                            + " is the target, expected other columns as inputs.");
        if (!chosen.insert(c).second)
            throw Error("data.columns", open.table.file + ": column " + quoted_text(open.names[c])
                                            + " is chosen twice, expected each input once.");
        open.inputs.push_back(c);
        open.resolved.columns.push_back(open.names[c]);
    }
}

OpenTable open_table(const std::filesystem::path& path, const CsvOptions& options)
{
    constexpr std::string_view separators(",;\t |");
    const char separator = options.separator;
    if (separator != 0 && separators.find(separator) == std::string_view::npos)
        throw Error("data.separator", "Separator is " + quoted_text({&separator, 1})
                                          + ", expected a comma, semicolon, tab, blank or bar.");
    if (separator == ',' && options.decimal_comma)
        throw Error(
            "data.decimal_comma",
            "Separator and decimal mark are both a comma, expected another separator or the decimal comma switched off.");

    OpenTable open;
    const std::string file  = path.filename().string();
    std::vector<char> text  = read_utf8(path);
    open.resolved           = options;
    open.resolved.separator = separator ? separator : detect_separator(text, options.decimal_comma);
    open.table              = parse_csv(file, std::move(text), open.resolved.separator);
    if (open.table.n_columns < 2)
        throw Error(file
                    + ": found one column, expected at least 2, inputs and a target, with a separator between them.");

    const bool header = options.header == CsvHeader::yes
                        || (options.header == CsvHeader::detect && has_header(open.table, options.decimal_comma));
    open.resolved.header = header ? CsvHeader::yes : CsvHeader::no;
    open.first_record    = header ? 1 : 0;
    open.names           = column_names(open.table, header);
    if (open.n_rows() == 0)
        throw Error(file + ": found a header and no rows, expected at least one row.");
    choose_columns(open, options);
    return open;
}

/// Classification if the target has words or few different whole numbers. A column that cannot be used was meant to be numeric.
Task likely_task(const ColumnContent& target)
{
    if (target.categorical)
        return Task::classification;
    std::set<double> different;
    for (const double y : target.numbers)
        if (y != std::floor(y) || (different.insert(y), different.size() > max_numbers_as_codes))
            return Task::regression;
    return different.empty() ? Task::regression : Task::classification;
}

void fill_target(const OpenTable& open, ColumnContent& target, Dataset& data)
{
    const std::string& file = open.table.file;
    const std::string name  = "column " + quoted_text(data.target_name);
    if (!target.problem.empty())
        throw Error("data.target", target.problem);
    if (data.task == Task::regression) {
        if (target.categorical) {
            const std::string_view cell = open.table.cell(target.odd_record, open.target);
            throw Error("data.task", file + ", line " + std::to_string(open.table.lines[target.odd_record]) + ": "
                                         + name + " is " + (cell.empty() ? "empty" : quoted_text(cell))
                                         + ", expected a number for regression.");
        }
        data.targets.assign(target.numbers.begin(), target.numbers.end());
        return;
    }
    if (!target.categorical)
        number_classes(target);
    if (!target.categorical)
        throw Error("data.task", file + ": " + name + " has more than " + std::to_string(max_values)
                                     + " different numbers, expected at most " + std::to_string(max_values)
                                     + " classes for classification.");
    if (target.values.size() < 2)
        throw Error("data.target", file + ": " + name + " is " + quoted_text(target.values.front())
                                       + " in every row, expected at least 2 classes.");
    for (std::size_t i = 0; i < open.n_rows(); ++i)
        if (target.values[target.codes[i]].empty())
            throw Error("data.target", file + ", line " + std::to_string(open.table.lines[open.first_record + i]) + ": "
                                           + name + " is empty, expected a class.");
    data.labels.assign(target.codes.begin(), target.codes.end());
    data.class_names = target.values;
}

void fill_inputs(const OpenTable& open, Dataset& data)
{
    std::vector<ColumnContent> contents;
    for (const std::size_t c : open.inputs) {
        contents.push_back(open.column(c));
        ColumnContent& content = contents.back();
        if (!content.problem.empty())
            throw Error("data.columns", content.problem);
        if (!content.categorical)
            data.feature_names.push_back(open.names[c]);
        for (const std::string& value : content.values)
            data.feature_names.push_back(open.names[c] + "=" + value);
    }
    constexpr std::size_t most = 500'000'000;   // 4 GB, and half as much standardised
    data.n_features            = data.feature_names.size();
    if (data.n_features > most / data.n_rows)
        throw Error("data.columns", open.table.file + ": " + std::to_string(data.n_rows) + " rows of "
                                        + std::to_string(data.n_features)
                                        + " inputs do not fit, expected at most 500 million numbers.");
    data.inputs.assign(data.n_rows * data.n_features, 0.0);
    std::size_t first = 0;
    for (const ColumnContent& content : contents) {
        stop_point();
        for (std::size_t i = 0; i < content.numbers.size(); ++i)
            data.inputs[i * data.n_features + first] = content.numbers[i];
        for (std::size_t i = 0; i < content.codes.size(); ++i)
            data.inputs[i * data.n_features + first + content.codes[i]] = 1;
        first += content.categorical ? content.values.size() : 1;
    }
}

}   // namespace

CsvPreview preview_csv(const std::filesystem::path& file, const CsvOptions& options, std::size_t rows)
{
    OpenTable open = open_table(file, options);
    CsvPreview preview;
    preview.n_rows = open.n_rows();
    for (std::size_t c = 0; c < open.names.size(); ++c) {
        ColumnContent content = open.column(c);
        if (c == open.target) {
            open.resolved.task = options.task.value_or(likely_task(content));
            if (*open.resolved.task == Task::classification && !content.categorical && content.problem.empty())
                number_classes(content);
        }
        preview.columns.push_back(
            {open.names[c], content.categorical, std::move(content.values), std::move(content.problem)});
    }
    preview.resolved = open.resolved;
    for (std::size_t i = 0; i < std::min(rows, open.n_rows()); ++i) {
        std::vector<std::string>& row = preview.rows.emplace_back();
        for (std::size_t c = 0; c < open.names.size(); ++c)
            row.emplace_back(open.table.cell(open.first_record + i, c));
    }
    return preview;
}

Dataset read_csv(const std::filesystem::path& file, const CsvOptions& options)
{
    const OpenTable open = open_table(file, options);
    ColumnContent target = open.column(open.target);
    Dataset data;
    data.name        = file.stem().string();
    data.n_rows      = open.n_rows();
    data.task        = options.task.value_or(likely_task(target));
    data.target_name = open.names[open.target];
    fill_target(open, target, data);
    fill_inputs(open, data);
    return data;
}

}   // namespace credence
