// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractSpinBox;
class QSpinBox;
class QWidget;

/// Gives a control the name that tests find it by, the one that screen readers say, and its tooltip.
void describeControl(QWidget* control, const QString& name, const QString& label, const QString& tip);
/// The same of a box of numbers, which counts when it is typed, not at each digit.
void describeBox(QAbstractSpinBox* box, const QString& name, const QString& label, const QString& tip);
/// Such a box of whole numbers from `low` to `high`.
QSpinBox* countBox(const QString& name, const QString& label, const QString& tip, int value, int low, int high,
                   QWidget* parent);
/// A control behind its label, as one widget for a FlowLayout.
QWidget* labelled(const QString& label, QWidget* control, QWidget* parent);
