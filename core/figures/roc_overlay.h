// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/roc.h"

#include <span>
#include <string>
#include <vector>

namespace credence {

/// The mean ROC curves of runs that share a line: one run, or those that differ in their seed alone.
struct RocOfRuns {
    std::string name{};
    std::vector<RocCurve> means{};   ///< of each run its mean over the classes (OneAgainstAll::mean)
};

/// Draws the mean ROC curve of each entry, over its classes and its runs, in one panel, with the area under it in the legend: the mean over the runs, ± standard deviation (divisor n − 1)
/// of two or more. Where curves hug the corner, it is enlarged beside. The table has a row an entry. Entries without a run are left out; none at all: a message.
/// Source: Steinbrener et al. 2020, Fig. 3.
Chart overlay_of_rocs(std::span<const RocOfRuns> entries);

}   // namespace credence
