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

/// Announces changes to assistive technology without moving the focus: errors at once, frequently
/// changing values throttled. One instance per program.
class Announcer : public QObject {
    Q_OBJECT
public:
    enum class Urgency {
        alert,    ///< an error or a question: announced at once, interrupting speech
        polite,   ///< a completed action: announced when the screen reader has finished
        /// a changing value (cross, step, slider): the newest per widget, at most once every
        /// `every` milliseconds
        settled,
    };
    static constexpr int every = 300;

    static Announcer& instance();
    /// Announces a sentence for a widget; does nothing if it is empty, or a value that this widget
    /// announced last in the same way.
    void notify(QWidget* from, const QString& sentence, Urgency urgency);

signals:
    void notified(QWidget* from, const QString& sentence, Announcer::Urgency urgency);

private:
    Announcer();
    void flush();
    void deliver(QWidget* from, const QString& sentence, Urgency urgency);

    struct Waiting {
        QPointer<QWidget> from;
        QString sentence;
    };
    std::vector<Waiting> m_waiting;   ///< at most one per widget
    QHash<const QWidget*, QString> m_last;
    QTimer m_pause;   ///< runs after a value was announced
};

/// Shorthand for Announcer::instance().say.
inline void announce(QWidget* from, const QString& sentence, Announcer::Urgency urgency)
{
    Announcer::instance().notify(from, sentence, urgency);
}

}   // namespace credence
