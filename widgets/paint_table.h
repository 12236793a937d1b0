// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_palette.h"

#include <QFont>
#include <QSizeF>
#include <QStringList>

class QPainter;
class QRectF;

namespace credence {

/// A cell as it is read on screen: decimals of its column, else the shortest that reads well; missing numbers are a dash.
QString cellText(const Cell& cell, const Column& column);
/// "Error / %"
QString columnTitle(const Column& column);

/// Columns with numbers are written to the right.
bool isNumeric(const Table& table, std::size_t column);

/// The head of a column: in two lines where its title is longer than what stands below.
QStringList headText(const Table& table, std::size_t column);

/// The room that a table takes at this font.
QSizeF tableSize(const Table& table, const QFont& font);
/// Draws a table with rules above, below the head and below, numbers to the right; smaller where it would not fit the width.
/// @param firstRow  where to begin
/// @return          the first row that found no room; the number of rows if all did
std::size_t paintTable(QPainter& painter, const QRectF& place, const Table& table, const QFont& font,
                       const ChartPalette& palette, std::size_t firstRow = 0);

}   // namespace credence
