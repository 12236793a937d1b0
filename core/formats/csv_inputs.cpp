// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/csv_inputs.h"

#include "formats/csv_styles.h"
#include "foundation/error.h"
#include "foundation/progress.h"
#include "foundation/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace credence {
namespace {

std::string_view without_blanks(std::string_view text)
{
    const auto first = text.find_first_not_of(' ');
    return first == text.npos ? std::string_view{} : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string_view> pieces_between(std::string_view text, char mark)
{
    std::vector<std::string_view> pieces;
    for (std::size_t end = 0; end != text.npos;) {
        end = text.find(mark);
        pieces.push_back(without_blanks(text.substr(0, end)));
        if (end != text.npos)
            text.remove_prefix(end + 1);
    }
    return pieces;
}

/// The records of one column that are not missing, as a table of this column.
CsvTable present_cells(const CsvTable& table, std::size_t first_record, std::size_t column,
                       std::span<const std::uint32_t> missing)
{
    CsvTable part;
    part.file        = table.file;
    part.n_columns   = 1;
    std::size_t next = 0;
    for (std::size_t record = first_record; record < table.n_records(); ++record) {
        if (next < missing.size() && missing[next] == record - first_record) {
            ++next;
            continue;
        }
        part.cells.push_back(table.cell(record, column));
        part.lines.push_back(table.lines[record]);
    }
    return part;
}

/// Moves the values of the present rows to their rows; missing rows get `value`.
template <class T>
void spread(std::vector<T>& values, std::span<const std::uint32_t> missing, std::size_t n_rows, T value)
{
    std::vector<T> all(n_rows, value);
    std::size_t next = 0, from = 0;
    for (std::size_t i = 0; i < n_rows; ++i)
        if (next < missing.size() && missing[next] == i)
            ++next;
        else
            all[i] = values[from++];
    values = std::move(all);
}

/// The list for this column, or the number of lists.
std::size_t order_of(std::span<const OrderedValues> orders, const std::string& name, const ColumnContent& content)
{
    const auto has_all = [&](const OrderedValues& order) {
        return content.categorical && std::ranges::all_of(content.values, [&](const std::string& value) {
                   return std::ranges::find(order.values, value) != order.values.end();
               });
    };
    const auto named = std::ranges::find(orders, name, &OrderedValues::column);
    const auto found = named != orders.end() ? named : std::ranges::find_if(orders, [&](const auto& order) {
        return order.column.empty() && has_all(order);
    });
    return static_cast<std::size_t>(found - orders.begin());
}

/// Categories become their position in the order. @param table  of the present cells
void put_in_order(CsvInput& input, const OrderedValues& order, const ColumnContent& content, const CsvTable& table,
                  std::size_t first_record, const std::string& name)
{
    input.column.kind       = ColumnKind::ordered;
    input.column.categories = order.values;
    std::vector<double> position;
    for (const std::string& value : content.values) {
        const auto found = std::ranges::find(order.values, value);
        position.push_back(found == order.values.end() ? -1 : static_cast<double>(found - order.values.begin()));
    }
    for (std::size_t i = 0; i < content.codes.size(); ++i) {
        const double at = position[content.codes[i]];
        if (at < 0) {
            const std::string& value = content.values[content.codes[i]];
            input.problem = table.file + ", line " + std::to_string(table.lines[first_record + i]) + ": column "
                            + quoted_text(name) + " is " + (value.empty() ? "empty" : quoted_text(value))
                            + ", expected one of " + joined(order.values, {}, " < ") + " (data.ordered).";
            return;
        }
        input.numbers.push_back(at);
    }
}

}   // namespace

ColumnKind kind_of_numbers(CellStyle style)
{
    switch (style) {
    case CellStyle::year_month_day:
    case CellStyle::day_month_year:
    case CellStyle::month_day_year: return ColumnKind::date;
    case CellStyle::time_of_day: return ColumnKind::time;
    default: return ColumnKind::number;
    }
}

bool missing_cell(std::string_view cell)
{
    constexpr std::size_t longest = 8;   // of the marks; most cells are numbers, and this is called for each
    if (cell.empty())
        return true;
    if (cell.size() > longest || (cell.front() >= '0' && cell.front() <= '9'))
        return false;
    if (missing_mark(cell))
        return true;
    const auto number = parse_number(cell, false);
    return number && std::isnan(*number);
}

std::vector<std::uint32_t> drop_missing(CsvTable& table, std::size_t first_record, std::span<const std::size_t> columns)
{
    std::vector<std::uint32_t> kept;
    std::size_t to = first_record;
    for (std::size_t record = first_record; record < table.n_records(); ++record) {
        if (record % 1000 == 0)
            stop_point();
        if (std::ranges::any_of(columns, [&](std::size_t c) { return missing_cell(table.cell(record, c)); }))
            continue;
        kept.push_back(static_cast<std::uint32_t>(record - first_record));
        if (to != record) {
            std::copy_n(table.cells.begin() + static_cast<std::ptrdiff_t>(record * table.n_columns), table.n_columns,
                        table.cells.begin() + static_cast<std::ptrdiff_t>(to * table.n_columns));
            table.lines[to] = table.lines[record];
        }
        ++to;
    }
    if (to == table.n_records())
        return {};
    table.cells.resize(to * table.n_columns);
    table.lines.resize(to);
    return kept;
}

std::vector<OrderedValues> ordered_values(const std::string& text)
{
    std::vector<OrderedValues> orders;
    if (without_blanks(text).empty())
        return orders;
    for (std::string_view piece : pieces_between(text, ';')) {
        if (piece.empty())
            continue;
        OrderedValues order;
        if (const auto colon = piece.find(':'); colon != piece.npos && colon < piece.find('<')) {
            order.column = without_blanks(piece.substr(0, colon));
            piece        = piece.substr(colon + 1);
        }
        for (const std::string_view value : pieces_between(piece, '<')) {
            const bool twice = std::ranges::find(order.values, value) != order.values.end();
            if (value.empty() || twice)
                throw Error("data.ordered", "data.ordered has "
                                                + (value.empty() ? "an empty category" : quoted_text(value) + " twice")
                                                + ", expected categories in order, as in \"size: small < medium < "
                                                  "large\".");
            order.values.emplace_back(value);
        }
        if (order.values.size() < 2)
            throw Error("data.ordered", "data.ordered has " + quoted_text(piece)
                                            + ", expected at least two categories, as in \"low < high\".");
        orders.push_back(std::move(order));
    }
    return orders;
}

std::string list_of_columns(const std::vector<std::string>& names)
{
    std::string text;
    for (const auto& name : names) {
        text += text.empty() ? "" : ", ";
        if (name.find_first_of(",\"") == std::string::npos) {
            text += name;
            continue;
        }
        text += '"';
        for (const char c : name)
            text += c == '"' ? std::string("\"\"") : std::string(1, c);
        text += '"';
    }
    return text;
}

std::vector<std::string> column_names_in(const std::string& text)
{
    std::vector<std::string> names;
    std::string name;
    bool quoted = false, was_quoted = false;
    const auto take = [&] {
        if (!was_quoted) {
            const auto last = name.find_last_not_of(' ');
            name.erase(last == std::string::npos ? 0 : last + 1);
        }
        if (!name.empty())
            names.push_back(name);
        name.clear();
        was_quoted = false;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
            name += text[++i];
        else if (c == '"' && (quoted || name.empty()))
            quoted = !quoted, was_quoted = true;
        else if (c == ',' && !quoted)
            take();
        else if (quoted || !name.empty() || c != ' ')
            if (quoted || !was_quoted)
                name += c;
    }
    take();
    return names;
}

CsvInput read_input(const CsvTable& table, std::size_t first_record, std::size_t column, const std::string& name,
                    const CsvOptions& options, std::span<const OrderedValues> orders)
{
    CsvInput input;
    input.column        = {.name = name, .position = column};
    const std::size_t n = table.n_records() - first_record;
    if (options.missing == MissingValues::impute)
        for (std::size_t i = 0; i < n; ++i)
            if (missing_cell(table.cell(first_record + i, column)))
                input.missing.push_back(static_cast<std::uint32_t>(i));
    if (input.missing.size() == n) {
        input.problem = table.file + ": column " + quoted_text(name)
                        + " has no values, expected at least one; leave it out with data.columns.";
        return input;
    }
    const bool part                   = !input.missing.empty();
    const CsvTable of_column          = part ? present_cells(table, first_record, column, input.missing) : CsvTable{};
    const CsvTable& from              = part ? of_column : table;
    const std::size_t first           = part ? 0 : first_record;
    ColumnContent content             = read_column(from, first, part ? 0 : column, name, options);
    static_cast<ColumnReport&>(input) = content;
    if (!input.problem.empty())
        return input;

    const bool named = std::ranges::find(orders, name, &OrderedValues::column) != orders.end();
    if (!content.categorical && (named || std::ranges::find(options.categories, name) != options.categories.end())) {
        number_classes(content);
        input.note.clear();
        if (!content.categorical) {
            input.problem = table.file + ": column " + quoted_text(name) + " has more than "
                            + std::to_string(max_values) + " different numbers, expected at most "
                            + std::to_string(max_values) + " categories.";
            return input;
        }
    }
    input.column.imputed = part;
    input.order          = order_of(orders, name, content);
    if (input.order < orders.size()) {
        put_in_order(input, orders[input.order], content, from, first, name);
        if (!input.problem.empty())
            return input;
    } else if (content.categorical) {
        input.column.kind       = ColumnKind::category;
        input.column.categories = std::move(content.values);
        input.codes             = std::move(content.codes);
        if (part) {
            const auto own = std::ranges::find(input.column.categories, std::string_view(missing_category));
            const auto at  = static_cast<std::uint32_t>(own - input.column.categories.begin());
            if (own == input.column.categories.end())
                input.column.categories.emplace_back(missing_category);
            spread(input.codes, input.missing, n, at);
        }
        return input;
    } else {
        input.column.kind  = kind_of_numbers(content.style);
        input.column.style = content.style;
        input.numbers      = std::move(content.numbers);
    }
    if (part)
        spread(input.numbers, input.missing, n, 0.0);
    return input;
}

}   // namespace credence
