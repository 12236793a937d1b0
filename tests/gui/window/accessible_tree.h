// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QWidget;

/// The accessible objects of a window.
struct AccessibleTree {
    int controls = 0;
    QStringList nameless;   ///< each by its role, class and object name, and those of what it is in
};

/// Visits every object of a window that can be operated or read, including hidden pages and menu entries. The parts of a list, a table or a box
/// belong to it; parts that Qt creates itself (dock buttons, scroll bars) are left out.
AccessibleTree accessibleTree(QWidget& window);
