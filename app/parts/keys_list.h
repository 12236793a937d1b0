// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

class QMenuBar;
class QWidget;

/// A key, or several that do the same.
struct KeyLine {
    QString place;   ///< the menu, or what has the focus
    QString keys, what;
};

/// All keys of the menus, and those that pictures, fields and pages have for themselves.
std::vector<KeyLine> keyLines(const QMenuBar& bar);
/// They as a table. @param filter  words that a line must have, all of them; empty: all lines
QString keysAsHtml(const std::vector<KeyLine>& lines, const QString& filter = {});
/// Property of a menu or an action whose keys act in tool windows as well: those that change no Study, no run and no file.
inline constexpr const char* keysEverywhere = "keysEverywhere";
/// Gives the window of a tool the keys that act everywhere, except for those that it has for itself.
void shareKeys(const QMenuBar& bar, QWidget* tool);
