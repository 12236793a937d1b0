// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

/// A flat button whose tooltip is also its accessible name.
inline QToolButton* toolButton(const QString& name, const QString& tip, QWidget* parent)
{
    auto* made = new QToolButton(parent);
    made->setObjectName(name);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    made->setAutoRaise(true);
    return made;
}
