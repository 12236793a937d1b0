// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

// The event loop must have priority over training on all cores. Linux gives each thread its own
// nice value; a waking thread with a lower one runs at once. No TBB header is included here: Qt's
// `emit` conflicts with them.

inline constexpr int trainingNiceness = 10;
inline constexpr int viewNiceness     = 12;   ///< charts have lower priority than training steps

/// Permanently lowers the priority of the calling thread (raising it needs privileges). Failure is
/// harmless and ignored.
void lowerThisThread(int niceness);

/// CPU time of the calling thread so far, excluding time spent waiting for a core.
double threadSeconds();

/// While alive, lowers the priority of every thread that joins the parallel work of the enclosing
/// `credence::Threads::run`. Create it inside `run`.
class LowerHelpers {
public:
    explicit LowerHelpers(int niceness);
    ~LowerHelpers();
    LowerHelpers(const LowerHelpers&)            = delete;
    LowerHelpers& operator=(const LowerHelpers&) = delete;

private:
    struct Observer;
    std::unique_ptr<Observer> m_observer;
};

/// Runs calls from other threads on the thread that created it, in order; calls pending at its
/// destruction are dropped. Like a queued QMetaObject::invokeMethod, but visible to
/// ThreadSanitizer, which cannot see into Qt's queue.
class Mailbox : public QObject {
public:
    void post(std::function<void()> call);   ///< thread-safe

protected:
    bool event(QEvent* event) override;
};

/// The worker thread of the window: runs tasks on a separate low-priority thread with its own TBB
/// threads.
///
/// A task shares nothing with the window except its inputs. Its result is handled on the thread of
/// the Worker object (the window's), unless a later task or `cancel` has stopped the task.
/// Exceptions arrive at `failed` as one sentence. credence::stop_point() in a task checks for a
/// stop; Stopped is not reported.
class Worker : public QObject {
    Q_OBJECT
public:
    /// What a new task does to earlier ones.
    enum class Newer {
        stops_old,   ///< Replaces the waiting task and stops the running one, whose results are no longer shown.
        /// Replaces the waiting task; the running one finishes and is shown, so that charts keep
        /// updating while a slider moves.
        waits_for_old,
        /// Runs all tasks in order, including those waiting when the Worker is destroyed (with
        /// their stop requested). For writing files.
        in_line,
    };
    enum class Pace {
        at_once,
        /// Starts only after the pause that follows the last task of this kind, to leave time for a
        /// running training.
        rested,
    };
    struct Rules {
        int niceness = viewNiceness;
        Newer newer  = Newer::stops_old;
        double rest =
            0;   ///< Pause after a rested task, as a multiple of its CPU time: 9 leaves nine tenths of the time.
    };

    class Progress;
    using Show = std::function<void()>;   ///< empty: nothing to show
    using Work = std::function<Show(std::stop_token stop, Progress& progress)>;

    Worker() : Worker(Rules{}) {}
    explicit Worker(Rules rules, QObject* parent = nullptr);
    ~Worker() override;   ///< requests stop and joins

    void submit(Work work) { submit(std::move(work), m_rules.newer); }
    void submit(Work work, Newer newer, Pace pace = Pace::at_once);
    void cancel();       ///< discards waiting tasks and stops the running one; none of their results are shown
    bool busy() const;   ///< true if a result or an error is still pending

    // For tasks that call Progress::gate().
    void pause();
    void resume();
    void step();   ///< while paused: lets the task through one gate
    bool paused() const;

signals:
    void progressed(double share, std::optional<double> secondsLeft);   ///< at most 20 times a second
    void failed(const QString& field, const QString& sentence);         ///< field: of the Study; can be empty
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
    std::stop_source m_current;       // of the running task
    std::vector<long> m_open;         // stamps of tasks running or about to be shown
    long m_stamp = 0, m_wanted = 0;   // results with a stamp below m_wanted are dropped
    bool m_paused = false;
    int m_steps   = 0;
    std::jthread m_thread;   // last: starts after all other members exist and ends first
};

/// Progress reports of a task. Only for its own thread.
class Worker::Progress {
public:
    void report(double share, std::optional<double> secondsLeft = {});
    void show(Show partial);   ///< Partial results are shown in order, before the final one.
    bool gate();               ///< Waits while paused. @return  false: stop requested
    bool paused() const;       ///< After a gate: true if `step` opened it, so that the next gate waits.

private:
    friend class Worker;
    Progress(Worker& worker, const Task& task) : m_worker(worker), m_task(task) {}

    Worker& m_worker;
    const Task& m_task;
    std::optional<Clock::time_point> m_reported;
};

/// Runs a slow task (reading a table, a saved run, the data of a Study) once on a separate thread,
/// so that the window stays responsive.
///
/// @param owner  its destruction requests a stop and waits; `done` is then not called
/// @param work   runs on another thread; shares nothing with the window; may accept a
///        std::stop_token
/// @param done   GUI thread: receives the result, or nothing and the error sentence
template <class Work, class Done>
void inBackground(QObject* owner, Work work, Done done)
{
    constexpr bool stoppable = std::is_invocable_v<Work&, std::stop_token>;
    const auto call          = [](Work& what, [[maybe_unused]] std::stop_token stop) {
        if constexpr (stoppable)
            return what(std::move(stop));
        else
            return what();
    };
    using Result     = decltype(call(work, std::stop_token{}));
    auto* worker     = new Worker({}, owner);
    const auto taker = std::make_shared<Done>(std::move(done));
    QObject::connect(worker, &Worker::failed, owner, [worker, taker](const QString&, const QString& sentence) {
        worker->deleteLater();
        (*taker)(std::optional<Result>{}, sentence);
    });
    const auto task = std::make_shared<Work>(std::move(work));
    worker->submit([worker, task, taker, call](std::stop_token stop, Worker::Progress&) -> Worker::Show {
        auto result = std::make_shared<std::optional<Result>>(call(*task, std::move(stop)));
        return [worker, taker, result] {
            worker->deleteLater();
            (*taker)(std::move(*result), QString());
        };
    });
}
