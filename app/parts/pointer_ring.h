// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QWidget>

/// A ring around the pointer in all windows of the program, for audiences. It ignores clicks and
/// becomes a disc while a button is pressed.
class PointerRing : public QObject {
    Q_OBJECT
public:
    explicit PointerRing(QObject* parent);
    void setOn(bool on);

private:
    void follow();

    QTimer m_clock;
    QPointer<QWidget> m_ring;   // a part of the window that it is in, and gone with it
};
