// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/optimizer.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace credence {

/// The course of a run that keeps draws on its way, as far as its settings say so before it. Its chains are alike and go on side by side.
struct RunPlan {
    int chains = 1;
    bool abreast =
        false;   ///< a step of the run is one of every chain; else its steps are those of all chains together
    long shared_start = 0;   ///< steps by an optimiser before the chains, to the one start of all
    long own_start    = 0;   ///< steps by an optimiser before those of each chain, to its own start
    long steps        = 0;   ///< of each chain
    std::vector<std::pair<long, long>> quiet{};   ///< after steps first + 1 … last of a chain nothing is kept, rising
    std::vector<long> kept{};   ///< steps of a chain after which something is kept, from 1 to `steps`, rising
    int draws = 1;              ///< kept after each of them
    std::optional<ScheduleOptions> schedule{};   ///< of the chain's steps; empty: they have no learning rate
    const char* one_step    = "step";
    const char* quiet_words = "burn-in";      ///< what the quiet steps are for
    const char* kept_words  = "draws kept";   ///< what is counted
};

/// Draws of all chains that are kept once so many steps of the whole run are done.
long draws_kept(const RunPlan& plan, long step);

/// Says how far a run is, once so many of its steps are done: "transition 640 of 2,000, 4 chains, warm-up", "step 300 of 1,000, 4 chains, draws kept 120 of 400".
std::string progress_words(const RunPlan& plan, long step);

}   // namespace credence
