// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/menu_keys.h"

#include <QApplication>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSpinBox>

#include <algorithm>

namespace {

/// True if `field` is a number box without uncommitted text.
bool saysItsNumber(const QObject* field)
{
    if (const auto* real = qobject_cast<const QDoubleSpinBox*>(field))
        return real->cleanText() == real->textFromValue(real->value());
    if (const auto* whole = qobject_cast<const QSpinBox*>(field)) {
        bool read         = false;
        const auto number = whole->locale().toInt(whole->cleanText(), &read);
        return read && number == whole->value();
    }
    return false;
}

}   // namespace

MenuKeys::MenuKeys(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool MenuKeys::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride
        || (!qobject_cast<QLineEdit*>(watched) && !qobject_cast<QAbstractSpinBox*>(watched)))
        return false;
    const auto& key = static_cast<const QKeyEvent&>(*event);
    if ((key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo)) && saysItsNumber(watched)) {
        event->ignore();   // nothing is being typed: the last setting is taken back, not old digits of this number
        return true;
    }
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
