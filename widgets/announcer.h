// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <vector>

class QWidget;

namespace credence {

/// Tells assistive technology what changed without the focus moving: mistakes at once, numbers that change all the time throttled. There is one in the program.
class Announcer : public QObject {
    Q_OBJECT
public:
    enum class Urgency {
        alert,    ///< a mistake or a question: said at once, in the middle of a word
        polite,   ///< what was done: said when the reader has finished
        settled,   ///< a value that moves (a cross, a step, a slider): of each widget the newest, at most every `every` milliseconds
    };
    static constexpr int every = 300;

    static Announcer& instance();
    /// Says a sentence for a widget; nothing if it is empty, or the one that this widget said last in the same way and that is still a value.
    void say(QWidget* from, const QString& sentence, Urgency urgency);

signals:
    void said(QWidget* from, const QString& sentence, Announcer::Urgency urgency);

private:
    Announcer();
    void flush();
    void deliver(QWidget* from, const QString& sentence, Urgency urgency);

    struct Waiting {
        QPointer<QWidget> from;
        QString sentence;
    };
    std::vector<Waiting> m_waiting;   ///< at most one for each widget
    QHash<const QWidget*, QString> m_last;
    QTimer m_pause;   ///< runs after a value was said
};

/// Shorthand for Announcer::instance().say.
inline void announce(QWidget* from, const QString& sentence, Announcer::Urgency urgency)
{
    Announcer::instance().say(from, sentence, urgency);
}

}   // namespace credence
