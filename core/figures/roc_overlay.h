// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/roc.h"

#include <span>
#include <string>
#include <vector>

namespace credence {

/// The mean ROC curves of runs that share a line: one run, or runs that differ only in their seed.
struct RocOfRuns {
    std::string name{};
    std::vector<RocCurve> means{};   ///< mean over the classes of each run (OneAgainstAll::mean)
};

/// Draws the mean ROC curve of each entry, over its classes and runs, in one panel, with the area
/// in the legend: the mean over the runs, ± standard deviation (divisor n − 1) for two or more. If
/// curves hug the corner, a second panel enlarges it. The table has one row per entry. Entries
/// without a run are left out; without any: a message.
/// Source: Steinbrener et al. 2020, Fig. 3.
Chart overlay_of_rocs(std::span<const RocOfRuns> entries);

}   // namespace credence
