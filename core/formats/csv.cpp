// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/csv.h"

#include "data/split_rows.h"
#include "formats/csv_columns.h"
#include "formats/csv_inputs.h"
#include "formats/csv_styles.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/progress.h"
#include "foundation/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace credence {
namespace {

/// A file cut into cells, with all decisions that do not depend on the meaning of the cells.
struct OpenTable {
    CsvTable table;
    CsvOptions resolved;
    std::vector<std::string> names;
    std::size_t first_record = 0;   ///< 1 after a header
    std::size_t target       = 0;
    std::vector<std::size_t> other_targets;
    std::vector<std::size_t> inputs;
    std::optional<std::size_t> split;   ///< the column that splits the rows
    std::vector<std::string> notes;     ///< on unused columns and rows
    std::vector<OrderedValues> orders;
    std::vector<std::uint32_t> kept;   ///< row numbers in the file; empty: all
    std::size_t n_rows_of_file = 0;    ///< if rows are left out

    std::size_t n_rows() const { return table.n_records() - first_record; }
    std::vector<std::size_t> targets() const
    {
        std::vector<std::size_t> all{target};
        all.insert(all.end(), other_targets.begin(), other_targets.end());
        return all;
    }
    bool is_target(std::size_t c) const
    {
        return c == target || std::ranges::find(other_targets, c) != other_targets.end();
    }
    ColumnContent column(std::size_t c) const { return read_column(table, first_record, c, names[c], resolved); }
    CsvInput input(std::size_t c) const { return read_input(table, first_record, c, names[c], resolved, orders); }
};

/// A column by its name, or by its number counted from 1.
std::optional<std::size_t> column_if_known(const OpenTable& open, const std::string& wanted)
{
    const auto named = std::find(open.names.begin(), open.names.end(), wanted);
    if (named != open.names.end())
        return static_cast<std::size_t>(named - open.names.begin());
    std::size_t number    = 0;
    const auto [end, why] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    if (why == std::errc{} && end == wanted.data() + wanted.size() && number >= 1 && number <= open.names.size())
        return number - 1;
    return {};
}

std::size_t find_column(const OpenTable& open, const std::string& wanted, const char* field)
{
    if (const auto found = column_if_known(open, wanted))
        return *found;
    constexpr std::size_t shown = 10;
    std::string known;
    for (std::size_t c = 0; c < std::min(open.names.size(), shown); ++c)
        known.append(c ? ", " : "").append(quoted_text(open.names[c]));
    if (open.names.size() > shown)
        known += ", …";
    throw Error(field, open.table.file + ": found no column " + quoted_text(wanted) + ", expected a number from 1 to "
                           + std::to_string(open.names.size()) + " or one of " + known + ".");
}

/// The possible meaning of a first column whose cells are all different.
enum class RowNames { none, numbers, numbers_in_order, words };
RowNames row_names(const OpenTable& open)
{
    constexpr std::size_t fewest = 5;
    std::set<std::string_view> different;
    bool whole = true, in_order = true, words = true;
    double expected = 0;
    for (std::size_t record = open.first_record; record < open.table.n_records(); ++record) {
        const std::string_view cell = open.table.cell(record, 0);
        if (cell.empty() || !different.insert(cell).second)
            return RowNames::none;
        const auto number = parse_number(cell, false);
        words             = words && !looks_like_number(cell, false);
        whole             = whole && number && *number >= 0 && *number == std::floor(*number);
        if (!whole && !words)
            return RowNames::none;
        if (record == open.first_record)
            in_order = whole && *number <= 1, expected = in_order ? *number : 0;
        in_order = in_order && whole && *number == expected++;
    }
    return different.size() < fewest ? RowNames::none
           : words                   ? RowNames::words
           : in_order                ? RowNames::numbers_in_order
                                     : RowNames::numbers;
}

bool without_name(const OpenTable& open)
{
    if (open.first_record == 0)
        return false;
    const std::string_view name = open.table.cell(0, 0);
    return name.empty()
           || name.starts_with("Unnamed: ");   // pandas gives this name to such a column when it writes it again
}

/// R writes row names as a first column without a header.
bool row_names_missing_from_header(const OpenTable& open)
{
    return open.first_record == 1 && row_names(open) != RowNames::none;
}

bool names_an_index(std::string name)
{
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    static const std::set<std::string> names{"id",    "index",    "idx",     "no",    "no.", "nr",
                                             "nr.",   "row",      "row_id",  "rowid", "#",   "number",
                                             "rowno", "rownames", "row_num", "rownum"};
    return names.contains(name);
}

/// One column, or several in a list; a name that contains a comma is no list.
void choose_targets(OpenTable& open, const std::string& wanted)
{
    std::vector<std::string> list{wanted};
    if (auto listed = column_names_in(wanted); !listed.empty() && !column_if_known(open, wanted))
        list = std::move(listed);
    open.target          = wanted.empty() ? open.names.size() - 1 : find_column(open, list.front(), "data.target");
    open.resolved.target = open.names[open.target];
    if (list.size() == 1)
        return;
    std::vector<std::string> names{open.names[open.target]};
    for (std::size_t t = 1; t < list.size(); ++t) {
        const std::size_t c = find_column(open, list[t], "data.target");
        if (open.is_target(c))
            throw Error("data.target", open.table.file + ": column " + quoted_text(open.names[c])
                                           + " is listed twice, expected each target once.");
        open.other_targets.push_back(c);
        names.push_back(open.names[c]);
    }
    open.resolved.target = list_of_columns(names);
    if (open.resolved.task == Task::classification)
        throw Error("data.task", "data.task is classification, but data.target lists " + std::to_string(names.size())
                                     + " columns; expected one, or regression.");
    open.resolved.task = Task::regression;
}

/// Uses all columns with values as inputs, except targets, the split column and row names.
void use_all_columns(OpenTable& open)
{
    const RowNames first = row_names(open);
    const auto empty     = [&](std::size_t c) {
        for (std::size_t record = open.first_record; record < open.table.n_records(); ++record)
            if (!open.table.cell(record, c).empty())
                return false;
        return true;
    };
    for (std::size_t c = 0; c < open.names.size(); ++c) {
        if (open.is_target(c) || c == open.split)
            continue;
        if (c == 0 && first != RowNames::none && without_name(open) && open.names.size() > 2)
            open.notes.push_back(open.table.file + ": the first column has no name and "
                                 + (first == RowNames::words ? "names" : "numbers")
                                 + " the rows; it is not used. To use it as an input, list it in data.columns.");
        else if (empty(c))
            open.notes.push_back(open.table.file + ": column " + quoted_text(open.names[c])
                                 + " is empty in all rows; it is not used.");
        else
            open.inputs.push_back(c);
    }
    if (!open.inputs.empty() && open.inputs.front() == 0 && open.inputs.size() > 1
        && (first == RowNames::numbers_in_order || first == RowNames::numbers)
        && (open.first_record == 0 ? first == RowNames::numbers_in_order : names_an_index(open.names[0])))
        open.notes.push_back(open.table.file + ": column " + quoted_text(open.names[0])
                             + " only numbers the rows and is used as an input. To leave it out, list the other "
                               "columns in data.columns.");
    const std::size_t others = open.targets().size() + (open.split && !open.is_target(*open.split) ? 1 : 0);
    if (open.inputs.size() + others < open.names.size())
        for (const std::size_t c : open.inputs)
            open.resolved.columns.push_back(open.names[c]);
    if (open.inputs.empty())
        throw Error("data.columns", open.table.file
                                        + ": found no column with values besides the target, expected at "
                                          "least one input.");
}

void use_named_columns(OpenTable& open, const std::vector<std::string>& columns)
{
    std::set<std::size_t> chosen;
    open.resolved.columns.clear();
    for (const std::string& wanted : columns) {
        const std::size_t c = find_column(open, wanted, "data.columns");
        if (open.is_target(c))
            throw Error("data.columns", open.table.file + ": column " + quoted_text(open.names[c])
                                            + " is the target, expected other columns as inputs.");
        if (!chosen.insert(c).second)
            throw Error("data.columns", open.table.file + ": column " + quoted_text(open.names[c])
                                            + " is chosen twice, expected each input once.");
        open.inputs.push_back(c);
        open.resolved.columns.push_back(open.names[c]);
    }
}

void choose_columns(OpenTable& open, const CsvOptions& options)
{
    choose_targets(open, options.target);
    if (!options.split_column.empty()) {
        open.split                 = find_column(open, options.split_column, "split.column");
        open.resolved.split_column = open.names[*open.split];
    }
    for (std::string& name : open.resolved.categories)
        name = open.names[find_column(open, name, "data.categories")];
    open.orders = ordered_values(options.ordered);
    for (OrderedValues& order : open.orders)
        if (!order.column.empty())
            order.column = open.names[find_column(open, order.column, "data.ordered")];
    if (options.columns.empty())
        use_all_columns(open);
    else
        use_named_columns(open, options.columns);
}

/// Leaves out the rows with a missing cell in a used column, or without a target if the inputs are
/// imputed.
void leave_out_rows(OpenTable& open)
{
    std::vector<std::size_t> used = open.targets();
    if (open.resolved.missing == MissingValues::drop) {
        used.insert(used.end(), open.inputs.begin(), open.inputs.end());
        if (open.split)
            used.push_back(*open.split);
    }
    std::vector<std::string> reasons;
    for (const std::size_t c : used) {
        std::size_t n = 0;
        for (std::size_t record = open.first_record; record < open.table.n_records(); ++record)
            n += missing_cell(open.table.cell(record, c));
        if (n > 0)
            reasons.push_back(std::to_string(n) + " in column " + quoted_text(open.names[c]));
    }
    if (reasons.empty())
        return;
    const std::size_t before = open.n_rows();
    open.n_rows_of_file      = before;
    open.kept                = drop_missing(open.table, open.first_record, used);
    if (open.n_rows() == 0 || open.kept.empty())
        throw Error("data.missing", open.table.file
                                        + ": every row has a missing value, expected at least one complete "
                                          "row. Set data.missing to impute, or leave columns out.");
    open.notes.push_back(open.table.file + ": " + std::to_string(before - open.n_rows()) + " of "
                         + std::to_string(before)
                         + " rows are left out because values are missing: " + some_names(reasons) + ".");
}

OpenTable open_table(const std::filesystem::path& path, const CsvOptions& options)
{
    constexpr std::string_view separators(",;\t |");
    const char separator = options.separator;
    if (separator != 0 && separators.find(separator) == std::string_view::npos)
        throw Error("data.separator", "Separator is " + quoted_text({&separator, 1})
                                          + ", expected a comma, semicolon, tab, blank or vertical bar.");
    if (options.decimal_point && options.decimal_comma)
        throw Error("data.decimal_point",
                    "data.decimal_point and data.decimal_comma are both true, expected at most one of them.");
    if (separator == ',' && options.decimal_comma)
        throw Error("data.decimal_comma",
                    "Separator and decimal mark are both a comma, expected a different separator or no decimal comma.");

    OpenTable open;
    const std::string file  = path.filename().string();
    std::vector<char> text  = read_utf8(path);
    open.resolved           = options;
    const char stated       = remove_separator_line(text);
    const bool known        = stated != 0 && separators.find(stated) != std::string_view::npos;
    open.resolved.separator = separator ? separator : known ? stated : detect_separator(text, options.decimal_comma);
    open.table              = parse_csv(file, std::move(text), open.resolved.separator);
    drop_empty_last_columns(open.table);
    if (open.table.n_columns < 2)
        throw Error(file
                    + ": found one column, expected at least 2, inputs and a target, with a separator between them.");

    const bool header = options.header == CsvHeader::yes
                        || (options.header == CsvHeader::detect && has_header(open.table, options.decimal_comma));
    open.resolved.header = header ? CsvHeader::yes : CsvHeader::no;
    open.first_record    = header ? 1 : 0;
    open.names           = column_names(open.table, header);
    if (open.table.first_name_missing && !row_names_missing_from_header(open))
        throw Error(file + ", line " + std::to_string(open.table.lines[1]) + ": found "
                    + std::to_string(open.table.n_columns) + " columns, expected "
                    + std::to_string(open.table.n_columns - 1) + ".");
    if (open.n_rows() == 0)
        throw Error(file + ": found a header and no rows, expected at least one row.");
    choose_columns(open, options);
    if (options.missing != MissingValues::refuse)
        leave_out_rows(open);
    return open;
}

/// Classification if the target has words or few different whole numbers. An unusable column counts
/// as numeric.
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

void require_numbers(const OpenTable& open, const ColumnContent& target, std::size_t column)
{
    if (!target.problem.empty())
        throw Error("data.target", target.problem);
    if (!target.categorical)
        return;
    const std::string_view cell = open.table.cell(target.odd_record, column);
    throw Error("data.task", open.table.file + ", line " + std::to_string(open.table.lines[target.odd_record])
                                 + ": column " + quoted_text(open.names[column]) + " is "
                                 + (cell.empty() ? "empty" : quoted_text(cell))
                                 + ", expected a number for regression.");
}

/// Reads the targets after the first into data.targets and the schema.
void fill_other_targets(const OpenTable& open, Dataset& data, TableSchema& schema)
{
    if (open.other_targets.empty())
        return;
    const std::size_t T = open.targets().size();
    std::vector<double> all(data.n_rows * T);
    for (std::size_t i = 0; i < data.n_rows; ++i)
        all[i * T] = data.targets[i];
    for (std::size_t t = 1; t < T; ++t) {
        const std::size_t c         = open.other_targets[t - 1];
        const ColumnContent content = open.column(c);
        require_numbers(open, content, c);
        for (std::size_t i = 0; i < data.n_rows; ++i)
            all[i * T + t] = content.numbers[i];
        data.other_targets.push_back(open.names[c]);
        schema.other_targets.push_back({.name = open.names[c], .position = c, .style = content.style});
    }
    data.targets = std::move(all);
}

void fill_target(const OpenTable& open, ColumnContent& target, Dataset& data)
{
    const std::string& file = open.table.file;
    const std::string name  = "column " + quoted_text(data.target_name);
    if (data.task == Task::regression) {
        require_numbers(open, target, open.target);
        data.targets.assign(target.numbers.begin(), target.numbers.end());
        return;
    }
    if (!target.problem.empty())
        throw Error("data.target", target.problem);
    if (!target.categorical)
        number_classes(target);
    if (!target.categorical)
        throw Error("data.task", file + ": " + name + " has more than " + std::to_string(max_values)
                                     + " different numbers, expected at most " + std::to_string(max_values)
                                     + " classes for classification.");
    if (target.values.size() < 2)
        throw Error("data.target", file + ": " + name + " is " + quoted_text(target.values.front())
                                       + " in every row, expected at least 2 classes.");
    const auto empty = std::ranges::find_if(target.codes, [&](auto code) { return target.values[code].empty(); });
    if (empty != target.codes.end()) {
        const std::size_t line = open.table.lines[open.first_record + std::size_t(empty - target.codes.begin())];
        throw Error("data.target",
                    file + ", line " + std::to_string(line) + ": " + name + " is empty, expected a class.");
    }
    data.labels.assign(target.codes.begin(), target.codes.end());
    data.class_names = target.values;
}

/// The column that splits the rows, with equal numbers as one value.
std::shared_ptr<const SplitColumn> split_column_of(const OpenTable& open)
{
    if (!open.split)
        return nullptr;
    const std::size_t c = *open.split;
    SplitColumn column{.name = open.names[c]};
    ColumnContent content = open.column(c);
    column.numbers        = std::move(content.numbers);
    std::unordered_map<std::string, std::uint32_t> known;
    for (std::size_t i = 0; i < open.n_rows(); ++i) {
        const std::string value    = column.numbers.empty() ? std::string(open.table.cell(open.first_record + i, c))
                                                            : plain_text(column.numbers[i]);
        const auto [found, is_new] = known.try_emplace(value, static_cast<std::uint32_t>(column.values.size()));
        if (is_new)
            column.values.push_back(value);
        column.codes.push_back(found->second);
    }
    return std::make_shared<const SplitColumn>(std::move(column));
}

TableColumn target_column(const OpenTable& open, const ColumnContent& target, const Dataset& data)
{
    TableColumn column{.name = data.target_name, .position = open.target, .style = target.style};
    if (data.task == Task::classification) {
        column.kind       = ColumnKind::category;
        column.categories = data.class_names;
    }
    return column;
}

/// Each list of ordered categories must be of some input.
void require_orders_used(const OpenTable& open, std::span<const CsvInput> inputs)
{
    for (std::size_t k = 0; k < open.orders.size(); ++k)
        if (std::ranges::none_of(inputs, [&](const CsvInput& input) {
                return input.column.kind == ColumnKind::ordered && input.order == k;
            }))
            throw Error("data.ordered",
                        open.table.file + ": found no input column for the order that starts with "
                            + quoted_text(open.orders[k].values.front())
                            + (open.orders[k].column.empty()
                                   ? ", expected a column with no other values than those of the list."
                                   : ", expected column " + quoted_text(open.orders[k].column) + " to be an input."));
}

/// The cells are released as soon as all columns are read, before the inputs need memory.
void fill_inputs(OpenTable& open, Dataset& data, TableSchema& schema)
{
    std::vector<CsvInput> inputs;
    for (const std::size_t c : open.inputs) {
        report_share(static_cast<double>(inputs.size()) / static_cast<double>(open.inputs.size()));
        inputs.push_back(open.input(c));
        if (!inputs.back().problem.empty())
            throw Error("data.columns", inputs.back().problem);
        schema.columns.push_back(inputs.back().column);
    }
    require_orders_used(open, inputs);
    open.table.release_cells();
    data.feature_names         = schema.input_names();
    constexpr std::size_t most = 500'000'000;   // 4 GB, plus half of that standardised
    data.n_features            = data.feature_names.size();
    if (data.n_features > most / data.n_rows)
        throw Error("data.columns", open.table.file + ": " + std::to_string(data.n_rows) + " rows of "
                                        + std::to_string(data.n_features)
                                        + " inputs do not fit, expected at most 500 million numbers.");
    data.inputs.assign(data.n_rows * data.n_features, 0.0);
    std::size_t first = 0;
    for (CsvInput& input : inputs) {
        stop_point();
        for (std::size_t i = 0; i < input.numbers.size(); ++i)
            data.inputs[i * data.n_features + first] = input.numbers[i];
        for (std::size_t i = 0; i < input.codes.size(); ++i)
            data.inputs[i * data.n_features + first + input.codes[i]] = 1;
        if (input.column.kind != ColumnKind::category)
            for (const std::uint32_t i : input.missing)
                data.inputs[i * data.n_features + first + 1] = 1;
        first += input.column.n_inputs();
        input.numbers = std::vector<double>();
        input.codes   = std::vector<std::uint32_t>();
    }
}

/// @param n_values  of the categories; 0: numbers
ColumnSummary summary_of(std::span<const double> numbers, std::span<const std::uint32_t> codes, std::size_t n_values)
{
    ColumnSummary summary;
    if (n_values > 0) {
        summary.counts.assign(n_values, 0);
        for (const std::uint32_t code : codes)
            ++summary.counts[code];
        summary.distinct = n_values;
        return summary;
    }
    if (numbers.empty())
        return summary;
    const auto [low, high] = std::ranges::minmax(numbers);
    summary.lowest         = low;
    summary.highest        = high;
    summary.whole          = std::ranges::all_of(numbers, [](double x) { return x == std::floor(x); });
    summary.counts.assign(ColumnSummary::bins, 0);
    std::set<double> different;
    for (const double x : numbers) {
        const double share = high > low ? (x - low) / (high - low) : 0;
        ++summary.counts[std::min(ColumnSummary::bins - 1, static_cast<std::size_t>(share * ColumnSummary::bins))];
        if (different.size() <= max_numbers_as_codes)
            different.insert(x);
    }
    summary.distinct = different.size();
    return summary;
}

/// The numbers of an input without the zeros of its imputed cells.
std::vector<double> present_numbers(const CsvInput& input)
{
    std::vector<double> present;
    auto missing = input.missing.begin();
    for (std::size_t row = 0; row < input.numbers.size(); ++row)
        if (missing != input.missing.end() && *missing == row)
            ++missing;
        else
            present.push_back(input.numbers[row]);
    return present;
}

/// Cells without a value in a column that has been read. Another pass over the cells is needed only
/// if it is unreadable.
/// @param n_numbers  rows that were read as numbers
/// @param values     its categories, counted in `summary`
std::size_t missing_in(const OpenTable& open, std::size_t column, std::size_t n_numbers,
                       std::span<const std::string> values, const ColumnSummary& summary)
{
    if (n_numbers == open.n_rows())
        return 0;
    std::size_t n = 0;
    if (!values.empty()) {
        for (std::size_t k = 0; k < values.size(); ++k)
            n += missing_cell(values[k]) ? summary.counts[k] : 0;
        return n;
    }
    for (std::size_t record = open.first_record; record < open.table.n_records(); ++record)
        n += missing_cell(open.table.cell(record, column));
    return n;
}

/// Counts the rows from 0 or 1, or gives each row a different number and is named like an index.
bool numbers_each_row(const std::string& name, const CsvInput& input)
{
    constexpr std::size_t fewest       = 10;
    const std::vector<double>& numbers = input.numbers;
    if (input.column.kind != ColumnKind::number || numbers.size() < fewest)
        return false;
    const bool counts = (numbers.front() == 0 || numbers.front() == 1)
                        && std::ranges::adjacent_find(numbers, [](double a, double b) { return b != a + 1; })
                               == numbers.end();
    if (counts || !names_an_index(name))
        return counts;
    std::vector<double> sorted = numbers;
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) == sorted.end()
           && std::ranges::all_of(sorted, [](double x) { return x == std::floor(x); });
}

