// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/notifier.h"

#include "session/app_context.h"

#include "widgets/accessibility.h"

#include <QEvent>
#include <QLayout>
#include <QStylePainter>

#include <algorithm>

StatusLine::StatusLine(QWidget* parent) : QStatusBar(parent)
{
    connect(this, &QStatusBar::messageChanged, this, [this](const QString& sentence) { setToolTip(sentence); });
}

/// Work in progress never makes the window wider than the screen.
QSize StatusLine::minimumSizeHint() const { return {0, QStatusBar::minimumSizeHint().height()}; }

bool StatusLine::event(QEvent* event)
{
    if (m_givesWay && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)) {
        int needed = 0;
        for (const auto* part : findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
            if (!part->isHidden())
                needed += part->sizeHint().width() + layout()->spacing();
        m_givesWay->setMaximumWidth(needed > width() ? 0 : QWIDGETSIZE_MAX);
    }
    return QStatusBar::event(event);
}

void StatusLine::paintEvent(QPaintEvent*)
{
    constexpr int margin = 6;
    int end              = width() - margin;
    for (const auto* part : findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
        if (part->isVisible())
            end = std::min(end, part->x() - 2 * margin);
    QStylePainter painter(this);
    const QRect room(margin, 0, std::max(0, end - margin), height());
    painter.drawItemText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, palette(), true,
                         fontMetrics().elidedText(currentMessage(), Qt::ElideRight, room.width()),
                         QPalette::WindowText);
}

Notifier::Notifier(AppContext& context, Toasts* toasts, QStatusBar* line)
    : QObject(toasts), m_toasts(*toasts), m_line(*line)
{
    auto& session = context.session;
    connect(&session, &Session::studyChanged, this, [this, &session, data = session.study().data]() mutable {
        if (!(std::exchange(data, session.study().data) == session.study().data))
            m_toasts.happened(Toasts::Until::other_data);
    });
    connect(&context.document.undo(), &QUndoStack::indexChanged, this,
            [this] { m_toasts.happened(Toasts::Until::next_step); });
}

void Notifier::notify(const QString& sentence)
{
    m_line.showMessage(sentence, 15000);
    credence::announce(&m_line, sentence, credence::Announcer::Urgency::polite);
}

void Notifier::takeBack(const QString& sentence)
{
    if (m_line.currentMessage() == sentence)
        m_line.clearMessage();
    m_toasts.takeBack(sentence);
}

void Notifier::clearStatus() { m_line.clearMessage(); }

void Notifier::keep(const QString& sentence, const Toasts::Offers& offers, Toasts::Until until)
{
    m_toasts.warn(sentence, offers, until);
}

void Notifier::note(const QString& sentence, const Toasts::Offers& offers, Toasts::Until until)
{
    m_toasts.notify(sentence, offers, until);
}

void Notifier::ask(const QString& question, const Toasts::Offers& answers) { m_toasts.ask(question, answers); }
