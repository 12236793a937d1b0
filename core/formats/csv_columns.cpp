// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/csv_columns.h"

#include "formats/csv_styles.h"
#include "foundation/number_text.h"
#include "foundation/progress.h"
#include "foundation/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <unordered_map>

namespace credence {

namespace {

/// from_chars reports only that the number does not fit: underflow to 0 is fine, overflow is not.
double number_out_of_range(std::string_view cell)
{
    const std::size_t e = cell.find_first_of("eE");
    const bool negative = cell.front() == '-';
    const bool tiny     = e == std::string_view::npos ? cell[negative] == '0' : cell[e + 1] == '-';
    return tiny ? 0.0 : negative ? -HUGE_VAL : HUGE_VAL;
}

constexpr std::size_t fewest_rows_of_a_note = 10;

/// True if every row is like 20240331.
bool compact_dates(const std::vector<double>& numbers)
{
    const auto is_date = [](double number) {
        const auto whole = static_cast<long>(number);
        const long year = whole / 10000, month = whole / 100 % 100, day = whole % 100;
        return number == std::floor(number) && year >= 1800 && year < 2200 && month >= 1 && month <= 12 && day >= 1
               && day <= 31;
    };
    return numbers.size() >= fewest_rows_of_a_note && std::ranges::all_of(numbers, is_date);
}

std::string date_text(double compact)
{
    std::string text = plain_text(compact);
    return text.insert(6, "-").insert(4, "-");
}

/// The first cell like 01067 in a column of digits only; empty if there is none. Two digits, as in 07
/// or 00, are usual for minutes, days and months.
std::string_view padded_cell(const CsvTable& table, std::size_t first_record, std::size_t column)
{
    constexpr std::size_t fewest_digits = 3;
    std::string_view padded;
    for (std::size_t record = first_record; record < table.n_records(); ++record) {
        const std::string_view cell = table.cell(record, column);
        if (cell.find_first_not_of("0123456789") != cell.npos)
            return {};
        if (padded.empty() && cell.size() >= fewest_digits && cell.front() == '0')
            padded = cell;
    }
    return padded;
}

bool fits_float(double value) { return std::fabs(value) <= std::numeric_limits<float>::max(); }

/// The distinct cells of a column, sorted, and the index of each row. Nothing if there are too
/// many.
void collect_values(const CsvTable& table, std::size_t first_record, std::size_t column, ColumnContent& content)
{
    std::unordered_map<std::string_view, std::uint32_t> numbered;
    std::vector<std::string_view> seen;
    content.codes.reserve(table.n_records() - first_record);
    for (std::size_t record = first_record; record < table.n_records(); ++record) {
        if (record % 1000 == 0)
            stop_point();
        const auto [found, is_new] = numbered.try_emplace(table.cell(record, column),
                                                          static_cast<std::uint32_t>(seen.size()));
        if (is_new) {
            seen.push_back(found->first);
            if (seen.size() > max_values)
                return content.codes.clear();
        }
        content.codes.push_back(found->second);
    }
    std::vector<std::uint32_t> order(seen.size()), rank(seen.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return value_order(seen[a], seen[b]); });
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        rank[order[i]] = i;
        content.values.emplace_back(seen[order[i]]);
    }
    for (std::uint32_t& code : content.codes)
        code = rank[code];
}

}   // namespace

std::optional<double> parse_number(std::string_view cell, bool decimal_comma)
{
    if (cell.size() > 1 && cell.front() == '+' && cell[1] != '-')
        cell.remove_prefix(1);
    if (cell.empty())
        return std::nullopt;

    char buffer[128];
    if (decimal_comma) {
        if (cell.size() > sizeof buffer || cell.find('.') != std::string_view::npos)
            return std::nullopt;
        const auto comma = static_cast<std::size_t>(std::replace_copy(cell.begin(), cell.end(), buffer, ',', '.')
                                                    - buffer);
        cell             = {buffer, comma};
    }
    double value          = 0;
    const auto [end, why] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (end != cell.data() + cell.size() || why == std::errc::invalid_argument)
        return std::nullopt;
    return why == std::errc::result_out_of_range ? number_out_of_range(cell) : value;
}

