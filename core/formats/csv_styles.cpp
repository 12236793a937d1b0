// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/csv_styles.h"

#include "formats/csv_columns.h"
#include "foundation/number_text.h"
#include "foundation/progress.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <set>

namespace credence {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

bool drop_front(std::string_view& text, std::string_view word)
{
    if (!text.starts_with(word))
        return false;
    text.remove_prefix(word.size());
    return true;
}

bool drop_back(std::string_view& text, std::string_view word)
{
    if (!text.ends_with(word))
        return false;
    text.remove_suffix(word.size());
    return true;
}

constexpr std::string_view minus_signs[] = {"-", "\u2212", "\u2013"};
constexpr std::string_view blanks[]      = {" ", "\u00A0", "\u202F", "\u2009"};
constexpr std::string_view apostrophes[] = {"'", "\u2019"};
constexpr std::string_view currencies[]  = {"US$", "$", "€", "£", "¥", "₹", "USD", "EUR", "GBP", "CHF", "JPY"};

void trim_blanks(std::string_view& text)
{
    const auto any = [&](auto drop) {
        return std::ranges::any_of(blanks, [&](std::string_view blank) { return drop(text, blank); });
    };
    while (any(drop_front)) {}
    while (any(drop_back)) {}
}

/// One cell taken apart. `digits` contains only digits, the two marks, and one blank or apostrophe
/// per group separator.
struct Dressed {
    bool negative = false, typographic_minus = false, percent = false, in_brackets = false, fortran = false;
    std::string_view currency;
    std::string digits;
    int exponent = 0;
};

bool drop_sign(std::string_view& text, Dressed& dressed)
{
    for (const std::string_view sign : minus_signs)
        if (drop_front(text, sign)) {
            dressed.negative          = true;
            dressed.typographic_minus = sign != "-";
            return true;
        }
    return drop_front(text, "+");
}

std::optional<Dressed> undressed(std::string_view cell)
{
    constexpr std::size_t longest = 64;
    if (cell.size() > longest)
        return {};
    Dressed out;
    trim_blanks(cell);
    if (cell.size() > 2 && cell.front() == '(' && cell.back() == ')') {
        out.in_brackets = out.negative = true;
        cell                           = cell.substr(1, cell.size() - 2);
    }
    bool sign = out.in_brackets || drop_sign(cell, out);
    for (const std::string_view currency : currencies)
        if (drop_front(cell, currency) || drop_back(cell, currency)) {
            out.currency = currency;
            break;
        }
    if (drop_back(cell, "%")) {
        if (!out.currency.empty())
            return {};
        out.percent = true;
    }
    trim_blanks(cell);
    if (!sign)
        drop_sign(cell, out);

    for (std::size_t at = 0; at < cell.size();) {
        const std::string_view rest = cell.substr(at);
        const auto one_of           = [&](const auto& all) -> std::size_t {
            for (const std::string_view one : all)
                if (rest.starts_with(one))
                    return one.size();
            return 0;
        };
        if (digit(rest.front()) || rest.front() == '.' || rest.front() == ',') {
            out.digits += rest.front();
            ++at;
        } else if (const std::size_t blank = one_of(blanks)) {
            out.digits += ' ';
            at += blank;
        } else if (const std::size_t apostrophe = one_of(apostrophes)) {
            out.digits += '\'';
            at += apostrophe;
        } else if (std::string_view("eEdD").find(rest.front()) != std::string_view::npos) {
            out.fortran           = rest.front() == 'd' || rest.front() == 'D';
            std::string_view text = rest.substr(1);
            Dressed of_exponent;
            drop_sign(text, of_exponent);
            out.typographic_minus |= of_exponent.typographic_minus;
            const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), out.exponent);
            if (text.empty() || !digit(text.front()) || why != std::errc{} || end != text.data() + text.size())
                return {};
            if (of_exponent.negative)
                out.exponent = -out.exponent;
            break;
        } else {
            return {};
        }
    }
    return out.digits.empty() ? std::nullopt : std::optional(std::move(out));
}

