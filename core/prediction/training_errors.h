// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/split.h"
#include "training/trainer.h"

namespace credence {

/// Errors on training and test set with a small number of samples, for the curves recorded during
/// training: share of wrong classes, or RMSE in target units; of several targets, the root of their mean
/// squared error in standard deviations of each. Large sets are evaluated on `rows`
/// evenly spaced rows, so the errors differ slightly from the final scores. Deterministic: samples
/// depend on `seed`.
struct ErrorEffort {
    int rows  = 1000;   ///< of each set, at most; 0: all of the test set, and as many of the training set
    int draws = 8;
};
Evaluator make_evaluator(Model model, const SplitData& data, std::uint64_t seed, ErrorEffort effort = {});

}   // namespace credence
