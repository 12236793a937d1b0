// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

class QMenuBar;
class QWidget;

/// One key, or several with the same effect.
struct KeyLine {
    QString place;   ///< the menu, or what has the focus
    QString keys, what;
};

/// All keys of the menus, and those specific to charts, fields and pages.
std::vector<KeyLine> keyLines(const QMenuBar& bar);
/// The keys as a table. @param filter  words that a line must contain; empty: all lines
QString keysAsHtml(const std::vector<KeyLine>& lines, const QString& filter = {});
/// Property of menus and actions whose keys also work in tool windows: those that change no Study,
/// run or file.
inline constexpr const char* keysEverywhere = "keysEverywhere";
/// Adds the keys that work everywhere to a tool window, except those it uses itself.
void shareKeys(const QMenuBar& bar, QWidget* tool);
