// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/low_priority.h"
#include "work/mailbox.h"

#include <QObject>
#include <QString>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

/// The thread loop of the window: runs tasks on a separate low-priority thread with its own TBB
/// threads.
///
/// A task shares nothing with the window except its inputs. Its result is run on the thread of the
/// Worker object (the window's), or never if a later task or `cancel` has stopped it. Exceptions
/// arrive at `failed` as one sentence; credence::stop_point() in a task checks for a stop, and
/// Stopped is silent.
class Worker : public QObject {
    Q_OBJECT
public:
    /// What a new task does to earlier ones.
    enum class Newer {
        stops_old,   ///< takes the place of the one that waits, stops the one at work, and nothing of that one is shown any more
        waits_for_old,   ///< takes the place of the one that waits; the one at work is finished and shown: pictures keep coming while a hand moves
        in_line,   ///< all are done in order, also those that wait when the Worker ends (with their stop requested): writing of files
    };
    enum class Pace {
        at_once,
        rested,   ///< begins only when the rest after the last task of this pace is over: leaves time to a training that goes on
    };
    struct Rules {
        int niceness = viewNiceness;
        Newer newer  = Newer::stops_old;
        double rest =
            0;   ///< after a rested task, in multiples of the CPU time that it took: 9 leaves nine tenths of the time
    };

    class Progress;
    using Show = std::function<void()>;   ///< may be empty: there is nothing to show
    using Work = std::function<Show(std::stop_token stop, Progress& progress)>;

    Worker() : Worker(Rules{}) {}
    explicit Worker(Rules rules, QObject* parent = nullptr);
    ~Worker() override;   ///< requests stop and joins

    void submit(Work work) { submit(std::move(work), m_rules.newer); }
    void submit(Work work, Newer newer, Pace pace = Pace::at_once);
    void cancel();       ///< the tasks that wait and the one at work: nothing of them is shown any more
    bool busy() const;   ///< is something still to be shown or to fail?

    // For tasks that call Progress::gate().
    void pause();
    void resume();
    void step();   ///< while paused: lets the task through one gate
    bool paused() const;

signals:
    void progressed(double share, std::optional<double> secondsLeft);   ///< at most 20 times a second
    void failed(const QString& field, const QString& sentence);         ///< field: of the Study, may be empty
    void busyChanged(bool busy);

private:
    struct Task {
        Work work;
        Pace pace  = Pace::at_once;
        long stamp = 0;
        std::stop_token stop{};
    };
    using Clock = std::chrono::steady_clock;

    void loop(const std::stop_token& end);
    std::optional<Task> next(const std::stop_token& end, Clock::time_point rested);
    void deliver(long stamp, Show show, bool last, const QString& field = {}, const QString& sentence = {});
    void receive(long stamp, const Show& show, bool last, const QString& field,
                 const QString& sentence);   ///< on the owner's thread
    bool passGate(const std::stop_token& stop);
    bool timely(long stamp) const;

    const Rules m_rules;
    Mailbox m_mailbox;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake, m_gate;
    std::deque<Task> m_waiting;
    std::stop_source m_current;       // of the task at work
    std::vector<long> m_open;         // stamps at work or about to be shown
    long m_stamp = 0, m_wanted = 0;   // what has a lower stamp than wanted comes too late
    bool m_paused = false;
    int m_steps   = 0;
    std::jthread m_thread;   // last: starts when the rest is there, ends first
};

/// Progress reports of a task. Only for its own thread.
class Worker::Progress {
public:
    void tell(double share, std::optional<double> secondsLeft = {});
    void show(Show partial);   ///< each is run in order, before what the task returns
    bool gate();               ///< waits while paused; false: stop was requested
    bool paused() const;       ///< after a gate: passed by `step`, waiting at the next one

private:
    friend class Worker;
    Progress(Worker& worker, const Task& task) : m_worker(worker), m_task(task) {}

    Worker& m_worker;
    const Task& m_task;
    std::optional<Clock::time_point> m_told;
};
