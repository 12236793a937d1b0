// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <cstddef>
#include <functional>
#include <vector>

class QLabel;
class Toast;

/// Errors, questions and news as cards over the lower right corner of the charts, without changing
/// the layout. Never modal. Messages are queued: questions before errors before news, the newest of
/// each kind first. At most three are shown, with the newest at the bottom; the others are counted.
/// News disappears after some time unless the pointer or the focus is on it. F6 moves the focus to
/// the cards, and Escape closes the focused card.
class Toasts : public QWidget {
    Q_OBJECT
public:
    struct Offer {
        QString text;
        std::function<void()> accept;
    };
    explicit Toasts(QWidget* parent = nullptr);
    /// The part of the parent whose lower right corner is used; without it, the parent's own corner
    void setStage(QWidget* stage);
    /// Keeps this part of the stage uncovered. Messages of a page on the stage are never covered
    /// either.
    void keepClear(QWidget* part);

    /// How long a message stays valid. A question stays until it is answered.
    enum class Until {
        other_data,   ///< until the Study has other data, or it is closed
        next_step,    ///< until the next change, since the message offers to undo the last one
    };
    using Offers = std::vector<Offer>;
    /// Shows news, replacing older news.
    void notify(const QString& sentence, const Offers& offers = {}, Until until = Until::other_data);
    /// Shows an error until it is closed or no longer true.
    void warn(const QString& sentence, const Offers& offers = {}, Until until = Until::other_data);
    void ask(const QString& question, const Offers& answers);
    void happened(Until what);                ///< removes the messages that have become invalid
    void takeBack(const QString& sentence);   ///< shown or waiting
    void clear();                             ///< removes all messages except questions
    QString text() const;                     ///< of the first message; empty: none

    /// Shows or hides a card for a state, below the messages. It is not counted and cannot be closed.
    void showState(QWidget* card, bool shown);
    void takeFocus();
    void setNewsDuration(int milliseconds) { m_newsDuration = milliseconds; }

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Kind { news, mistake, question };
    struct Message {
        QString sentence;
        Offers offers;
        Until until;
        Kind kind;
        long number = 0;   ///< greater: newer
        Toast* card = nullptr;
    };
    void add(Message message);
    void removeIf(const std::function<bool(const Message&)>& gone);
    void removeOldNews();
    Toast* makeCard(const Message& message);
    void refresh();
    int bottomOf(const QRect& room, int width) const;
    void layOut();

    std::vector<Message> m_messages;   // most important first
    std::vector<QWidget*> m_states;
    QPointer<QWidget> m_stage;
    std::vector<QPointer<QWidget>> m_clear;   ///< what is not covered
    QLabel* m_more;
    QTimer m_leave;
    QPointer<QWidget> m_before;   // had the focus before F6
    long m_count       = 0;
    int m_newsDuration = 15000;   // milliseconds
};
