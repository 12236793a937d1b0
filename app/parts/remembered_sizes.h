// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QHeaderView;
class QSplitter;
class QWidget;
namespace credence {
class ColumnWidths;
}

// Sizes that the user has given to parts of the window by dragging. They are saved by name in the
// state file, below "layout/", and restored at the next start. All other sizes follow the content.

/// Restores the widths, and saves each change.
/// @param name  of the table; call it again with another name when the object shows another table
void rememberColumns(credence::ColumnWidths& widths, const QString& name);
/// Adds saved widths to a table without ColumnWidths. The table must call `apply` of the result
/// after it has fitted its columns.
credence::ColumnWidths* rememberColumns(QHeaderView* header, const QString& name);

/// Restores the sizes of one splitter, and saves each change.
/// @param name  of the splitter; call it again with another name when it shows other parts
/// @return      false: there are no saved sizes
bool rememberSplitter(QSplitter& splitter, const QString& name);
/// Restores the sizes of all splitters in a part of the window, and saves each change.
/// @param name  of the part
void rememberSplitters(QWidget& part, const QString& name);
