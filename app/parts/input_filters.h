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

class QCoreApplication;

/// Reads and writes numbers with a decimal point in any desktop language, in Qt and in the C
/// library, which Qt switches to the desktop's locale. A comma typed into a decimal box, as on many
/// number pads, becomes a point. Call it once the application exists.
void useDecimalPoints(QCoreApplication& application);
