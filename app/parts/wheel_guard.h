// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// The mouse wheel changes a combo box, number box or slider only while it has the keyboard focus.
/// Otherwise it scrolls the enclosing area and does not change the focus. One event filter for the
/// whole program.
class WheelGuard : public QObject {
    Q_OBJECT
public:
    static void install();   ///< once for the application; further calls do nothing

private:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override;
};