struct Mantissa {
    double value      = 0;
    char group        = 0;   ///< thousands separator; 0: none
    int n_groups      = 0;   ///< number of separators
    bool has_decimals = false;
    std::size_t whole = 0;   ///< digits before the decimal mark
};

/// The digits with this decimal mark; groups of three digits can be separated by the other mark, a
/// blank or an apostrophe.
std::optional<Mantissa> mantissa(const Dressed& dressed, char decimal)
{
    Mantissa out;
    std::string plain;
    const std::string_view digits = dressed.digits;
    const std::size_t point       = digits.find(decimal);
    const std::string_view whole = digits.substr(0, point), part = point == digits.npos ? "" : digits.substr(point + 1);
    std::size_t in_group = 0;
    for (const char c : whole) {
        if (digit(c)) {
            plain += c;
            ++in_group;
            continue;
        }
        if ((out.group && (out.group != c || in_group != 3)) || in_group == 0 || in_group > 3
            || (!out.group && whole.front() == '0'))
            return {};
        out.group = c;
        ++out.n_groups;
        in_group = 0;
    }
    if (out.group && in_group != 3)
        return {};
    if (!std::ranges::all_of(part, digit) || (plain.empty() && part.empty()))
        return {};
    out.whole        = plain.size();
    out.has_decimals = point != digits.npos;
    plain += '.';
    plain += part;
    plain += 'e' + std::to_string(dressed.exponent);
    if (plain.front() == '.')
        plain.insert(plain.begin(), '0');
    const auto value = parse_number(plain, false);
    if (!value)
        return {};
    out.value = dressed.negative ? -*value : *value;
    return out;
}

/// A column read with one of the two decimal marks.
struct Reading {
    bool possible = true, both_marks = false, short_cells = false, long_cells = false;
    int most_groups = 0;
    char group      = 0;
    std::vector<double> numbers;

    void add(const Dressed& dressed, char decimal)
    {
        if (!possible)
            return;
        const auto found = mantissa(dressed, decimal);
        possible         = found && (!found->group || !group || found->group == group);
        if (!possible)
            return;
        numbers.push_back(found->value);
        if (found->group) {
            group       = found->group;
            most_groups = std::max(most_groups, found->n_groups);
            both_marks |= found->has_decimals;
        } else {
            (found->whole <= 3 && !found->has_decimals ? short_cells : long_cells) = true;
        }
    }
    /// True if the thousands separators cannot be decimal marks.
    bool sure() const { return both_marks || most_groups > 1 || (short_cells && !long_cells); }
};

std::string words_of_group(char group)
{
    return group == ','    ? "commas as thousands separators"
           : group == '.'  ? "points as thousands separators"
           : group == '\'' ? "apostrophes as thousands separators"
                           : "blanks as thousands separators";
}

std::string listed_words(const std::vector<std::string>& parts)
{
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 < parts.size() ? ", " : " and ") + parts[i];
    return text;
}

/// A column of numbers read in both ways, and what their cells have in common.
struct StyledNumbers {
    Reading with_point, with_comma;
    std::set<std::string_view> currency;
    std::size_t n = 0, percent = 0;
    bool minus = false, fortran = false, brackets = false;
    std::size_t example = 0, example_rank = 0;   ///< a record that shows the style

    bool add(const Dressed& dressed, std::size_t record, std::size_t rank)
    {
        with_point.add(dressed, '.');
        with_comma.add(dressed, ',');
        ++n;
        percent += dressed.percent;
        minus |= dressed.typographic_minus;
        fortran |= dressed.fortran;
        brackets |= dressed.in_brackets;
        if (!dressed.currency.empty())
            currency.insert(dressed.currency);
        if (rank > example_rank)
            example_rank = rank, example = record;
        return with_point.possible || with_comma.possible;
    }
    bool one_style() const { return n > 0 && (percent == 0 || percent == n) && currency.size() <= 1; }
    /// "blanks as thousands separators and per cent signs"
    /// @param other_mark  "decimal commas" if the numbers have another decimal mark than the table
    std::string words(char group, const char* other_mark) const
    {
        std::vector<std::string> how;
        if (group)
            how.push_back(words_of_group(group));
        if (other_mark)
            how.emplace_back(other_mark);
        if (!currency.empty())
            how.push_back("the sign " + std::string(*currency.begin()));
        if (percent)
            how.emplace_back("per cent signs");
        if (minus)
            how.emplace_back("typographic minus signs");
        if (brackets)
            how.emplace_back("brackets for negative numbers");
        if (fortran)
            how.emplace_back("Fortran exponents");
        return listed_words(how);
    }
};

