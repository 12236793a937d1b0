// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QMenuBar;
class QWidget;

/// All keys of the menus as a table, and those that pictures and fields have for themselves.
QString keysAsHtml(const QMenuBar& bar);
/// The keys of the menus act in the window of a tool, too, but for those that it has for itself.
void shareKeys(const QMenuBar& bar, QWidget* tool);
