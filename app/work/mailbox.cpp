// SPDX-License-Identifier: GPL-3.0-or-later
#include "work/mailbox.h"

#include "foundation/thread_sanitizer.h"

#include <QCoreApplication>
#include <QEvent>

using namespace credence;

namespace {

const auto letterType = static_cast<QEvent::Type>(QEvent::registerEventType());

struct Letter : QEvent {
    explicit Letter(std::function<void()> wanted) : QEvent(letterType), call(std::move(wanted)) {}

    const std::function<void()> call;
};

}   // namespace

void Mailbox::post(std::function<void()> call)
{
    auto* letter = new Letter(std::move(call));
    hand_over(letter);
    QCoreApplication::postEvent(this, letter);   // which then owns it
}

bool Mailbox::event(QEvent* event)
{
    take_over(event);
    if (event->type() != letterType)
        return QObject::event(event);
    static_cast<Letter*>(event)->call();   // can destroy this Mailbox
    return true;
}
