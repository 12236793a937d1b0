// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QString>
#include <QWidget>

#include <optional>

class QAction;

/// Where something of the window is seen: a part of a widget.
struct LessonPlace {
    QWidget* widget = nullptr;
    QRect part{};   ///< in its coordinates
};

// The controls of the window by their object names, as lessons call them: each does what a user's hand would do. What cannot be done is returned as a sentence
// that begins with a small letter and has no point, since file and line are said before it; empty: it was done.

/// The widget with this name, one that can be seen before one that cannot; a view goes by its id, too, and "page:name" is the
/// one within another, where several pages have one of this name. Null: there is none.
QWidget* lessonControl(const QWidget& window, const QString& name);
/// The action of a menu or the toolbar with this name; null: there is none.
QAction* lessonAction(const QWidget& window, const QString& name);
/// Where the control is seen: an action of the toolbar by its button, one of a menu by the menu. Empty: there is no such control, or it has no place.
std::optional<LessonPlace> lessonPlace(const QWidget& window, const QString& name);

QString pressControl(const QWidget& window, const QString& name);
QString chooseInControl(const QWidget& window, const QString& name, const QString& text);
QString setControl(const QWidget& window, const QString& name, const QString& text);
/// What the control is set to or says: a number with a decimal point, a text, "on" or "off". Empty: there is none, or it has no such thing.
std::optional<QString> controlText(const QWidget& window, const QString& name);
