// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/stopwatch.h"
#include "training/checkpoint.h"
#include "training/trainer.h"

#include <cstddef>
#include <optional>
#include <stop_token>

// The one loop of everything that goes on side by side: chains of any kind, members of an ensemble.
namespace credence::method_parts {

/// Chains that go on at the same time, a step at a time each.
class Walkers {
public:
    virtual ~Walkers()                      = default;
    virtual std::size_t count() const       = 0;
    virtual long done(std::size_t k) const  = 0;   ///< steps of chain k so far
    virtual bool ended(std::size_t k) const = 0;   ///< it makes no more steps: it is at its end, or failed
    /// Makes one step of chain k, which has not ended. Called on any thread, for one k never on two at once.
    virtual void step(std::size_t k) = 0;
    /// The step at which all meet next, all those that have not ended. @param fewest  steps that one of them has made @return  more than these
    virtual long next_meeting(long fewest) const = 0;
    /// All have met. @return  why the run ends here; empty: it goes on
    virtual std::optional<StopReason> met(long step) = 0;
    virtual void show()                              = 0;   ///< a look in between, wherever each of them stands
    virtual void tell_progress() const               = 0;
    virtual long steps_told() const { return 0; }   ///< how far progress says that the run is
};

/// Wall time of a run, without its pauses, and how much of it there may be.
struct RunTime {
    Stopwatch clock{};
    double most   = 0;   ///< seconds; 0: no limit
    double before = 0;   ///< seconds of the run until it was interrupted
    double seconds() const { return before + clock.seconds(); }
    /// Passes the seconds so far.
    void serialise(StateBytes& state)
    {
        double so_far = seconds();
        state.value(so_far);
        if (state.reading())
            *this = {.clock = {}, .most = most, .before = so_far};
    }
    bool over() const { return most > 0 && seconds() >= most; }
};

/// Runs them to their ends, on all threads of the enclosing Threads::run, each on one thread at a time: whoever is free takes on the one that is furthest behind, for a few
/// steps. No chain sees how far the others are, so that each is the same on any number of threads; they are at one step where they meet, and nowhere else.
/// Between two meetings all stop for a look four times a second, and within a step for a pause or a cancel; of a single step each makes one.
/// Nested loops of a step use what threads are free, and never begin the step of another chain.
/// @param checkpoint  is told whenever none of them is at work, behind a meeting or a look; null: nobody is
/// @return  steps_done: all have ended; time_limit, cancelled; or what `met` says
StopReason walk_side_by_side(Walkers& walkers, RunTime& time, const std::stop_token& stop, TrainingControl* control,
                             Checkpoint* checkpoint = nullptr);

}   // namespace credence::method_parts
