// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/sweep_runs.h"

#include "charts/chart.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

// What a sweep says so far, as tables and in words. Pure functions.

/// A row for each cell, in their order: values of the axes, state, every score, seconds, and why it failed if any did.
credence::Table sweepCells(const SweepMoment& moment);
credence::Chart sweepCellsChart(const SweepMoment& moment);

/// Mean and standard deviation of one score over the seeds, a row for each combination of the other axes.
credence::Chart sweepSummary(const credence::SweepResults& results, const credence::ScoreName& score);
/// The same of all scores.
credence::Chart sweepAllScores(const credence::SweepResults& results);
/// For sweeps that choose a value on the validation set; empty for all others.
std::optional<credence::Chart> sweepChosen(const credence::SweepResults& results);

/// Differences of one score, paired by seed, and what they say.
struct SweepDifferences {
    credence::Chart chart;
    std::vector<std::string> sentences;   ///< one a row
};
SweepDifferences sweepDifferences(const credence::SweepResults& results, const credence::ScoreName& score);

/// "9 cells are done; 2 failed, 3 are waiting"
QString sweepStateWords(const credence::SweepResults& results);
