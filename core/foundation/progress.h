// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/stopwatch.h"

#include <functional>
#include <mutex>
#include <optional>

namespace credence {

/// While alive, `tell_share()` on this thread tells it how much of the work is done: what knows whom to tell stands many calls above what counts.
class ProgressScope {
public:
    explicit ProgressScope(std::function<void(double share)> tell);
    /// A piece of the work that the scope around it is told of: what is told of the piece, 0 … 1, is there begin … end.
    ProgressScope(double begin, double end);
    ~ProgressScope();
    ProgressScope(const ProgressScope&)            = delete;
    ProgressScope& operator=(const ProgressScope&) = delete;

private:
    friend void tell_share(double share);
    std::function<void(double share)> tell_;
    double begin_ = 0, end_ = 1;
    ProgressScope* outer_;
};

/// Tells the scopes of this thread that `share` of the work, 0 … 1, is done. Nobody hears it on a thread without a scope.
void tell_share(double share);

/// How far a work is: told on one thread, read on any.
class WorkProgress {
public:
    struct State {
        double share = 0;                     ///< of the work, in (0, 1]
        std::optional<double> seconds_left;   ///< at the pace so far; empty: too early to say
    };

    /// @param soonest  seconds of work before its pace says anything
    explicit WorkProgress(double soonest = 0.5) : soonest_(soonest) {}

    /// A share below the last one begins another work.
    void tell(double share);
    std::optional<State> now() const;   ///< empty: nothing is done yet, or nobody tells

private:
    const double soonest_;
    mutable std::mutex mutex_;
    double first_ = 0, last_ = 0;
    std::optional<Stopwatch> since_first_, since_last_;
};

}   // namespace credence
