// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/message_bar.h"
#include "session/session_journal.h"

#include <QObject>

#include <optional>
#include <vector>

class Messages;
struct Workspace;

/// Asks, in one question, what is kept of that which a program before this one left behind when it ended without being closed: the Study that stands in the window again, and a run that
/// was going on.
class WhatToKeep : public QObject {
    Q_OBJECT
public:
    WhatToKeep(Workspace& workspace, Messages& messages, QObject* parent);

    void cameBack(SessionJournal::Left left);   ///< its Study is the one under edit
    void closed();                              ///< the window is closed: its Study is kept in the usual way

private:
    void ask();
    void keep();
    QString question() const;
    std::vector<MessageBar::Offer> offers();

    Workspace& m_workspace;
    Messages& m_messages;
    std::optional<SessionJournal::Left> m_left;
    QString m_asked;
};
