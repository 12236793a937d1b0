// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QSpinBox;
class QString;
class QWidget;

/// Creates the box for the maximum length of an uncertainty-aware top-k list; 0, shown as "≤ all",
/// means no limit. @param name  of the widget
QSpinBox* longestListBox(const QString& name, int longest, QWidget* parent);
