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
    /// A mistake, above the pictures until it is closed or no longer true.
    void keep(const QString& sentence, const MessageBar::Offers& offers = {},
              MessageBar::Until until = MessageBar::Until::other_data);
    /// News that stay above the pictures, after questions and mistakes and in place of older news.
    void note(const QString& sentence, const MessageBar::Offers& offers = {},
              MessageBar::Until until = MessageBar::Until::other_data);
    void ask(const QString& question, const MessageBar::Offers& answers);   ///< stays until it is answered
    void hide() { m_bar.clear(); }                                          ///< all but the questions
    QString kept() const { return m_bar.text(); }

private:
    MessageBar& m_bar;
    QStatusBar& m_line;
};
