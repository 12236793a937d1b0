// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/labelled_box.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>

void describeControl(QWidget* control, const QString& name, const QString& label, const QString& tip)
{
    control->setObjectName(name);
    control->setAccessibleName(label);
    control->setToolTip(tip);
}

void describeBox(QAbstractSpinBox* box, const QString& name, const QString& label, const QString& tip)
{
    describeControl(box, name, label, tip);
    box->setKeyboardTracking(false);
}

QSpinBox* countBox(const QString& name, const QString& label, const QString& tip, int value, int low, int high,
                   QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    describeBox(box, name, label, tip);
    box->setRange(low, high);
    box->setValue(value);
    return box;
}

QWidget* labelled(const QString& label, QWidget* control, QWidget* parent)
{
    auto* pair = new QWidget(parent);
    auto* row  = new QHBoxLayout(pair);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(3);
    auto* words = new QLabel(label, pair);
    words->setBuddy(control);
    row->addWidget(words);
    row->addWidget(control);
    return pair;
}
