// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessibleWidget>
#include <QHash>
#include <QObject>
#include <QPointer>
#include <QRect>
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

/// Shorthand for Announcer::instance().notify.
inline void announce(QWidget* from, const QString& sentence, Announcer::Urgency urgency)
{
    Announcer::instance().notify(from, sentence, urgency);
}

/// Something painted by a widget that is not a widget itself: a thumbnail, a handle.
struct SpokenItem {
    QString name;          ///< description of the item
    QString description;   ///< available actions
    QRect place;           ///< within the widget
    bool chosen  = false;
    bool current = false;   ///< keys act on it
};

/// A widget with such items. The indices of the items stay valid while their number does not
/// change.
class SpokenItems {
public:
    virtual ~SpokenItems()                              = default;
    virtual std::vector<SpokenItem> spokenItems() const = 0;
    virtual void pressItem(int index)                   = 0;   ///< as by a click
};

/// The accessible interface of a widget whose items are its first children, before its child
/// widgets. Items are queried on request, so they are always up to date.
class AccessibleItems : public QAccessibleWidget {
public:
    /// @param role      role of the widget; its items have `itemRole`
    /// @param items     items of the same widget
    AccessibleItems(QWidget* widget, QAccessible::Role role, QAccessible::Role itemRole, SpokenItems& items);
    ~AccessibleItems() override;

    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    QAccessibleInterface* focusChild() const override;
    int indexOfChild(const QAccessibleInterface* child) const override;

private:
    int itemCount() const;

    SpokenItems& m_items;
    QAccessible::Role m_itemRole;
    mutable std::vector<QAccessible::Id> m_children;   ///< created on request; 0: not yet
};

/// Movable items on a chart for screen readers, supplied by their owner.
class ChartSpeech : public SpokenItems {
public:
    SpokenItems* onPicture = nullptr;   ///< the owner's items; null: none. Must outlive the view or reset this pointer

    std::vector<SpokenItem> spokenItems() const override
    {
        return onPicture ? onPicture->spokenItems() : std::vector<SpokenItem>();
    }
    void pressItem(int index) override
    {
        if (onPicture)
            onPicture->pressItem(index);
    }
};

}   // namespace credence
