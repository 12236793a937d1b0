// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

/// One task at a time on a low-priority thread of its own, the newest wish first: a new one stops the one at work and takes its place.
class BackgroundJob : public QObject {
    Q_OBJECT
public:
    using Progress = std::function<void(double share)>;
    using Finish   = std::function<void()>;   ///< GUI thread; empty: there is nothing to show (stopped)
    using Work     = std::function<Finish(std::stop_token stop, const Progress& progress)>;

    explicit BackgroundJob(QObject* parent = nullptr);
    ~BackgroundJob() override;   ///< stops and waits

    /// @param work  the job's thread, inside its TBB threads; what it throws arrives at `failed`
    void start(Work work);
    void cancel();
    bool busy() const;           ///< is a task waiting, at work, or its answer on the way?

signals:
    void progressed(double share);   ///< at most 20 times a second
    void failed(const QString& mistake);
    void busyChanged(bool busy);

private:
    void work(std::stop_token stop);
    void deliver(long stamp, Finish finish, const QString& mistake);

    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<std::pair<long, Work>> m_waiting;
    std::stop_source m_making;
    long m_stamp = 0, m_answered = 0;   ///< newest wish, and the newest that is over
    std::jthread m_thread;   // last: starts when the rest is there, ends first
};
