// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/optimizer.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace credence {

/// The course of a run that stores draws, as far as its settings determine it. All chains have the
/// same plan and run in parallel.
struct RunPlan {
    int chains = 1;
    bool abreast =
        false;   ///< true: a step of the run is one step of every chain; false: steps of all chains are added
    long shared_start = 0;   ///< optimiser steps to a start shared by all chains
    long own_start    = 0;   ///< optimiser steps of each chain to its own start
    long steps        = 0;   ///< per chain
    std::vector<std::pair<long, long>>
        quiet{};                ///< no draw is stored after steps first + 1 … last of a chain, ascending
    std::vector<long> kept{};   ///< steps of a chain after which draws are stored, from 1 to `steps`, ascending
    int draws = 1;              ///< number of draws stored after each of these steps
    std::optional<ScheduleOptions> schedule{};   ///< of the chain's steps; empty: no learning rate
    const char* one_step    = "step";
    const char* quiet_words = "burn-in";      ///< name of the quiet steps
    const char* kept_words  = "draws kept";   ///< what is counted
};

/// Returns the number of draws that all chains have stored after this many steps of the whole run.
long draws_kept(const RunPlan& plan, long step);

/// Returns the progress after this many steps as text: "transition 640 of 2,000, 4 chains, warm-up",
/// "step 300 of 1,000, 4 chains, draws kept 120 of 400".
std::string progress_words(const RunPlan& plan, long step);

}   // namespace credence