/// The cell with either decimal mark, if both are possible.
std::optional<TwoReadings> readings_of(std::string_view cell)
{
    const auto dressed = undressed(cell);
    const auto point   = dressed ? mantissa(*dressed, '.') : std::nullopt,
               comma   = dressed ? mantissa(*dressed, ',') : std::nullopt;
    if (!point || !comma)
        return {};
    return TwoReadings{std::string(cell), point->value, comma->value};
}

std::optional<StyledColumn> read_numbers_styled(const CsvTable& table, std::size_t first_record, std::size_t column,
                                                const CsvOptions& options)
{
    const bool decimal_comma = options.decimal_comma, stated = decimal_comma || options.decimal_point;
    StyledNumbers all;
    for (std::size_t record = first_record; record < table.n_records(); ++record) {
        if (record % 1000 == 0)
            stop_point();
        const std::string_view cell = table.cell(record, column);
        if (missing_mark(cell))
            continue;
        const auto dressed = undressed(cell);
        if (!dressed || !all.add(*dressed, record, parse_number(cell, decimal_comma) ? 0 : dressed->digits.size() + 1))
            return {};
    }
    if (!all.one_style())
        return {};

    Reading& own              = decimal_comma ? all.with_comma : all.with_point;
    Reading& other            = decimal_comma ? all.with_point : all.with_comma;
    const auto groups_by_mark = [](const Reading& reading) { return reading.group == ',' || reading.group == '.'; };
    std::optional<StyledColumn> out(std::in_place);
    out->example = all.example;
    if (own.possible && groups_by_mark(own) && other.possible && !own.sure() && options.separator != ',' && !stated) {
        out->readings = readings_of(table.cell(all.example, column));
        out->problem  = "an unambiguous number: set data.decimal_comma to true for "
                       + plain_text(out->readings->with_comma) + ", or data.decimal_point to true for "
                       + plain_text(out->readings->with_point);
        return out;
    }
    if (!own.possible && !(other.possible && groups_by_mark(other) && (other.both_marks || other.most_groups > 1)))
        return {};
    Reading& taken         = own.possible ? own : other;
    const char* other_mark = decimal_comma ? "decimal points" : "decimal commas";
    out->how               = all.words(taken.group, own.possible ? nullptr : other_mark);
    out->numbers           = std::move(taken.numbers);
    if (!out->how.empty())
        out->style = &taken == &all.with_comma ? CellStyle::comma : CellStyle::point;
    return out;
}

// Dates

/// Days since 1970-01-01 in the Gregorian calendar.
std::optional<double> days_of(int year, int month, int day)
{
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok() || year < 1000 || year > 9999)
        return {};
    return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
}

/// Removes a whole number of `least` to `most` digits from the front.
std::optional<int> number_front(std::string_view& text, std::size_t least, std::size_t most)
{
    std::size_t n = 0;
    while (n < text.size() && n < most && digit(text[n]))
        ++n;
    if (n < least)
        return {};
    int value = 0;
    std::from_chars(text.data(), text.data() + n, value);
    text.remove_prefix(n);
    return value;
}

