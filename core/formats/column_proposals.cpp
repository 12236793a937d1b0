// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/column_proposals.h"

#include "formats/csv_columns.h"
#include "foundation/number_text.h"
#include "foundation/text.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace credence {
namespace {

using Kind = ColumnProposal::Kind;

std::string day_text(double days)
{
    const std::chrono::year_month_day date{
        std::chrono::sys_days(std::chrono::days(static_cast<long>(std::floor(days))))};
    const auto two = [](unsigned number) { return (number < 10 ? "-0" : "-") + std::to_string(number); };
    return std::to_string(int(date.year())) + two(unsigned(date.month())) + two(unsigned(date.day()));
}

ColumnProposal of_numbers(const CsvColumn& column)
{
    const ColumnSummary& summary = column.summary;
    if (column.numbers_rows)
        return {.name = column.name, .kind = Kind::index, .reason = "numbers the rows", .use = false};
    if (summary.distinct == 1)
        return {.name = column.name, .kind = Kind::constant, .reason = "the same in every row", .use = false};
    const std::string range = range_text(summary, column.kind);
    if (column.kind == ColumnKind::date)
        return {.name = column.name, .kind = Kind::date, .reason = range + ", as days since 1970-01-01"};
    if (column.kind == ColumnKind::time)
        return {.name = column.name, .kind = Kind::time, .reason = range + " hours of the day"};
    if (column.leading_zeros)
        return {.name         = column.name,
                .kind         = Kind::number,
                .reason       = range + ", written with leading zeros: codes?",
                .may_be_codes = true};
    if (summary.distinct > max_numbers_as_codes)
        return {.name = column.name, .kind = Kind::number, .reason = range};
    return {.name   = column.name,
            .kind   = Kind::number,
            .reason = std::to_string(summary.distinct)
                      + (summary.whole ? " different whole numbers, " : " different numbers, ") + range,
            .may_be_codes = summary.whole};
}

ColumnProposal of_words(const CsvColumn& column, std::size_t rows)
{
    constexpr std::size_t fewest_rows = 10, shown = 3;
    const std::size_t n = column.values.size();
    if (column.kind == ColumnKind::ordered)
        return {.name   = column.name,
                .kind   = Kind::ordered,
                .reason = column.values.front() + " to " + column.values.back()};
    if (n == 1)
        return {.name   = column.name,
                .kind   = Kind::constant,
                .reason = quoted_text(column.values[0]) + " in every row",
                .use    = false};
    if (rows >= fewest_rows && 2 * n > rows)
        return {.name   = column.name,
                .kind   = Kind::text,
                .reason = std::to_string(n) + " different values in " + std::to_string(rows)
                          + " rows; most occur only once, so nothing can be learned from them",
                .use = false};
    std::string first;
    for (std::size_t k = 0; k < std::min(n, shown); ++k)
        first += (k > 0 ? ", " : "") + one_line(column.values[k], 30);
    return {.name   = column.name,
            .kind   = Kind::category,
            .reason = std::to_string(n) + " values: " + first + (n > shown ? ", …" : "")};
}

}   // namespace

std::string_view name_of(Kind kind)
{
    switch (kind) {
    case Kind::target: return "target";
    case Kind::number: return "number";
    case Kind::date: return "date";
    case Kind::time: return "time";
    case Kind::category: return "category";
    case Kind::ordered: return "ordered";
    case Kind::index: return "index";
    case Kind::text: return "text";
    case Kind::constant: return "constant";
    case Kind::empty: return "empty";
    default: return "unreadable";
    }
}

std::string range_text(const ColumnSummary& summary, ColumnKind kind)
{
    const double low = summary.lowest, high = summary.highest;
    if (kind == ColumnKind::date)
        return day_text(low) + " to " + day_text(high);
    const auto text = [&](int digits) {
        return std::pair(plain_text(rounded_number(low, digits)), plain_text(rounded_number(high, digits)));
    };
    constexpr int usual = 4, all = 17;
    int digits = usual;   // more for a small range with a large offset, so that its ends do not look equal
    while (digits < all && low < high && text(digits).first == text(digits).second)
        ++digits;
    const auto [first, last] = text(digits == usual ? usual : std::min(digits + 2, all));
    return first + " to " + last;
}

ColumnProposal describe_column(const CsvColumn& column, std::size_t rows)
{
    if (column.summary.missing == rows)
        return {.name = column.name, .kind = Kind::empty, .reason = "no row has a value", .use = false};
    if (column.fault == ColumnFault::too_many_values)
        return {.name   = column.name,
                .kind   = Kind::text,
                .reason = "more than " + std::to_string(max_values) + " different values",
                .use    = false};
    if (const auto missing = column.summary.missing; missing > 0 && column.fault == ColumnFault::empty_cell)
        return {.name   = column.name,
                .kind   = Kind::number,
                .reason = std::to_string(missing) + (missing == 1 ? " cell is empty" : " cells are empty")
                          + ": drop these rows or impute (data.missing)"};
    if (!column.problem.empty())
        return {.name = column.name, .kind = Kind::unreadable, .reason = column.problem};
    return column.categorical ? of_words(column, rows) : of_numbers(column);
}

std::vector<ColumnProposal> propose_columns(const CsvPreview& preview)
{
    std::vector<ColumnProposal> proposals;
    for (std::size_t c = 0; c < preview.columns.size(); ++c) {
        const CsvColumn& column = preview.columns[c];
        ColumnProposal proposal = describe_column(column, preview.n_rows);
        if (std::ranges::find(preview.targets, c) != preview.targets.end()) {
            const bool classes = preview.resolved.task == Task::classification;
            proposal           = {.name = column.name, .kind = Kind::target, .use = false};
            proposal.reason    = !column.problem.empty() ? column.problem
                                 : classes               ? std::to_string(column.values.size())
                                              + (column.values.size() == 1 ? " class" : " classes")
                                           : "a quantity, " + range_text(column.summary, column.kind);
        }
        proposals.push_back(std::move(proposal));
    }
    return proposals;
}

}   // namespace credence
