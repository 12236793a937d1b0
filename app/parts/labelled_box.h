// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractSpinBox;
class QSpinBox;
class QWidget;

/// Sets a control's object name (for tests), accessible name and tooltip.
void describeControl(QWidget* control, const QString& name, const QString& label, const QString& tip);
/// The same for a number box, which commits after typing, not at each digit.
void describeBox(QAbstractSpinBox* box, const QString& name, const QString& label, const QString& tip);
/// A number box for integers from `low` to `high`.
QSpinBox* countBox(const QString& name, const QString& label, const QString& tip, int value, int low, int high,
                   QWidget* parent);
/// A label followed by a control, as one widget for a FlowLayout.
QWidget* labelled(const QString& label, QWidget* control, QWidget* parent);
