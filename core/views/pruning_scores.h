// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/pruning.h"
#include "prediction/scores.h"
#include "runs/experiment.h"

#include <optional>
#include <stop_token>

namespace credence {

/// How well a net with pruned weights predicts.
struct PrunedScores {
    PruneRule rule{};
    std::optional<ClassificationScores> classes{};   ///< empty: there is a number to predict
    double rmse      = 0;                            ///< of a number to predict, in the target's units
    int n_draws      = 0;                            ///< 0: at the mean weights
    std::size_t rows = 0, all_rows = 0;              ///< looked at, of how many
};

/// Scores of a moment's net with the weights gone that the rule names, on its test set (training set where there is none).
/// At the mean weights it is one pass through the plain net, without dropout masks and without a linearisation: quick enough to follow a slider.
/// @param draws  of the weights that are left, as the run predicts; 0: at their means
/// @param rows   at most so many, evenly over the set; 0: all
/// @return       empty if `stop` was requested
/// @throws Error if the share is outside [0, 1], if there are no rows, or if a prediction is not finite
std::optional<PrunedScores> pruned_scores(const RunMoment& moment, const PruneRule& rule, int draws, std::size_t rows,
                                          std::stop_token stop = {});

}   // namespace credence
