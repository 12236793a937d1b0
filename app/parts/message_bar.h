// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;

/// A line above the charts with errors and suggestions. Never modal. Messages are queued: questions
/// before errors before news, the newest of each kind first. Closing or answering one shows the
/// next.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    struct Offer {
        QString text;
        std::function<void()> accept;
    };
    explicit MessageBar(QWidget* parent = nullptr);
    /// How long a message is valid. A question stays until it is answered.
    enum class Until {
        other_data,   ///< until the Study has other data, or it is closed
        next_step,    ///< until something is done or undone: it offers to take back the last step
    };
    using Offers = std::vector<Offer>;
    /// Shows news, replacing older news.
    void notify(const QString& sentence, const Offers& offers = {}, Until until = Until::other_data);
    /// Shows an error until it is closed or no longer true.
    void warn(const QString& sentence, const Offers& offers = {}, Until until = Until::other_data);
    void ask(const QString& question, const Offers& answers);
    void happened(Until what);                ///< removes what is no longer true
    void takeBack(const QString& sentence);   ///< shown or waiting
    void clear();                             ///< all but the questions
    QString text() const;                     ///< of the one that is shown; empty: none

private:
    enum class Kind { news, mistake, question };
    struct Message {
        QString sentence;
        Offers offers;
        Until until;
        Kind kind;
    };
    void add(Message message);
    void removeIf(const std::function<bool(const Message&)>& gone);
    void showFirst();

    std::vector<Message> m_notifier;   // the first is shown
    QLabel *m_text, *m_more;
    QHBoxLayout* m_offers;
    QWidget* m_close;
};
