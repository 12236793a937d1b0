// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QSpinBox;
class QString;
class QWidget;

/// Makes the box for the most classes that a list of the uncertainty-aware top-k may have; 0, shown as "≤ all", is no limit. @param name  of the widget
QSpinBox* longestListBox(const QString& name, int longest, QWidget* parent);