/// Rows with the same cells as an earlier row in the target and all inputs but row numbers; 0 if
/// there are no other inputs.
std::size_t repeated_rows(const OpenTable& open, std::span<const CsvColumn> columns)
{
    std::vector<std::size_t> used;
    std::ranges::copy_if(open.inputs, std::back_inserter(used),
                         [&](std::size_t c) { return !columns[c].numbers_rows; });
    if (used.empty())
        return 0;
    std::vector<std::uint64_t> hashes;
    hashes.reserve(open.n_rows());
    for (std::size_t record = open.first_record; record < open.table.n_records(); ++record) {
        if (record % 1000 == 0)
            stop_point();
        std::uint64_t hash = std::hash<std::string_view>{}(open.table.cell(record, open.target));
        for (const std::size_t c : open.other_targets)
            hash = hash * 0x9E3779B97F4A7C15u + std::hash<std::string_view>{}(open.table.cell(record, c));
        for (const std::size_t c : used)
            hash = hash * 0x9E3779B97F4A7C15u + std::hash<std::string_view>{}(open.table.cell(record, c));
        hashes.push_back(hash);
    }
    std::ranges::sort(hashes);
    return std::ranges::unique(hashes).size();   // the removed ones
}

constexpr std::size_t fewest_rows = 10;   // in a table, for notes on its rows

