// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/field_help_key.h"

#include "parts/help_mark.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMainWindow>

#include <cmath>

namespace {

constexpr int tallControl = 80;   ///< pixels: a control from this height on is a picture, a list or a table

QRect placeIn(const QWidget& window, const QWidget& widget) { return {widget.mapTo(&window, QPoint()), widget.size()}; }

bool isF1(const QEvent& event)
{
    const auto& key = static_cast<const QKeyEvent&>(event);
    return key.key() == Qt::Key_F1 && !(key.modifiers() & ~Qt::KeypadModifier);
}

}   // namespace

FieldHelpKey::FieldHelpKey(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

HelpMark* FieldHelpKey::markOf(const QWidget* control)
{
    if (!control || control->isWindow())
        return nullptr;
    const QWidget& window = *control->window();
    const QRect own       = placeIn(window, *control);
    for (const QWidget* part                                                                  = control->parentWidget();
         part && !part->isWindow() && !qobject_cast<QMainWindow*>(part->parentWidget()); part = part->parentWidget()) {
        HelpMark* nearest = nullptr;
        int least         = 0;
        bool any          = false;
        for (auto* mark : part->findChildren<HelpMark*>()) {
            if (!mark->isVisible() || mark->window() != &window || control->isAncestorOf(mark))
                continue;
            any                = true;
            const QRect place  = placeIn(window, *mark);
            const bool inLine  = place.top() <= own.bottom() && place.bottom() >= own.top();
            const bool overTop = own.height() >= tallControl && place.bottom() <= own.top() + place.height();
            if (!inLine && !overTop)
                continue;
            const QPoint way   = place.center() - own.center();
            const int distance = std::abs(way.x()) + std::abs(way.y());
            if (!nearest || distance < least) {
                nearest = mark;
                least   = distance;
            }
        }
        if (any)
            return nearest;
    }
    return nullptr;
}

bool FieldHelpKey::eventFilter(QObject* watched, QEvent* event)
{
    if ((event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress) || !isF1(*event))
        return false;
    const auto* control = qobject_cast<QWidget*>(watched);
    if (!control || (QApplication::focusWidget() && control != QApplication::focusWidget()))
        return false;   // an event ignored by the control is passed to its parent
    auto* mark = markOf(control);
    if (!mark)
        return false;
    event->accept();   // so that it becomes no key of a menu, but comes here once more
    if (event->type() == QEvent::KeyPress)
        mark->click();
    return true;
}
