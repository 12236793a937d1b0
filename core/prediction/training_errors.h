// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/standardiser.h"
#include "training/trainer.h"

namespace credence {

/// Errors over training and test set by a small number of draws, for the curves recorded while training: share of wrong classes, or RMSE in target units.
/// Of large sets the first `rows_at_most` rows are looked at (the split is in random order). Deterministic: draws come from `seed`.
Evaluator make_evaluator(Model model, std::shared_ptr<const SplitData> data, std::uint64_t seed);

}  // namespace credence
