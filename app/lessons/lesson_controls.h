// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QString>
#include <QWidget>

#include <optional>

class QAction;

/// Location of a visible part of the window: a part of a widget.
struct LessonPlace {
    QWidget* widget = nullptr;
    QRect part{};   ///< in coordinates of the widget
};

// The controls of the window by object name, as used in lessons; each acts like a user. Errors are
// returned as a clause without capital letter and full stop, since file and line are put before it;
// empty: done.

/// The widget with this name, preferring visible ones; a view is also found by its id, and
/// "page:name" selects the one within another if several pages have one. Null: none.
QWidget* lessonControl(const QWidget& window, const QString& name);
/// The action of a menu or the toolbar with this name; null: none.
QAction* lessonAction(const QWidget& window, const QString& name);
/// Where the control is visible: a toolbar action at its button, a menu action at the menu. Empty:
/// no such control, or it is not visible.
std::optional<LessonPlace> lessonPlace(const QWidget& window, const QString& name);

QString pressControl(const QWidget& window, const QString& name);
QString chooseInControl(const QWidget& window, const QString& name, const QString& text);
QString setControl(const QWidget& window, const QString& name, const QString& text);
/// The value of the control: a number with a decimal point, a text, "on" or "off". Empty: no such
/// control, or it has no value.
std::optional<QString> controlText(const QWidget& window, const QString& name);
