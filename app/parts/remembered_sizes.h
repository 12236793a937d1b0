// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QHeaderView;
class QSplitter;
class QWidget;
namespace credence {
class ColumnWidths;
}

/// Sizes that the user has given to parts of the window by dragging, kept for the next start in the state file: by
/// name, below "layout/" as the arrangement of the window. What the user has not changed follows the content.

/// Restores the widths now, and stores each change.
/// @param name  of the table; called again with another name, it shows another table from now on
void rememberColumns(credence::ColumnWidths& widths, const QString& name);
/// The same for a table without such widths. It calls `apply` of the result after it has fitted its columns.
credence::ColumnWidths* rememberColumns(QHeaderView* header, const QString& name);

/// Restores the sizes of all splitters in a part of the window, and stores each change.
/// @param name  of the part
void rememberSplitters(QWidget& part, const QString& name);
