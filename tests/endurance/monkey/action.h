// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QString>
#include <QWidget>

#include <optional>

/// One thing that is done to one control, as one line of the log says it, so that a log can be done again.
struct Action {
    enum class Kind {
        click,
        double_click,
        right_click,
        drag,
        wheel,
        hover,
        key,
        text,
        choose,
        item,
        menu,
        slider,
        file,
        close,
        resize,
        wait
    };
    Kind kind = Kind::wait;
    QString path{};         ///< of the control, see pathOf
    QPointF from{}, to{};   ///< shares of its width and height
    int number    = 0;      ///< key, index, milliseconds, steps of the wheel
    int modifiers = 0;      ///< of the keyboard
    QString text{};
};

QString toLine(const Action& action);
std::optional<Action> actionFromLine(const QString& line);   ///< empty: it is none

/// "MainWindow/trainingDock/QWidget:2/trainButton": names where there are, else classes and their places among the siblings of that class.
QString pathOf(const QWidget* widget);
/// The control with this path among what is open now. Null: there is none.
QWidget* widgetAt(const QString& path);

/// Does it. Returns false where the control is not there any more.
bool perform(const Action& action);