/// A note on classes with so few rows that a split can leave them without training rows; empty if
/// there are none.
std::string rare_class_note(const OpenTable& open, const CsvColumn& target)
{
    constexpr std::size_t enough_rows = 3;   // a fifth of the rows for testing: 0.8 % of the splits take all three
    if (open.resolved.task != Task::classification || open.n_rows() < fewest_rows
        || target.summary.counts.size() != target.values.size())
        return {};
    std::vector<std::string> names;
    for (std::size_t k = 0; k < target.values.size(); ++k)
        if (const auto n = target.summary.counts[k]; n > 0 && n < enough_rows)
            names.push_back(quoted_text(target.values[k]));
    if (names.empty())
        return {};
    return open.table.file + ": " + some_names(names)
           + (names.size() == 1 ? " is a class of column " : " are classes of column ") + quoted_text(target.name)
           + " with fewer than " + std::to_string(enough_rows)
           + " rows. A split can leave such a class without training rows: merge or remove it.";
}

/// A note on classes that a reader would take for one; empty if there are none.
std::string alike_classes_note(const OpenTable& open, const CsvColumn& target)
{
    if (open.resolved.task != Task::classification)
        return {};
    std::map<std::string, std::vector<std::string>> by_letters;
    for (const std::string& name : target.values) {
        std::string letters = name;
        std::ranges::transform(letters, letters.begin(), [](unsigned char c) { return std::tolower(c); });
        by_letters[letters].push_back(quoted_text(name));
    }
    std::vector<std::string> names;
    for (const auto& [letters, alike] : by_letters)
        if (alike.size() > 1)
            names.insert(names.end(), alike.begin(), alike.end());
    return names.empty() ? std::string()
                         : open.table.file + ": " + some_names(names) + " are classes of column "
                               + quoted_text(target.name) + " that differ only in upper and lower case.";
}

