// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "sweeps/sweep_results.h"
#include "sweeps/sweep_runs.h"

#include <optional>
#include <string>
#include <vector>

namespace credence {

// Results of a sweep so far, as tables and text. Pure functions.

/// One row per cell, in order: values of the axes, state, every score, seconds, and error messages
/// if any.
Chart sweep_cells_chart(const SweepSnapshot& snapshot);

/// Mean and standard deviation of one score over the seeds, one row per combination of the other
/// axes.
Chart sweep_summary_chart(const SweepResults& results, const ScoreName& score);
/// Mean and standard deviation of all scores, in the same form.
Chart sweep_all_scores_chart(const SweepResults& results);
/// The values selected on the validation set; empty for sweeps without such a selection.
std::optional<Chart> sweep_chosen_chart(const SweepResults& results);

/// Differences of one score, paired by seed, with their verdicts.
struct SweepDifferences {
    Chart chart;
    std::vector<std::string> sentences;   ///< one per row
};
SweepDifferences sweep_differences(const SweepResults& results, const ScoreName& score);

/// "all are done", "none is done yet", "9 done, 2 failed"
std::string sweep_state_text(const SweepResults& results);

}   // namespace credence
