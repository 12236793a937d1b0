// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/menu_keys.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>

#include <algorithm>

MenuKeys::MenuKeys(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool MenuKeys::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride || !qobject_cast<QLineEdit*>(watched))
        return false;
    const auto& key = static_cast<const QKeyEvent&>(*event);
    if (key.modifiers() != Qt::ControlModifier || key.key() < Qt::Key_A || key.key() > Qt::Key_Z)
        return false;
    constexpr QKeySequence::StandardKey ofTheField[] = {QKeySequence::Copy,  QKeySequence::Cut,
                                                        QKeySequence::Paste, QKeySequence::Undo,
                                                        QKeySequence::Redo,  QKeySequence::SelectAll};
    if (std::ranges::any_of(ofTheField, [&](QKeySequence::StandardKey own) { return key.matches(own); }))
        return false;
    event->ignore();   // not wanted by the field: a menu may have it, else it comes to the field as a key
    return true;
}
