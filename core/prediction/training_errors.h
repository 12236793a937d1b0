// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/standardiser.h"
#include "training/trainer.h"

namespace credence {

/// Errors over training and test set by a small number of draws, for the curves recorded while training: share of wrong classes, or RMSE in target units.
/// Of large sets `rows` rows evenly over the set are looked at: a little off the scores of a finished run. Deterministic: draws come from `seed`.
struct ErrorEffort {
    int rows  = 1000;   ///< of each set, at most; 0: all of the test set, and as many of the training set
    int draws = 8;
};
Evaluator make_evaluator(Model model, const SplitData& data, std::uint64_t seed, ErrorEffort effort = {});

}   // namespace credence
