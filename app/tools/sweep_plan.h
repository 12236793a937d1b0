// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/sweep_runs.h"

#include <QString>

#include <filesystem>
#include <optional>
#include <vector>

// Text and estimates about a sweep before it runs.

/// Folder of the cells of the window's sweeps: one per base, independent of the varied settings, so
/// that cells are reused when a value or seed is added.
std::filesystem::path folderOfSweep(const credence::Sweep& sweep);

/// A default sweep: three learning rates around that of the Study (numbers of steps if it has
/// none), with three seeds.
credence::Sweep usualSweep(const credence::Study& study);

/// Speed of a saved run.
struct SweepPace {
    credence::Study study;
    double secondsPerStep = 0;
};
/// Estimates the duration of the missing cells: from the mean of the finished ones, in parallel on
/// all cores; otherwise from saved runs with the same data, network, method and minibatches, one
/// after the other. Empty: unknown.
std::optional<double> secondsOfSweep(const SweepSnapshot& moment, const std::vector<SweepPace>& kept);

/// "9 cells (3 × 3 seeds), 3 done; about 1:20 for the others"
QString sweepPlanWords(const SweepSnapshot& moment, std::optional<double> seconds);