bool value_order(std::string_view a, std::string_view b)
{
    const auto finite = [](std::string_view text) {
        const auto value = parse_number(text, false);
        return value && std::isfinite(*value) ? value : std::nullopt;
    };
    const auto x = finite(a), y = finite(b);
    if (x && y && *x != *y)
        return *x < *y;
    if (x.has_value() != y.has_value())
        return x.has_value();
    return a < b;
}

namespace {

constexpr std::size_t no_record = std::numeric_limits<std::size_t>::max();

/// What the cells of a column are, before it is decided how the column is read.
struct CellCounts {
    /// The first record of each kind, or no_record.
    std::size_t odd = no_record, empty = no_record, not_finite = no_record, mark = no_record;
    std::size_t n_missing = 0;
    bool words = false, other_mark = true, whole = true;
    std::set<double> few;   // distinct numbers, until there are too many for codes
    std::vector<double> numbers;
};

CellCounts count_cells(const CsvTable& table, std::size_t first_record, std::size_t column, bool decimal_comma)
{
    CellCounts cells;
    cells.numbers.reserve(table.n_records() - first_record);
    for (std::size_t record = first_record; record < table.n_records(); ++record) {
        if (record % 1000 == 0)
            stop_point();
        const std::string_view cell = table.cell(record, column);
        const auto number           = parse_number(cell, decimal_comma);
        if (number && fits_float(*number)) {
            cells.numbers.push_back(*number);
            cells.whole = cells.whole && *number == std::floor(*number);
            if (cells.few.size() <= max_numbers_as_codes)
                cells.few.insert(*number);
            continue;
        }
        cells.odd = std::min(cells.odd, record);
        if (number)
            cells.not_finite = std::min(cells.not_finite, record);
        else if (cell.empty())
            cells.empty = std::min(cells.empty, record);
        else if (cell != "?") {
            cells.words      = true;
            cells.other_mark = cells.other_mark && parse_number(cell, !decimal_comma);
        }
        if (!number && missing_mark(cell))
            ++cells.n_missing, cells.mark = std::min(cells.mark, record);
    }
    return cells;
}

/// A column whose numbers all have the decimal mark of the table and no other sign.
ColumnContent plain_numbers(const CsvTable& table, std::size_t first_record, std::size_t column,
                            const std::string& in_column, const CsvOptions& options, std::vector<double> numbers)
{
    ColumnContent content;
    content.numbers        = std::move(numbers);
    const bool spreadsheet = options.separator == ';' || options.separator == '\t';
    if (spreadsheet && !options.decimal_comma) {
        auto points            = points_of(table, first_record, column);
        content.decimal_points = points.decimal;
        if (!options.decimal_point)
            content.readings = std::move(points.example);
    }
    if (compact_dates(content.numbers))
        content.note = in_column + " is read as plain numbers; if " + plain_text(content.numbers.front())
                       + " and so on are dates, write them as " + date_text(content.numbers.front()) + ".";
    if (const auto padded = padded_cell(table, first_record, column); !padded.empty()) {
        content.leading_zeros = true;
        content.note = in_column + " is read as numbers, without leading zeros: " + quoted_text(padded) + " is "
                       + plain_text(*parse_number(padded, false))
                       + ". If these are codes, name it in data.categories, or leave it out with data.columns.";
    }
    return content;
}

/// A column whose numbers are all written in the same style.
ColumnContent styled_numbers(const CsvTable& table, std::size_t first_record, std::size_t column,
                             const std::string& in_column, StyledColumn styled)
{
    ColumnContent numbers;
    const std::string_view cell = table.cell(styled.example, column);
    const bool unit             = styled.how.starts_with("days") || styled.how.starts_with("hours");
    numbers.note = in_column + " is read as " + (unit ? "" : "numbers with ") + styled.how + ": " + quoted_text(cell)
                   + " is " + plain_text(styled.numbers[styled.example - first_record]) + ".";
    numbers.numbers = std::move(styled.numbers);
    numbers.style   = styled.style;
    return numbers;
}

/// A column read as categories. @param odd  the first record that is not a number
ColumnContent categories_of(const CsvTable& table, std::size_t first_record, std::size_t column,
                            const std::string& in_column, std::size_t odd, bool some_numbers)
{
    const std::size_t n = table.n_records() - first_record;
    ColumnContent content;
    content.categorical = true;
    content.odd_record  = odd;
    collect_values(table, first_record, column, content);
    if (content.values.empty()) {
        content         = {};
        content.fault   = ColumnFault::too_many_values;
        content.problem = in_column + " has more than " + std::to_string(max_values)
                          + " different values, expected numbers or at most " + std::to_string(max_values)
                          + " categories.";
        return content;
    }
    const std::string categories = std::to_string(content.values.size()) + " categories";
    if (some_numbers) {
        const std::string_view cell = table.cell(odd, column);
        content.note                = in_column + " is read as " + categories + ", not as numbers, because of "
                       + (cell.empty() ? std::string("the empty cell") : quoted_text(cell)) + " in line "
                       + std::to_string(table.lines[odd]) + ". Remove such rows if it is a quantity.";
    } else if (n >= fewest_rows_of_a_note && 2 * content.values.size() > n) {
        content.note = in_column + " is read as " + categories + " in " + std::to_string(n)
                       + " rows; most occur only once and cannot be learned from. Leave it out with data.columns "
                         "if it only names the rows.";
    }
    return content;
}

}   // namespace

