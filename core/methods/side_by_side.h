// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/progress.h"
#include "training/checkpoint.h"
#include "training/trainer.h"

#include <cstddef>
#include <optional>
#include <stop_token>

// The common loop of everything that runs in parallel: chains of any kind and ensemble members.
namespace credence::method_parts {

/// Chains that run in parallel, each one step at a time.
class ParallelChains {
public:
    virtual ~ParallelChains()               = default;
    virtual std::size_t count() const       = 0;
    virtual long done(std::size_t k) const  = 0;   ///< steps of chain k so far
    virtual bool ended(std::size_t k) const = 0;   ///< it makes no more steps: finished or failed
    /// Makes one step of chain k, which has not ended. Called on any thread, but never twice at
    /// once for the same k.
    virtual void step(std::size_t k) = 0;
    /// Returns the step of the next synchronisation point of all running chains.
    /// @param fewest  steps of the slowest chain
    /// @return        more than `fewest`
    virtual long next_synchronisation(long fewest) const = 0;
    /// Called when all chains are synchronised. Called again after a resume at this point, since a
    /// stop request can leave the work unfinished; completed work is not repeated.
    /// @return  why the run ends here; empty: it continues
    virtual std::optional<StopReason> synchronised(long step) = 0;
    virtual void show()                  = 0;   ///< shows the current state between synchronisation points
    virtual void report_progress() const = 0;
    virtual long steps_reported() const { return 0; }   ///< steps that progress reports
};

/// Wall time of a run without its pauses, and its limit.
struct RunTime {
    Stopwatch clock{};
    double most   = 0;   ///< seconds; 0: no limit
    double before = 0;   ///< seconds before the run was interrupted
    double seconds() const { return before + clock.seconds(); }
    /// Reads or writes the seconds so far.
    void serialise(StateBytes& state)
    {
        double so_far = seconds();
        state.value(so_far);
        if (state.reading())
            *this = {.clock = {}, .most = most, .before = so_far};
    }
    bool over() const { return most > 0 && seconds() >= most; }
};

/// Runs the chains to their ends on all threads of the enclosing Threads::run. Each chain runs on
/// one thread at a time; a free thread continues the slowest chain for a few steps. No chain
/// depends on the progress of the others, so results are the same on any number of threads. Chains
/// are at the same step only at synchronisation points.
/// Between these points, all chains stop four times a second to show their state. A pause or a
/// cancellation takes effect within a step; a single step advances each chain by one.
/// Nested loops within a step use the free threads and never start a step of another chain.
/// @param checkpoint  called whenever no chain is running, after a synchronisation point or after
/// the state was shown; may be null
/// @return  steps_done: all have ended; time_limit, cancelled; or the result of `synchronised`
StopReason run_side_by_side(ParallelChains& chains, RunTime& time, const std::stop_token& stop,
                            TrainingControl* control, Checkpoint* checkpoint = nullptr);

}   // namespace credence::method_parts
