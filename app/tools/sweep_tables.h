// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/sweep_runs.h"

#include "charts/chart.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

// Results of a sweep so far, as tables and text. Pure functions.

/// One row per cell, in order: values of the axes, state, every score, seconds, and error messages
/// if any.
credence::Table sweepCells(const SweepSnapshot& snapshot);
credence::Chart sweepCellsChart(const SweepSnapshot& snapshot);

/// Mean and standard deviation of one score over the seeds, one row per combination of the other
/// axes.
credence::Chart sweepSummary(const credence::SweepResults& results, const credence::ScoreName& score);
/// The same for all scores.
credence::Chart sweepAllScores(const credence::SweepResults& results);
/// For sweeps that select a value on the validation set; otherwise empty.
std::optional<credence::Chart> sweepChosen(const credence::SweepResults& results);

/// Differences of one score, paired by seed, with their verdicts.
struct SweepDifferences {
    credence::Chart chart;
    std::vector<std::string> sentences;   ///< one per row
};
SweepDifferences sweepDifferences(const credence::SweepResults& results, const credence::ScoreName& score);

/// "9 cells are done; 2 failed, 3 are waiting"
QString sweepStateWords(const credence::SweepResults& results);
