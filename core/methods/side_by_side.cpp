// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/side_by_side.h"

#include "foundation/parallel.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <vector>

namespace credence::method_parts {
namespace {

constexpr double round_seconds = 0.25;   // interval at which chains pause to show their current state
constexpr double share_of_look = 0.1;    // largest share of the time spent on showing
constexpr double shortest_look = 0.05;   // seconds: in slow motion, each of 20 steps a second is shown
constexpr long pieces = 8;   // per interval between synchronisation points: a chain that is ahead yields its thread

/// Steps of the slowest chain; empty: all have ended.
std::optional<long> fewest_steps(const Walkers& walkers)
{
    std::optional<long> fewest;
    for (std::size_t k = 0; k < walkers.count(); ++k)
        if (!walkers.ended(k))
            fewest = std::min(fewest.value_or(walkers.done(k)), walkers.done(k));
    return fewest;
}

/// Tracks which chains are running and which is next.
class Turns {
public:
    Turns(const Walkers& walkers, long target) : walkers_(walkers), target_(target), busy_(walkers.count()) {}

    /// The slowest chain that no thread is working on; empty: none left for this thread.
    std::optional<std::size_t> take()
    {
        const std::lock_guard lock(mutex_);
        std::optional<std::size_t> next;
        for (std::size_t k = 0; k < busy_.size(); ++k)
            if (!busy_[k] && !walkers_.ended(k) && walkers_.done(k) < target_
                && (!next || walkers_.done(k) < walkers_.done(*next)))
                next = k;
        if (next)
            busy_[*next] = true;
        return next;
    }
    void give_back(std::size_t k)
    {
        const std::lock_guard lock(mutex_);
        busy_[k] = false;
    }

private:
    const Walkers& walkers_;
    long target_;
    std::mutex mutex_;
    std::vector<char> busy_;
};

void one_step_each(Walkers& walkers, long target)
{
    parallel_for(walkers.count(), [&](std::size_t k) {
        if (!walkers.ended(k) && walkers.done(k) < target)
            walkers.step(k);
    });
}

void walk_round(Walkers& walkers, long fewest, long target, const RunTime& time, const std::stop_token& stop,
                const TrainingControl* control)
{
    const double left   = time.most > 0 ? std::max(0.0, time.most - time.seconds()) : round_seconds;
    const auto deadline = Stopwatch::Clock::now()
                          + std::chrono::duration_cast<Stopwatch::Clock::duration>(
                              std::chrono::duration<double>(std::min(round_seconds, left)));
    const auto over = [&] {
        return stop.stop_requested() || (control && control->holds_back()) || Stopwatch::Clock::now() >= deadline;
    };
    const long piece = std::max(1L, (target - fewest) / pieces);
    Turns turns(walkers, target);
    parallel_for(std::min(walkers.count(), static_cast<std::size_t>(concurrency())), [&](std::size_t) {
        while (const auto k = turns.take()) {
            bool done = false;
            for (long i = 0; i < piece && !done && !walkers.ended(*k) && walkers.done(*k) < target; ++i) {
                walkers.step(*k);
                done = over();
            }
            turns.give_back(*k);
            if (done)
                return;
        }
    });
}

}   // namespace

StopReason walk_side_by_side(Walkers& walkers, RunTime& time, const std::stop_token& stop, TrainingControl* control,
                             Checkpoint* checkpoint)
{
    bool cut_short    = false;   // a computation at a synchronisation point was interrupted: the run cannot continue
    const auto cancel = [&] {
        if (checkpoint && !cut_short)
            checkpoint->at_stop(walkers.steps_reported());
        return StopReason::cancelled;
    };
    double next_look = 0;   // seconds
    const auto look  = [&] {
        walkers.report_progress();
        if (time.seconds() < next_look)
            return;
        const double before = time.seconds();
        walkers.show();
        next_look = time.seconds() + (time.seconds() - before) / share_of_look;
    };
    while (const auto fewest = fewest_steps(walkers)) {
        if (control && control->holds_back()) {
            if (control->shows_each(shortest_look)) {
                walkers.show();
                walkers.report_progress();
            }
            const Stopwatch pause;
            const bool goes_on = control->wait_for_permission(stop);
            time.clock.forget(pause);
            if (!goes_on)
                return cancel();
        }
        if (stop.stop_requested())
            return cancel();
        const long target = walkers.next_meeting(*fewest);
        if (control && control->holds_back())   // one single step is allowed
            one_step_each(walkers, target);
        else
            walk_round(walkers, *fewest, target, time, stop, control);
        const auto fewest_now = fewest_steps(walkers);
        if (!fewest_now || *fewest_now >= target) {
            if (const auto end = walkers.met(target))
                return *end;
            cut_short = stop.stop_requested();
        } else if (!stop.stop_requested()) {
            look();
        }
        if (fewest_now && time.over())
            return StopReason::time_limit;
        if (checkpoint && fewest_now && !stop.stop_requested())
            checkpoint->between_steps(walkers.steps_reported());
    }
    return StopReason::steps_done;
}

}   // namespace credence::method_parts
