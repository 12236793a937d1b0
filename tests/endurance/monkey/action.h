// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QString>
#include <QWidget>

#include <optional>

/// One action on one control, as one line of the log, so that a log can be replayed.
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

/// "MainWindow/trainingDock/QWidget:2/trainButton": names if present, otherwise classes with their
/// index among siblings of that class.
QString pathOf(const QWidget* widget);
/// The open control with this path, or null.
QWidget* widgetAt(const QString& path);

/// Performs the action. Returns false if the control no longer exists.
bool perform(const Action& action);
