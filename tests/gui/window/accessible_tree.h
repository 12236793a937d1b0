// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QWidget;

/// What assistive technology meets in a window.
struct AccessibleTree {
    int controls = 0;
    QStringList nameless;   ///< each by its role, class and object name, and those of what it is in
};

/// Goes through everything in a window that can be operated or read as one thing, hidden pages too, and the lines of its menus. What a list, a table or a box is made
/// of belongs to it; parts that Qt makes itself (buttons of docks, scroll bars) are left out.
AccessibleTree accessibleTree(QWidget& window);