ColumnContent read_column(const CsvTable& table, std::size_t first_record, std::size_t column, const std::string& name,
                          const CsvOptions& options)
{
    const bool decimal_comma    = options.decimal_comma;
    const std::size_t n         = table.n_records() - first_record;
    CellCounts cells            = count_cells(table, first_record, column, decimal_comma);
    const std::string in_column = table.file + ": column " + quoted_text(name);
    if (cells.odd == no_record)
        return plain_numbers(table, first_record, column, in_column, options, std::move(cells.numbers));

    const auto refuse = [&](std::size_t record, const std::string& expected, ColumnFault fault = ColumnFault::other) {
        const std::string_view cell = table.cell(record, column);
        ColumnContent refused;
        refused.fault   = fault;
        refused.problem = table.file + ", line " + std::to_string(table.lines[record]) + ": column " + quoted_text(name)
                          + " is " + (cell.empty() ? "empty" : quoted_text(cell)) + ", expected " + expected + ".";
        return refused;
    };
    if (cells.not_finite != no_record && !cells.words)
        return refuse(cells.not_finite, "a finite number that fits into 32 bits");
    if (cells.empty != no_record && !cells.words)
        return refuse(cells.empty,
                      cells.n_missing == n ? "a number; leave the column out with data.columns" : "a number",
                      ColumnFault::empty_cell);
    if (auto styled = read_styled(table, first_record, column, options)) {
        const std::size_t missing = cells.n_missing;
        if (!styled->problem.empty()) {
            ColumnContent refused = refuse(styled->example, styled->problem,
                                           styled->readings ? ColumnFault::ambiguous_comma : ColumnFault::other);
            refused.readings      = std::move(styled->readings);
            return refused;
        }
        const bool plain = styled->how.empty();
        if (missing > 0 && (!plain || !cells.whole || cells.few.size() > max_numbers_as_codes))
            return refuse(cells.mark,
                          "a number as in the other rows: fill in or remove the "
                              + (missing == 1 ? std::string("row") : std::to_string(missing) + " rows")
                              + " without one, or leave the column out with data.columns",
                          table.cell(cells.mark, column).empty() ? ColumnFault::empty_cell : ColumnFault::other);
        if (missing == 0 && std::ranges::all_of(styled->numbers, fits_float))
            return styled_numbers(table, first_record, column, in_column, std::move(*styled));
    }
    if (cells.words && cells.other_mark && options.separator == ',')
        return refuse(cells.odd, "a number without a comma in it");
    if (cells.words && cells.other_mark && decimal_comma)
        return refuse(cells.odd, "a number with a decimal comma, or the option decimal comma off");
    if (cells.words && cells.other_mark)
        return refuse(cells.odd, "a number with a decimal point, or the option decimal comma on",
                      ColumnFault::decimal_commas);
    if (2 * cells.numbers.size() > n && cells.few.size() > max_numbers_as_codes)
        return refuse(cells.odd, "a number as in most other rows");

    std::size_t number_like = 0;
    for (std::size_t record = first_record; record < table.n_records(); ++record)
        number_like += looks_like_number(table.cell(record, column), decimal_comma);
    if (2 * number_like > n && number_like > cells.numbers.size() && number_like > max_numbers_as_codes)
        return refuse(cells.odd,
                      "numbers or dates that are all written in the same way (with or without a sign, in one "
                      "order)");

    const bool some_numbers = 2 * cells.numbers.size() > n;
    cells.numbers           = {};
    return categories_of(table, first_record, column, in_column, cells.odd, some_numbers);
}

