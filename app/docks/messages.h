// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/message_bar.h"

#include <QObject>

class QStatusBar;
struct Workspace;

/// Where the window says things: for a moment in the status bar, or above the pictures until it is no longer true. Never a box in the way.
class Messages : public QObject {
    Q_OBJECT
public:
    Messages(Workspace& workspace, MessageBar* bar, QStatusBar* line);

    void say(const QString& sentence);
    void takeBack(const QString& sentence);   ///< if it still stands there
    void saidEnough();                        ///< nothing is being read any more
    void keep(const QString& sentence, const std::vector<MessageBar::Offer>& offers = {},
              MessageBar::Until until = MessageBar::Until::other_data);
    void hide() { m_bar.hide(); }
    QString kept() const { return m_bar.text(); }

private:
    MessageBar& m_bar;
    QStatusBar& m_line;
};
