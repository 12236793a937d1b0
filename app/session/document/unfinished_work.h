// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>

#include <functional>
#include <vector>

/// Work that would end with the window: a sweep, export, download or training. Each kind is
/// registered once and queried when the window closes.
class UnfinishedWork {
public:
    struct Work {
        std::function<QString()>
            words;   ///< "A sweep is running: 12 of 40 cells have finished."; empty: nothing is in progress
        std::function<void()>
            discard{};   ///< Drops what closing the window would otherwise save; empty: no such choice.
    };

    /// @param owner  the entry is removed with it
    void add(const QObject* owner, Work work) { m_all.push_back({owner, std::move(work)}); }

    QStringList sentences() const;   ///< one for each kind of work in progress
    bool canDiscard() const;         ///< does any work in progress offer the choice?
    void discard() const;

private:
    struct Owned {
        QPointer<const QObject> owner;
        Work work;
    };
    std::vector<const Work*> inProgress() const;

    std::vector<Owned> m_all;
};
