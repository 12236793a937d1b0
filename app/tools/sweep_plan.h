// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/sweep_runs.h"

#include <QString>

#include <filesystem>
#include <optional>
#include <vector>

// What is said of a sweep before it runs.

/// Where the cells of the window's sweeps lie: a folder for each base, whatever is varied. So a cell is found again when a value or a seed is added.
std::filesystem::path folderOfSweep(const credence::Sweep& sweep);

/// A sweep to begin with: three learning rates around that of the Study (numbers of steps, where it has none), with three seeds.
credence::Sweep usualSweep(const credence::Study& study);

/// How fast a kept run was.
struct SweepPace {
    credence::Study study;
    double secondsPerStep = 0;
};
/// Returns how long the cells that are not done may take: by the mean of those that are, side by side on all cores; else by kept runs with the same data, net, method and
/// minibatches, one after the other. Empty: nothing is known yet.
std::optional<double> secondsOfSweep(const SweepMoment& moment, const std::vector<SweepPace>& kept);

/// "9 cells (3 × 3 seeds), 3 done; about 1:20 for the others"
QString sweepPlanWords(const SweepMoment& moment, std::optional<double> seconds);
