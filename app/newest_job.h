// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

/// One question asked over and over while a hand moves: at most one job waits, a newer one replaces it, the one under way is finished, and what it found is
/// shown on the GUI thread.
class NewestJob : public QObject {
    Q_OBJECT
public:
    using Show = std::function<void()>;                        ///< GUI thread; may be empty
    using Work = std::function<Show(std::stop_token)>;         ///< the job's own thread; shares nothing with the window; must not throw

    enum class Priority { behind_training, of_the_hand };      ///< the latter where a picture must keep up with a drag
    explicit NewestJob(Priority priority, QObject* parent = nullptr);
    ~NewestJob() override;   ///< stops and waits

    void submit(Work work);
    void cancel();           ///< nothing submitted so far is shown
    bool busy() const;       ///< is a job waiting, under way or about to be shown?

private:
    void run(std::stop_token stop);

    const Priority m_priority;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Work m_waiting;
    long m_open = 0;                  ///< under way or about to be shown
    long m_stamp = 0, m_wanted = 0;   ///< answers with a lower stamp come too late
    long m_waitingStamp = 0;
    std::stop_source m_current;
    std::jthread m_thread;            // last: starts when the rest is there, ends first
};
