// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/longest_list.h"

#include <QObject>
#include <QSpinBox>

QSpinBox* longestListBox(const QString& name, int longest, QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    box->setObjectName(name);
    box->setRange(0, 1000);
    box->setPrefix(QStringLiteral("≤ "));
    box->setSpecialValueText(QObject::tr("≤ all"));
    box->setValue(longest);
    box->setAccessibleName(QObject::tr("Maximum list length"));
    box->setToolTip(QObject::tr(
        "Set the maximum number of classes in an uncertainty-aware top-k list, which always has at least one. All: "
        "no limit. 10 in Hobbhahn 2020, appendix D"));
    return box;
}
