// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/announcer.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace credence {

Announcer& Announcer::instance()
{
    static Announcer* const one = new Announcer;   // outlives every widget, and ends with the process
    return *one;
}

Announcer::Announcer()
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(every);
    connect(&m_pause, &QTimer::timeout, this, &Announcer::flush);
}

void Announcer::notify(QWidget* from, const QString& sentence, Urgency urgency)
{
    if (!from || sentence.isEmpty())
        return;
    if (urgency != Urgency::settled)
        return deliver(from, sentence, urgency);
    const auto same = std::find_if(m_waiting.begin(), m_waiting.end(),
                                   [from](const Waiting& one) { return one.from == from; });
    if (same != m_waiting.end())
        same->sentence = sentence;
    else
        m_waiting.push_back({from, sentence});
    if (!m_pause.isActive())
        flush();
}

void Announcer::flush()
{
    bool any = false;
    for (const auto& one : std::exchange(m_waiting, {})) {
        if (!one.from || m_last.value(one.from) == one.sentence)
            continue;
        if (!m_last.contains(one.from))
            connect(one.from, &QObject::destroyed, this, [this, gone = one.from.data()] { m_last.remove(gone); });
        m_last[one.from] = one.sentence;
        deliver(one.from, one.sentence, Urgency::settled);
        any = true;
    }
    if (any)
        m_pause.start();
}

void Announcer::deliver(QWidget* from, const QString& sentence, Urgency urgency)
{
    Q_EMIT notified(from, sentence, urgency);
    if (!QAccessible::isActive())
        return;
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    QAccessibleAnnouncementEvent spoken(from, sentence);
    spoken.setPoliteness(urgency == Urgency::alert ? QAccessible::AnnouncementPoliteness::Assertive
                                                   : QAccessible::AnnouncementPoliteness::Polite);
    QAccessible::updateAccessibility(&spoken);
#else
    if (urgency == Urgency::settled) {
        QAccessibleEvent described(
            from, QAccessible::DescriptionChanged);   // description of the focused control for screen readers
        QAccessible::updateAccessibility(&described);
        if (auto* seen = QAccessible::queryAccessibleInterface(from); seen && seen->valueInterface()) {
            QAccessibleValueChangeEvent changed(from, sentence);
            QAccessible::updateAccessibility(&changed);
        }
        return;
    }
    for (const auto type : {QAccessible::NameChanged, QAccessible::Alert}) {
        QAccessibleEvent changed(from, type);
        QAccessible::updateAccessibility(&changed);
    }
#endif
}

}   // namespace credence