/// A note on a numeric target that is the same in every row; empty otherwise.
std::string constant_target_note(const OpenTable& open, const CsvColumn& target)
{
    if (target.categorical || open.resolved.task != Task::regression || target.summary.distinct != 1
        || open.n_rows() < fewest_rows)
        return {};
    return open.table.file + ": column " + quoted_text(target.name) + " is " + plain_text(target.summary.lowest)
           + " in every row, so there is nothing to predict.";
}

std::string repeated_note(const OpenTable& open, std::span<const CsvColumn> columns, std::size_t n)
{
    const bool numbered = std::ranges::any_of(open.inputs, [&](std::size_t c) { return columns[c].numbers_rows; });
    return open.table.file + ": " + grouped_text(static_cast<long>(n)) + " of "
           + grouped_text(static_cast<long>(open.n_rows())) + (n == 1 ? " rows repeats" : " rows repeat")
           + " an earlier row in all inputs" + (numbered ? ", except row numbers," : "")
           + " and the target. If copies are in both training and test set, the scores "
             "look better than they are.";
}

std::string points_note(const std::string& file, const CsvColumn& column)
{
    return file + ": column " + quoted_text(column.name)
           + " is read with decimal points: " + quoted_text(column.readings->cell) + " is "
           + plain_text(column.readings->with_point) + ". Set data.decimal_comma to true if it is "
           + plain_text(column.readings->with_comma) + ", or data.decimal_point to true to omit this note.";
}

