// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_palette.h"

#include <QFont>
#include <QSizeF>
#include <QStringList>

class QPainter;
class QRectF;

namespace credence {

/// Formats a cell for display: with its column's decimals, else as the shortest readable number;
/// missing numbers are a dash.
QString cellText(const Cell& cell, const Column& column);
/// "Error / %"
QString columnTitle(const Column& column);

/// Numeric columns are right-aligned.
bool isNumeric(const Table& table, std::size_t column);

/// The head of a column: two lines if its title is wider than its cells.
QStringList headText(const Table& table, std::size_t column);

/// The size of a table in this font.
QSizeF tableSize(const Table& table, const QFont& font);
/// Draws a table with rules above, below the head and below the rows, numbers right-aligned; scaled
/// down to fit the width.
/// @param firstRow  first row to draw
/// @return          the first row that did not fit; the number of rows if all did
std::size_t paintTable(QPainter& painter, const QRectF& place, const Table& table, const QFont& font,
                       const ChartPalette& palette, std::size_t firstRow = 0);

}   // namespace credence