/// Removes h:mm, h:mm:ss or h:mm:ss.sss and returns seconds; a zone Z or ±hh:mm is also removed.
std::optional<double> seconds_front(std::string_view& text, bool zone)
{
    const auto hour = number_front(text, 1, 2);
    if (!hour || *hour > 24 || !drop_front(text, ":"))
        return {};
    const auto minute = number_front(text, 2, 2);
    if (!minute || *minute > 59)
        return {};
    double seconds = 3600.0 * *hour + 60.0 * *minute;
    if (drop_front(text, ":")) {
        const auto second = number_front(text, 2, 2);
        if (!second || *second > 60)
            return {};
        seconds += *second;
        if (drop_front(text, ".") || drop_front(text, ",")) {
            double scale = 0.1;
            if (text.empty() || !digit(text.front()))
                return {};
            for (; !text.empty() && digit(text.front()); text.remove_prefix(1), scale /= 10)
                seconds += scale * (text.front() - '0');
        }
    }
    if (!zone || drop_front(text, "Z"))
        return seconds;
    const double sign = text.starts_with('+') ? 1 : text.starts_with('-') ? -1 : 0;
    if (sign == 0)
        return seconds;
    text.remove_prefix(1);
    const auto hours = number_front(text, 2, 2);
    drop_front(text, ":");
    const auto minutes = text.empty() ? std::optional(0) : number_front(text, 2, 2);
    if (!hours || !minutes)
        return {};
    return seconds - sign * (3600.0 * *hours + 60.0 * *minutes);
}

enum class DateOrder { year_month_day, day_month_year, month_day_year, time_of_day };
constexpr std::array date_orders = {DateOrder::year_month_day, DateOrder::day_month_year, DateOrder::month_day_year,
                                    DateOrder::time_of_day};

std::optional<double> date_in(std::string_view text, DateOrder order)
{
    if (order == DateOrder::time_of_day) {
        const auto seconds = seconds_front(text, false);
        return seconds && text.empty() ? std::optional(*seconds / 3600) : std::nullopt;
    }
    const bool year_first = order == DateOrder::year_month_day;
    const auto first      = number_front(text, year_first ? 4 : 1, year_first ? 4 : 2);
    if (!first || text.empty())
        return {};
    const char mark = text.front();
    if (std::string_view(year_first                           ? "-/."
                         : order == DateOrder::month_day_year ? "/-"
                                                              : "/-.")
            .find(mark)
        == std::string_view::npos)
        return {};
    const std::string_view between(&mark, 1);
    text.remove_prefix(1);
    const auto second = number_front(text, 1, 2);
    if (!second || !drop_front(text, between))
        return {};
    const auto third = number_front(text, year_first ? 1 : 4, year_first ? 2 : 4);
    if (!third)
        return {};
    const auto days = year_first                           ? days_of(*first, *second, *third)
                      : order == DateOrder::day_month_year ? days_of(*third, *second, *first)
                                                           : days_of(*third, *first, *second);
    if (!days || text.empty())
        return days;
    if (!drop_front(text, "T") && !drop_front(text, " "))
        return {};
    const auto seconds = seconds_front(text, true);
    return seconds && text.empty() ? std::optional(*days + *seconds / 86400) : std::nullopt;
}

std::optional<StyledColumn> read_dates(const CsvTable& table, std::size_t first_record, std::size_t column)
{
    std::array<bool, date_orders.size()> possible;
    possible.fill(true);
    std::array<std::vector<double>, date_orders.size()> numbers;
    StyledColumn out;
    bool any = false;
    for (std::size_t record = first_record; record < table.n_records(); ++record) {
        const std::string_view cell = table.cell(record, column);
        if (missing_mark(cell))
            continue;
        if (!any)
            any = true, out.example = record;
        for (std::size_t k = 0; k < date_orders.size(); ++k) {
            const auto value = possible[k] ? date_in(cell, date_orders[k]) : std::nullopt;
            possible[k]      = value.has_value();
            if (value)
                numbers[k].push_back(*value);
        }
        if (std::ranges::none_of(possible, [](bool one) { return one; }))
            return {};
    }
    const auto taken = static_cast<std::size_t>(std::ranges::find(possible, true) - possible.begin());
    if (numbers[taken].empty())
        return {};
    if (possible[1] && possible[2] && numbers[1] != numbers[2]) {
        out.problem = "an unambiguous date, such as 2024-03-31: the first number can be the day or the month";
        return out;
    }
    constexpr std::array styles = {CellStyle::year_month_day, CellStyle::day_month_year, CellStyle::month_day_year,
                                   CellStyle::time_of_day};   // as date_orders
    out.style                   = styles[taken];
    out.numbers                 = std::move(numbers[taken]);
    out.how = date_orders[taken] == DateOrder::time_of_day ? "hours of the day" : "days since 1970-01-01";
    return out;
}

}   // namespace