void number_classes(ColumnContent& content)
{
    std::vector<double> different = content.numbers;
    std::sort(different.begin(), different.end());
    different.erase(std::unique(different.begin(), different.end()), different.end());
    if (different.size() > max_values)
        return;
    for (const double number : content.numbers)
        content.codes.push_back(static_cast<std::uint32_t>(std::lower_bound(different.begin(), different.end(), number)
                                                           - different.begin()));
    for (const double value : different)
        content.values.push_back(plain_text(value));
    content.numbers     = {};
    content.categorical = true;
}

bool has_header(const CsvTable& table, bool decimal_comma)
{
    constexpr std::size_t looked_at = 1000;
    const std::size_t end           = std::min(table.n_records(), looked_at);
    const auto is_number            = [&](std::size_t record, std::size_t column) {
        return parse_number(table.cell(record, column), decimal_comma).has_value();
    };
    const auto is_like_number = [&](std::size_t record, std::size_t column) {
        return looks_like_number(table.cell(record, column), decimal_comma);
    };

    bool numbers = false, recurs = false;
    for (std::size_t column = 0; column < table.n_columns; ++column) {
        const std::string_view first = table.cell(0, column);
        if (is_number(0, column)) {
            numbers = true;
            if (first.find_first_not_of("0123456789") != std::string_view::npos)
                return false;   // 5.1 is not a name; 1999 may be one
        } else if (!first.empty() && missing_mark(first)) {
            return false;
        }
    }
    for (std::size_t column = 0; column < table.n_columns; ++column) {
        if (is_like_number(0, column) || table.cell(0, column).empty())
            continue;
        bool any = false, all = true;
        for (std::size_t record = 1; record < end && all; ++record) {
            const bool number = is_like_number(record, column);
            any               = any || number;
            all               = number || missing_mark(table.cell(record, column));
        }
        if (any && all)
            return true;
    }
    if (numbers)
        return false;

    std::set<std::string_view> names;
    for (std::size_t column = 0; column < table.n_columns; ++column) {
        const std::string_view first = table.cell(0, column);
        recurs                       = recurs || !names.insert(first).second;
        for (std::size_t record = 1; record < table.n_records() && !recurs; ++record)
            recurs = table.cell(record, column) == first;
    }
    return !recurs;
}

std::vector<std::string> column_names(const CsvTable& table, bool header)
{
    std::vector<std::string> names;
    std::set<std::string> taken;
    std::unordered_map<std::string, int> copies;   // of each name so far, so that a thousand equal names are numbered
                                                   // in one pass
    for (std::size_t column = 0; column < table.n_columns; ++column) {
        std::string name(header ? table.cell(0, column) : std::string_view{});
        if (name.empty())
            name.append("column ").append(std::to_string(column + 1));
        std::string unique = name;
        for (int& copy = copies.try_emplace(name, 1).first->second; !taken.insert(unique).second;)
            (unique = name).append(" (").append(std::to_string(++copy)).append(")");
        names.push_back(unique);
    }
    return names;
}

}   // namespace credence
