// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/notifier.h"

#include "session/app_context.h"

#include "widgets/announcer.h"

#include <QStatusBar>

Notifier::Notifier(AppContext& context, MessageBar* bar, QStatusBar* line) : QObject(bar), m_bar(*bar), m_line(*line)
{
    auto& session = context.session;
    connect(&session, &Session::studyChanged, this, [this, &session, data = session.study().data]() mutable {
        if (!(std::exchange(data, session.study().data) == session.study().data))
            m_bar.happened(MessageBar::Until::other_data);
    });
    connect(&context.document.undo(), &QUndoStack::indexChanged, this,
            [this] { m_bar.happened(MessageBar::Until::next_step); });
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
    m_bar.takeBack(sentence);
}

void Notifier::clearStatus() { m_line.clearMessage(); }

void Notifier::keep(const QString& sentence, const MessageBar::Offers& offers, MessageBar::Until until)
{
    m_bar.warn(sentence, offers, until);
}

void Notifier::note(const QString& sentence, const MessageBar::Offers& offers, MessageBar::Until until)
{
    m_bar.notify(sentence, offers, until);
}

void Notifier::ask(const QString& question, const MessageBar::Offers& answers) { m_bar.ask(question, answers); }
