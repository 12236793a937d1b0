// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/scores.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace credence {

/// One-against-all ROC curves and their mean (Steinbrener et al. 2020, Fig. 3).
struct RocFigure {
    OneAgainstAll roc;
    std::vector<std::string> class_names;   ///< [K]
    long n = 0;
};
RocFigure roc_figure(const ClassPredictions& predictions, std::span<const int> labels,
                     const std::vector<std::string>& class_names);

/// With the corner enlarged in a second panel if the mean curve hugs it. With more than 100 classes
/// the ten curves with the smallest areas and the mean of all. Areas are those of the full curves;
/// drawn curves have at most 800 points (200 with more than 16 classes), and the caption gives the
/// tolerance.
Chart to_chart(const RocFigure& figure);

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
