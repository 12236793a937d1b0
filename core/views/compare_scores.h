// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "runs/experiment.h"

#include <optional>
#include <span>
#include <stop_token>

namespace credence {

/// The scores of several runs side by side: a row a score, a column a run. A score that a run does not have (another task, another level) is an empty
/// cell; scores stand in the order in which they first occur. A run that keeps validation images has its test set's scores in the same rows as the others, and those of the
/// validation set in rows of their own.
/// @return  empty if `stop` was requested
std::optional<Chart> compare_scores(std::span<const RunMoment> runs, std::stop_token stop = {});

}   // namespace credence