bool missing_mark(std::string_view cell)
{
    static const std::set<std::string_view> marks{
        "",     "?",    "NA",   "N/A", "n/a",  "na",  "-",   "--",      "---",     ".",      "null",   "NULL",
        "Null", "None", "#N/A", "#NA", "<NA>", "NaT", "nil", "missing", "#VALUE!", "\u2013", "\u2014", "#DIV/0!"};
    return marks.contains(cell);
}

PointsOfColumn points_of(const CsvTable& table, std::size_t first_record, std::size_t column)
{
    constexpr std::size_t longest = std::string_view("-123").size();   // without a separator
    std::optional<TwoReadings> example;
    bool unseparated = false;   // 12345 would be 12.345
    for (std::size_t record = first_record; record < table.n_records(); ++record) {
        const std::string_view cell = table.cell(record, column);
        if (cell.find('.') == cell.npos) {
            unseparated |= cell.size() > longest;
            continue;
        }
        auto readings = unseparated ? std::nullopt : readings_of(cell);
        if (!readings)
            return {.decimal = true, .example = {}};
        if (!example)
            example = std::move(readings);
    }
    if (unseparated && example)
        return {.decimal = true, .example = {}};
    return {.decimal = false, .example = std::move(example)};
}

std::optional<StyledColumn> read_styled(const CsvTable& table, std::size_t first_record, std::size_t column,
                                        const CsvOptions& options)
{
    if (auto numbers = read_numbers_styled(table, first_record, column, options))
        return numbers;
    return read_dates(table, first_record, column);
}

std::optional<double> styled_number(std::string_view cell)
{
    if (const auto plain = parse_number(cell, false))
        return plain;
    if (const auto dressed = undressed(cell)) {
        const auto point = mantissa(*dressed, '.'), comma = mantissa(*dressed, ',');
        const bool sure = point && (!comma || comma->value == point->value);
        return sure ? std::optional(point->value) : std::nullopt;
    }
    std::optional<double> found;
    for (const DateOrder order : date_orders)
        if (const auto value = date_in(cell, order)) {
            if (found && *found != *value)
                return {};
            found = value;
        }
    return found;
}

std::optional<double> number_in_style(std::string_view cell, CellStyle style, bool decimal_comma)
{
    const auto finite = [](std::optional<double> value) {
        return value && std::isfinite(static_cast<float>(*value)) ? value : std::nullopt;
    };
    switch (style) {
    case CellStyle::year_month_day: return date_in(cell, DateOrder::year_month_day);
    case CellStyle::day_month_year: return date_in(cell, DateOrder::day_month_year);
    case CellStyle::month_day_year: return date_in(cell, DateOrder::month_day_year);
    case CellStyle::time_of_day: return date_in(cell, DateOrder::time_of_day);
    case CellStyle::plain:
        if (const auto plain = parse_number(cell, decimal_comma))
            return finite(plain);
        [[fallthrough]];
    default: {
        const auto dressed = undressed(cell);
        const bool comma   = style == CellStyle::comma || (style == CellStyle::plain && decimal_comma);
        const auto read    = dressed ? mantissa(*dressed, comma ? ',' : '.') : std::nullopt;
        return finite(read ? std::optional(read->value) : std::nullopt);
    }
    }
}

bool looks_like_number(std::string_view cell, bool decimal_comma)
{
    if (parse_number(cell, decimal_comma))
        return true;
    if (const auto dressed = undressed(cell); dressed && (mantissa(*dressed, '.') || mantissa(*dressed, ',')))
        return true;
    return std::ranges::any_of(date_orders, [&](DateOrder order) { return date_in(cell, order).has_value(); });
}

}   // namespace credence
