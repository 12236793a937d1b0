// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/pruned_posterior.h"
#include "runs/experiment.h"

#include <span>
#include <vector>

namespace credence {

/// The same moment with the weights gone that the rule names; the moment itself, if the rule removes none, if there are no weights yet or they are not known (outputs from elsewhere), or if it is pruned already.
/// Of the last few moments and rules the pruned snapshot is kept, so that all who ask for one look at the same: what is kept for a moment is found again. May be called from
/// many threads; takes a few milliseconds for each million weights the first time.
/// @throws Error if the share is outside [0, 1]
RunMoment pruned(const RunMoment& moment, const PruneRule& rule);
std::vector<RunMoment> pruned(std::span<const RunMoment> moments, const PruneRule& rule);

/// The rule by which the weights of a moment were pruned; null: they are whole.
const PruneRule* pruning_of(const RunMoment& moment);

}   // namespace credence
