// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/pruning.h"
#include "runs/experiment.h"

#include <span>
#include <vector>

namespace credence {

/// Returns the same step with the weights removed by the rule. Unchanged if the rule removes none,
/// if there are no weights (nothing trained, or imported predictions), or if it is already pruned.
/// The last few pruned snapshots are cached: all callers share one snapshot, and results cached for
/// it are found again. Can be called from many threads. The first call takes a few milliseconds per
/// million weights.
/// @throws Error if the share is outside [0, 1]
RunSnapshot pruned(const RunSnapshot& run, const PruneRule& rule);
std::vector<RunSnapshot> pruned(std::span<const RunSnapshot> snapshots, const PruneRule& rule);

/// The rule by which the weights were pruned; null: not pruned.
const PruneRule* pruning_of(const RunSnapshot& run);

}   // namespace credence
