// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/message_bar.h"

#include <QObject>

class QStatusBar;
struct AppContext;

/// Notifications of the window: briefly in the status bar, or above the charts until no longer
/// true. Never a modal dialog.
class Notifier : public QObject {
    Q_OBJECT
public:
    Notifier(AppContext& context, MessageBar* bar, QStatusBar* line);

    void notify(const QString& sentence);
    void takeBack(const QString& sentence);   ///< if it is still shown
    void clearStatus();                       ///< nothing is being read any more
    /// Shows an error above the charts until it is closed or no longer true.
    void keep(const QString& sentence, const MessageBar::Offers& offers = {},
              MessageBar::Until until = MessageBar::Until::other_data);
    /// Shows news above the charts, after questions and errors, replacing older news.
    void note(const QString& sentence, const MessageBar::Offers& offers = {},
              MessageBar::Until until = MessageBar::Until::other_data);
    void ask(const QString& question, const MessageBar::Offers& answers);   ///< stays until it is answered
    void hide() { m_bar.clear(); }                                          ///< all but the questions
    QString kept() const { return m_bar.text(); }

private:
    MessageBar& m_bar;
    QStatusBar& m_line;
};
