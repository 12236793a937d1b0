// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/wait_until.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPointer>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>
#include <QWindow>
#include <QtTest/qtestspontaneevent.h>
#include <gtest/gtest.h>

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

/// A point of the heading of a table by which this column is made wider or narrower.
inline QPoint edgeOf(const QHeaderView& header, int column)
{
    return {header.sectionViewportPosition(column) + header.sectionSize(column) - 1, header.height() / 2};
}

/// Drags the right edge of the heading of a column.
inline void dragEdge(QHeaderView& header, int column, int pixels)
{
    auto* place       = header.viewport();
    const QPoint from = edgeOf(header, column), to = from + QPoint(pixels, 0);
    QTest::mousePress(place, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, place->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(place, &move);
    QTest::mouseRelease(place, Qt::LeftButton, {}, to);
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

/// Opens the list of a combo box, moves to an item and presses Enter, all by keys. In a list with a search field, the
/// item is searched by its data first.
inline void chooseByKeys(QComboBox& box, int index)
{
    const QVariant wanted = box.itemData(index);
    box.setFocus();
    QTest::keyClick(&box, Qt::Key_Down, Qt::AltModifier);
    ASSERT_TRUE(waitUntil([] { return QApplication::activePopupWidget() != nullptr; })) << "the list does not open";
    const QPointer<QWidget> popup = QApplication::activePopupWidget();
    auto* list                    = popup->findChild<QAbstractItemView*>();
    auto* search                  = popup->findChild<QLineEdit*>();
    ASSERT_NE(list, nullptr);
    if (search)
        QTest::keyClicks(search, wanted.toString());
    QWidget& keys      = search ? static_cast<QWidget&>(*search) : *list;
    const auto reached = [&] {
        const auto current = list->currentIndex();
        return search ? current.data(Qt::UserRole) == wanted : current.row() == index;
    };
    for (int k = list->model()->rowCount(); k > 0 && !reached(); --k)
        QTest::keyClick(&keys, search || list->currentIndex().row() < index ? Qt::Key_Down : Qt::Key_Up);
    ASSERT_TRUE(reached()) << box.itemText(index).toStdString() << " cannot be reached by keys";
    QTest::keyClick(&keys, Qt::Key_Return);
    EXPECT_TRUE(waitUntil([&] { return !popup || !popup->isVisible(); })) << "the list stays open";
}
