// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint_table.h"

#include "foundation/number_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

constexpr double columnGap = 14;
constexpr double rowGap    = 4;

bool isNumber(const Cell& cell) { return !std::holds_alternative<std::string>(cell); }

QFont headFont(QFont font)
{
    font.setBold(true);
    return font;
}

int headLines(const Table& table)
{
    qsizetype lines = 1;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        lines = std::max(lines, headText(table, c).size());
    return static_cast<int>(lines);
}

std::vector<double> columnWidths(const Table& table, const QFont& font)
{
    const QFontMetricsF metrics(font), head(headFont(font));
    std::vector<double> widths;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        double width = 0;
        for (const QString& line : headText(table, c))
            width = std::max(width, head.horizontalAdvance(line));
        for (const auto& row : table.rows)
            if (c < row.size())
                width = std::max(width, metrics.horizontalAdvance(cellText(row[c], table.columns[c])));
        widths.push_back(std::ceil(width) + 1);
    }
    return widths;
}

double total(const std::vector<double>& widths)
{
    double sum = 0;
    for (const double width : widths)
        sum += width + columnGap;
    return sum;
}

}   // namespace

QString cellText(const Cell& cell, const Column& column)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return QString::fromStdString(*text);
    if (const auto* whole = std::get_if<long>(&cell))
        return QString::number(*whole);
    const double value = std::get<double>(cell);
    if (std::isnan(value))
        return QStringLiteral("–");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    QString text = column.decimals >= 0 ? QString::number(value, 'f', column.decimals)
                                        : QString::fromStdString(display_text(value, 4));
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

bool isNumeric(const Table& table, std::size_t column)
{
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [column](const auto& row) { return column < row.size() && isNumber(row[column]); });
}

QString columnTitle(const Column& column)
{
    const QString name = QString::fromStdString(column.name);
    return column.unit.empty() ? name : QStringLiteral("%1 / %2").arg(name, QString::fromStdString(column.unit));
}

QStringList headText(const Table& table, std::size_t column)
{
    const QString title = columnTitle(table.columns[column]);
    qsizetype longest   = 12;   // characters; shorter titles stay in one line
    for (const auto& row : table.rows)
        if (column < row.size())
            longest = std::max(longest, cellText(row[column], table.columns[column]).size());
    if (title.size() <= longest + 2)
        return {title};
    qsizetype cut = -1;   // the blank nearest to the middle, but not between a sign and its unit
    for (qsizetype k = 0; k < title.size(); ++k)
        if (title[k] == QLatin1Char(' ') && !title.left(k).endsWith(QLatin1Char('/'))
            && (cut < 0 || std::abs(2 * k - title.size()) < std::abs(2 * cut - title.size())))
            cut = k;
    return cut < 0 ? QStringList{title} : QStringList{title.left(cut), title.mid(cut + 1)};
}

QSizeF tableSize(const Table& table, const QFont& font)
{
    const double line = QFontMetricsF(font).height();
    const double head = line * headLines(table) + rowGap;
    return {total(columnWidths(table, font)),
            head + (line + rowGap) * static_cast<double>(table.rows.size()) + 2 * rowGap};
}

std::size_t paintTable(QPainter& painter, const QRectF& place, const Table& table, const QFont& font,
                       const ChartPalette& palette, std::size_t firstRow)
{
    const auto widths      = columnWidths(table, font);
    const double natural   = total(widths);
    const double shrink    = std::min(1.0, place.width() / natural);
    const double rowHeight = QFontMetricsF(font).height() + rowGap;
    const int lines        = headLines(table);
    const QFontMetricsF metrics(font), head(headFont(font));

    painter.save();
    painter.translate(place.left() + std::max(0.0, (place.width() - natural * shrink) / 2), place.top());
    painter.scale(shrink, shrink);
    double y        = 0;
    const auto rule = [&](double width) {
        painter.setPen(QPen(palette.text, width));
        painter.drawLine(QLineF(0, y, natural, y));
    };
    const auto write = [&](std::size_t column, double x, const QString& text, const QFontMetricsF& m) {
        const bool right = isNumeric(table, column);
        painter.drawText(QRectF(x, y, widths[column], rowHeight),
                         static_cast<int>(Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft)),
                         m.elidedText(text, Qt::ElideRight, widths[column] + 1));
    };
    rule(1.2);
    painter.setFont(headFont(font));
    double x = columnGap / 2;
    for (std::size_t c = 0; c < table.columns.size(); ++c, x += widths[c - 1] + columnGap) {
        const QStringList text = headText(table, c);   // aligned with the rule below
        for (qsizetype k = 0; k < text.size(); ++k) {
            y = metrics.height() * static_cast<double>(lines - text.size() + k);
            write(c, x, text[k], head);
        }
    }
    y = metrics.height() * lines + rowGap;
    rule(0.7);
    painter.setFont(font);
    std::size_t row = firstRow;
    for (; row < table.rows.size() && (y + rowHeight) * shrink <= place.height() + 0.5; ++row) {
        painter.setPen(palette.text);
        x = columnGap / 2;
        for (std::size_t c = 0; c < table.columns.size(); ++c, x += widths[c - 1] + columnGap)
            if (c < table.rows[row].size())
                write(c, x, cellText(table.rows[row][c], table.columns[c]), metrics);
        y += rowHeight;
    }
    rule(1.2);
    painter.restore();
    return row;
}

}   // namespace credence
