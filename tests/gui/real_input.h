// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>
#include <QWindow>
#include <QtTest/qtestspontaneevent.h>

#include <vector>

/// One notch of the mouse wheel over the middle of a widget, as the desktop reports it: Qt looks
/// for the widget itself, offers the event to its parents and gives focus.
inline void turnWheel(QWidget& over, int notches)
{
    const QPointF at     = over.rect().center();
    const QPointF global = over.mapToGlobal(at);
    QWheelEvent event(at, global, {}, {0, 120 * notches}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&event);
    qApp->notify(&over, &event);   // sendEvent would make it one of the program
}

/// Everything in `part` that a wheel could change: combo boxes, spin boxes, sliders.
inline std::vector<QWidget*> wheelInputs(const QWidget& part)
{
    std::vector<QWidget*> found;
    for (auto* each : part.findChildren<QWidget*>())
        if (!qobject_cast<QScrollBar*>(each)
            && (qobject_cast<QComboBox*>(each) || qobject_cast<QAbstractSpinBox*>(each)
                || qobject_cast<QAbstractSlider*>(each)))
            found.push_back(each);
    return found;
}

inline QString contentOf(const QWidget& input)
{
    if (const auto* box = qobject_cast<const QComboBox*>(&input))
        return QString::number(box->currentIndex()) + box->currentText();
    if (const auto* slider = qobject_cast<const QAbstractSlider*>(&input))
        return QString::number(slider->value());
    return static_cast<const QAbstractSpinBox&>(input).text();
}

/// Opens the list of a combo box with a click and moves to an item by keyboard, like a user.
inline void chooseByKeys(QComboBox& box, int index)
{
    box.setFocus();
    QTest::keyClick(&box, Qt::Key_Down, Qt::AltModifier);
    auto* list = box.view();
    QTest::keyClick(list, Qt::Key_Home);
    for (int i = 0; i < index; ++i)
        QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Return);
}
