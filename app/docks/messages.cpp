// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/messages.h"

#include "session/workspace.h"

#include "widgets/announcer.h"

#include <QStatusBar>

Messages::Messages(Workspace& workspace, MessageBar* bar, QStatusBar* line) : QObject(bar), m_bar(*bar), m_line(*line)
{
    auto& session = workspace.session;
    connect(&session, &Session::studyChanged, this, [this, &session, data = session.study().data]() mutable {
        if (!(std::exchange(data, session.study().data) == session.study().data))
            m_bar.happened(MessageBar::Until::other_data);
    });
    connect(&workspace.document.undo(), &QUndoStack::indexChanged, this,
            [this] { m_bar.happened(MessageBar::Until::next_step); });
}

void Messages::say(const QString& sentence)
{
    m_line.showMessage(sentence, 15000);
    credence::announce(&m_line, sentence, credence::Announcer::Urgency::polite);
}

void Messages::takeBack(const QString& sentence)
{
    if (m_line.currentMessage() == sentence)
        m_line.clearMessage();
    m_bar.takeBack(sentence);
}

void Messages::saidEnough() { m_line.clearMessage(); }

void Messages::keep(const QString& sentence, const MessageBar::Offers& offers, MessageBar::Until until)
{
    m_bar.warn(sentence, offers, until);
}

void Messages::note(const QString& sentence, const MessageBar::Offers& offers, MessageBar::Until until)
{
    m_bar.say(sentence, offers, until);
}

void Messages::ask(const QString& question, const MessageBar::Offers& answers) { m_bar.ask(question, answers); }
