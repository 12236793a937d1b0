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
    connect(&workspace.undo, &QUndoStack::indexChanged, this, [this] { m_bar.happened(MessageBar::Until::next_step); });
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
    if (!m_bar.isHidden() && m_bar.text() == sentence)
        m_bar.hide();
}

void Messages::saidEnough() { m_line.clearMessage(); }

void Messages::keep(const QString& sentence, const std::vector<MessageBar::Offer>& offers, MessageBar::Until until)
{
    m_bar.say(sentence, offers, until);
}
