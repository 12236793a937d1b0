// SPDX-License-Identifier: GPL-3.0-or-later
#include "imports/column_lines.h"

#include "work/text.h"

#include "foundation/number_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

using namespace credence;

namespace {

QString lineText(const char* text) { return QCoreApplication::translate("ColumnLine", text); }

constexpr std::size_t mostCodes = 20;   ///< different numbers that may be categories

/// Do the numbers count the rows from 0 or 1?
bool numbersRows(const ColumnSummary& summary, std::size_t rows)
{
    const auto each = [&](std::size_t n) { return n <= rows / ColumnSummary::bins + 1; };
    return rows > mostCodes && summary.whole && summary.distinct > mostCodes && summary.lowest >= 0
           && summary.lowest <= 1 && summary.highest - summary.lowest + 1 == static_cast<double>(rows)
           && std::ranges::all_of(summary.counts, each);
}

ColumnLine numberLine(const ColumnSummary& summary, std::size_t rows)
{
    if (numbersRows(summary, rows))
        return {.kind = lineText("index"), .reason = lineText("numbers the rows"), .unit = {}, .useful = false};
    if (summary.distinct == 1)
        return {.kind   = lineText("constant"),
                .reason = lineText("the same number in every row"),
                .unit   = {},
                .useful = false};
    const QString range = rangeText(summary);
    if (summary.distinct > mostCodes)
        return {.kind = lineText("number"), .reason = range, .unit = {}};
    const QString few = summary.whole ? lineText("%1 different whole numbers, %2")
                                      : lineText("%1 different numbers, %2");
    return {.kind         = lineText("number"),
            .reason       = few.arg(summary.distinct).arg(range),
            .unit         = {},
            .mayBeClasses = summary.whole};
}

ColumnLine wordLine(const CsvColumn& column, std::size_t rows)
{
    constexpr std::size_t fewest = 10;
    const auto n                 = column.values.size();
    if (rows >= fewest && 2 * n > rows)
        return {.kind   = lineText("text"),
                .reason = lineText("%1 values in %2 rows; most occur once").arg(n).arg(rows),
                .unit   = {},
                .useful = false};
    if (n == 1)
        return {.kind   = lineText("constant"),
                .reason = lineText("“%1” in every row").arg(toQString(column.values[0])),
                .unit   = {},
                .useful = false};
    QStringList first;
    constexpr std::size_t shown = 3;
    for (std::size_t k = 0; k < std::min(n, shown); ++k)
        first += toQString(column.values[k]);
    if (n > shown)
        first += QStringLiteral("…");
    return {.kind   = lineText("category"),
            .reason = lineText("%1 values: %2").arg(n).arg(first.join(QStringLiteral(", "))),
            .unit   = {}};
}

}   // namespace

QString rangeText(const ColumnSummary& summary)
{
    const auto text = [](double value) { return toQString(plain_text(rounded_number(value, 4))); };
    return lineText("%1 to %2").arg(text(summary.lowest), text(summary.highest));
}

QString unitOf(const QString& name)
{
    static const QRegularExpression brackets(QStringLiteral(R"([\[(]([^\[\]()]{1,20})[\])]\s*$)"));
    const QString unit = brackets.match(name).captured(1).trimmed();
    bool number        = false;
    unit.toDouble(&number);
    return number ? QString() : unit;   // “x (2)” is the second of two columns
}

std::vector<ColumnLine> columnLines(const CsvPreview& preview)
{
    std::vector<ColumnLine> lines;
    for (const auto& column : preview.columns) {
        const auto& summary = column.summary;
        ColumnLine line;
        if (summary.missing == preview.n_rows)
            line = {.kind = lineText("empty"), .reason = lineText("no row has a value"), .unit = {}, .useful = false};
        else if (!column.problem.empty())
            line = {.kind = lineText("unreadable"), .reason = toQString(column.problem), .unit = {}};
        else
            line = column.categorical ? wordLine(column, preview.n_rows) : numberLine(summary, preview.n_rows);
        line.unit = unitOf(toQString(column.name));
        lines.push_back(std::move(line));
    }
    return lines;
}
