// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>

namespace credence {

/// Measures wall time since construction, seconds.
class Stopwatch {
public:
    using Clock = std::chrono::steady_clock;
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    /// Excludes the time since `pause` was started.
    void forget(const Stopwatch& pause) { begin_ += Clock::now() - pause.begin_; }

private:
    Clock::time_point begin_ = Clock::now();
};

/// Thrown when loading or preprocessing is cancelled. It does not derive from std::exception
/// because cancelling is not an error and shows no message.
struct Stopped {};

/// While alive, `stop_point()` on this thread checks this token and those of the enclosing scopes.
class StopScope {
public:
    explicit StopScope(std::stop_token stop);
    ~StopScope();
    StopScope(const StopScope&)            = delete;
    StopScope& operator=(const StopScope&) = delete;

private:
    friend void stop_point();
    std::stop_token stop_;
    StopScope* outer_;
};

/// Throws Stopped if any StopScope of this thread has received a stop request. Cheap enough to call
/// for each block of a file and every thousand rows. Readers deep in the call stack thus need no
/// token parameter.
void stop_point();

/// While alive, `report_share()` on this thread reports the completed share of the work to the
/// callback. Code deep in the call stack can thus report progress without a parameter in every
/// function.
class ProgressScope {
public:
    explicit ProgressScope(std::function<void(double share)> report);
    /// Maps the progress of a subtask, 0 … 1, to begin … end of the enclosing scope.
    ProgressScope(double begin, double end);
    ~ProgressScope();
    ProgressScope(const ProgressScope&)            = delete;
    ProgressScope& operator=(const ProgressScope&) = delete;

private:
    friend void report_share(double share);
    std::function<void(double share)> report_;
    double begin_ = 0, end_ = 1;
    ProgressScope* outer_;
};

/// Reports to the scopes of this thread that `share` of the work, 0 … 1, is complete. Has no effect
/// on a thread without a scope.
void report_share(double share);

/// Progress of a task, written on one thread and read on any.
class WorkProgress {
public:
    struct State {
        double share = 0;   ///< completed, in (0, 1]
        /// At the current rate; empty if it is too early to estimate.
        std::optional<double> seconds_left;
    };

    /// @param soonest  seconds before the first estimate of the remaining time
    explicit WorkProgress(double soonest = 0.5) : soonest_(soonest) {}

    /// A share below the previous one starts a new task.
    void report(double share);
    std::optional<State> now() const;   ///< empty if no progress was reported

private:
    const double soonest_;
    mutable std::mutex mutex_;
    double first_ = 0, last_ = 0;
    std::optional<Stopwatch> since_first_, since_last_;
};

}   // namespace credence
