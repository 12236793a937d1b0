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
constexpr double shortest_look = 0.05;   // seconds: in slow motion, 20 steps a second can each be shown
// Pieces of the interval between synchronisation points: after each, a thread can switch to a chain
// that has made fewer steps.
constexpr long pieces = 8;

/// Steps of the slowest chain; empty: all have ended.
std::optional<long> fewest_steps(const ParallelChains& chains)
{
    std::optional<long> fewest;
    for (std::size_t k = 0; k < chains.count(); ++k)
        if (!chains.ended(k))
            fewest = std::min(fewest.value_or(chains.done(k)), chains.done(k));
    return fewest;
}

/// True if all running chains are at a synchronisation point, after this many steps.
bool is_synchronised(const ParallelChains& chains, long fewest)
{
    if (fewest == 0 || chains.next_synchronisation(fewest - 1) != fewest)
        return false;
    for (std::size_t k = 0; k < chains.count(); ++k)
        if (!chains.ended(k) && chains.done(k) != fewest)
            return false;
    return true;
}

/// Tracks which chains are running and which is next.
class Turns {
public:
    Turns(const ParallelChains& chains, long target) : chains_(chains), target_(target), busy_(chains.count()) {}

    /// The slowest chain that no thread is working on; empty: none left for this thread.
    std::optional<std::size_t> take()
    {
        const std::lock_guard lock(mutex_);
        std::optional<std::size_t> next;
        for (std::size_t k = 0; k < busy_.size(); ++k)
            if (!busy_[k] && !chains_.ended(k) && chains_.done(k) < target_
                && (!next || chains_.done(k) < chains_.done(*next)))
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
    const ParallelChains& chains_;
    long target_;
    std::mutex mutex_;
    std::vector<char> busy_;
};

void one_step_each(ParallelChains& chains, long target)
{
    parallel_for(chains.count(), [&](std::size_t k) {
        if (!chains.ended(k) && chains.done(k) < target)
            chains.step(k);
    });
}

void run_round(ParallelChains& chains, long fewest, long target, const RunTime& time, const std::stop_token& stop,
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
    Turns turns(chains, target);
    parallel_for(std::min(chains.count(), static_cast<std::size_t>(concurrency())), [&](std::size_t) {
        while (const auto k = turns.take()) {
            bool done = false;
            for (long i = 0; i < piece && !done && !chains.ended(*k) && chains.done(*k) < target; ++i) {
                chains.step(*k);
                done = over();
            }
            turns.give_back(*k);
            if (done)
                return;
        }
    });
}

}   // namespace

StopReason run_side_by_side(ParallelChains& chains, RunTime& time, const std::stop_token& stop,
                            TrainingControl* control, Checkpoint* checkpoint)
{
    const auto cancel = [&] {
        if (checkpoint)
            checkpoint->at_stop(chains.steps_reported());
        return StopReason::cancelled;
    };
    double next_look = 0;   // seconds
    const auto look  = [&] {
        chains.report_progress();
        if (time.seconds() < next_look)
            return;
        const double before = time.seconds();
        chains.show();
        next_look = time.seconds() + (time.seconds() - before) / share_of_look;
    };
    if (const auto fewest = fewest_steps(chains); fewest && is_synchronised(chains, *fewest))
        if (const auto end = chains.synchronised(*fewest))   // repeated because a stop request left it unfinished
            return *end;
    while (const auto fewest = fewest_steps(chains)) {
        if (control && control->holds_back()) {
            if (control->shows_each(shortest_look)) {
                chains.show();
                chains.report_progress();
            }
            const Stopwatch pause;
            const bool continues = control->wait_for_permission(stop);
            time.clock.forget(pause);
            if (!continues)
                return cancel();
        }
        if (stop.stop_requested())
            return cancel();
        const long target = chains.next_synchronisation(*fewest);
        if (control && control->holds_back())   // while paused, only single steps are allowed
            one_step_each(chains, target);
        else
            run_round(chains, *fewest, target, time, stop, control);
        const auto fewest_now = fewest_steps(chains);
        if (!fewest_now || *fewest_now >= target) {
            if (const auto end = chains.synchronised(target))
                return *end;
        } else if (!stop.stop_requested()) {
            look();
        }
        if (fewest_now && time.over())
            return StopReason::time_limit;
        if (checkpoint && fewest_now && !stop.stop_requested())
            checkpoint->between_steps(chains.steps_reported());
    }
    return StopReason::steps_done;
}

}   // namespace credence::method_parts