std::pair<CsvColumn, ColumnReport> preview_of_input(const OpenTable& open, std::size_t c)
{
    CsvInput input = open.input(c);
    CsvColumn column;
    column.categorical = !input.column.categories.empty();
    if (input.column.kind == ColumnKind::ordered)   // positions in the order
        input.codes.assign(input.numbers.begin(), input.numbers.end());
    column.summary         = summary_of(present_numbers(input), input.codes, input.column.categories.size());
    column.summary.missing = input.missing.empty()
                                 ? missing_in(open, c, input.numbers.size(), input.column.categories, column.summary)
                                 : input.missing.size();
    column.values          = std::move(input.column.categories);
    column.kind            = input.column.kind;
    column.numbers_rows    = input.missing.empty() && numbers_each_row(open.names[c], input);
    return {std::move(column), std::move(input)};
}

/// A target or the split column. The first target decides the task unless it is given.
std::pair<CsvColumn, ColumnReport> preview_of_target(OpenTable& open, std::size_t c)
{
    ColumnContent content = open.column(c);
    if (c == open.target) {
        if (!open.resolved.task)
            open.resolved.task = likely_task(content);
        if (*open.resolved.task == Task::classification && !content.categorical && content.problem.empty()) {
            number_classes(content);
            if (content.categorical && content.leading_zeros)   // already classes
                content.note.clear();
        }
    }
    CsvColumn column;
    column.categorical     = content.categorical;
    column.summary         = summary_of(content.numbers, content.codes, content.values.size());
    column.summary.missing = missing_in(open, c, content.numbers.size(), content.values, column.summary);
    column.values          = std::move(content.values);
    column.kind            = content.categorical ? ColumnKind::category : kind_of_numbers(content.style);
    return {std::move(column), std::move(content)};
}

