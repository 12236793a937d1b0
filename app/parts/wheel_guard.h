// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// The mouse wheel changes a choice box, a number box or a slider only while it has the keyboard focus. Otherwise the wheel scrolls the area around it, and turning it gives
/// no focus. One event filter for all inputs of the program.
class WheelGuard : public QObject {
    Q_OBJECT
public:
    static void install();   ///< once for the application; further calls do nothing

private:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override;
};
