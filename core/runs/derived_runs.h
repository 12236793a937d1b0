// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/pruning.h"
#include "runs/experiment.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Runs computed from a run: without its pruned weights, and with one of its targets.

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

/// Returns the run as if it predicted only one of its numeric targets: the same network and
/// posterior, with the data and the likelihood of this target. Scores, views and predictions of
/// several targets are computed from such runs, one target at a time. The last few are cached.
/// Results cached for one of them (result_cache.h) stay valid for a later one of the same target.
/// @param target  from 0. A run with one target is returned unchanged
RunSnapshot run_of_target(const RunSnapshot& run, std::size_t target);

/// Returns why a feature that needs a single target is not available. Empty: the run has one
/// target.
std::optional<std::string> why_not_one_target(const Experiment& experiment);

}   // namespace credence