constexpr double parsed = 0.4;   // share of the time until the columns are read

}   // namespace

CsvPreview preview_csv(const std::filesystem::path& file, const CsvOptions& options, std::size_t rows)
{
    OpenTable open = [&] {
        const ProgressScope part(0, parsed);
        return open_table(file, options);
    }();
    const ProgressScope part(parsed, 1);
    CsvPreview preview;
    preview.n_rows = open.n_rows();
    std::vector<std::string> notes;   // one for each column
    bool decimal_points = false;
    for (std::size_t c = 0; c < open.names.size(); ++c) {
        report_share(static_cast<double>(c) / static_cast<double>(open.names.size()));
        auto [column, report] = open.is_target(c) || c == open.split ? preview_of_target(open, c)
                                                                     : preview_of_input(open, c);
        column.name           = open.names[c];
        column.problem        = std::move(report.problem);
        column.fault          = report.fault;
        column.readings       = std::move(report.readings);
        column.leading_zeros  = report.leading_zeros && !column.categorical;
        preview.columns.push_back(std::move(column));
        notes.push_back(std::move(report.note));
        decimal_points |= report.decimal_points;
    }
    if (decimal_points)   // then the points of the other columns are decimal marks too
        for (CsvColumn& column : preview.columns)
            if (column.fault == ColumnFault::none)
                column.readings.reset();
    preview.notes                    = std::move(open.notes);
    preview.targets                  = open.targets();
    std::vector<std::size_t> in_turn = open.inputs;
    std::ranges::copy(preview.targets, std::back_inserter(in_turn));
    for (const std::size_t c : in_turn)
        if (!notes[c].empty())
            preview.notes.push_back(std::move(notes[c]));
    const auto points = std::ranges::find_if(in_turn, [&](std::size_t c) {
        return preview.columns[c].readings && preview.columns[c].fault == ColumnFault::none;
    });
    if (points != in_turn.end())
        preview.notes.push_back(points_note(open.table.file, preview.columns[*points]));
    for (const auto& note : {rare_class_note, alike_classes_note})
        if (auto words = note(open, preview.columns[open.target]); !words.empty())
            preview.notes.push_back(std::move(words));
    for (const std::size_t c : preview.targets)
        if (auto words = constant_target_note(open, preview.columns[c]); !words.empty())
            preview.notes.push_back(std::move(words));
    preview.resolved      = open.resolved;
    preview.repeated_rows = repeated_rows(open, preview.columns);
    if (preview.repeated_rows > 0 && preview.n_rows >= fewest_rows)
        preview.notes.push_back(repeated_note(open, preview.columns, preview.repeated_rows));
    for (std::size_t i = 0; i < std::min(rows, open.n_rows()); ++i) {
        std::vector<std::string>& row = preview.rows.emplace_back();
        for (std::size_t c = 0; c < open.names.size(); ++c)
            row.emplace_back(open.table.cell(open.first_record + i, c));
    }
    return preview;
}

std::vector<std::string> csv_notes(const std::filesystem::path& file, const CsvOptions& options)
{
    return preview_csv(file, options, 0).notes;
}

Dataset read_csv(const std::filesystem::path& file, const CsvOptions& options)
{
    OpenTable open = [&] {
        const ProgressScope part(0, parsed);
        return open_table(file, options);
    }();
    const ProgressScope part(parsed, 1);
    ColumnContent target = open.column(open.target);
    Dataset data;
    data.name        = file.stem().string();
    data.n_rows      = open.n_rows();
    data.task        = open.resolved.task ? *open.resolved.task : likely_task(target);
    data.target_name = open.names[open.target];
    fill_target(open, target, data);
    TableSchema schema{.target        = target_column(open, target, data),
                       .n_columns     = open.table.n_columns,
                       .header        = open.first_record == 1,
                       .decimal_comma = options.decimal_comma};
    fill_other_targets(open, data, schema);
    data.split_column = split_column_of(open);
    fill_inputs(open, data, schema);
    data.table_rows   = open.kept;
    data.n_table_rows = open.n_rows_of_file;
    data.schema       = std::make_shared<const TableSchema>(std::move(schema));
    return data;
}

}   // namespace credence
