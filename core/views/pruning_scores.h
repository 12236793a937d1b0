// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/pruning.h"
#include "prediction/scores.h"
#include "runs/experiment.h"

#include <optional>
#include <stop_token>

namespace credence {

/// How well a network with pruned weights predicts.
struct PrunedScores {
    PruneRule rule{};
    std::optional<ClassificationScores> classes{};   ///< empty: regression
    double rmse      = 0;                            ///< regression, in the target's units
    int n_draws      = 0;                            ///< 0: at the mean weights
    std::size_t rows = 0, all_rows = 0;              ///< scored rows, and all rows
};

/// Scores a snapshot's network without the weights that the rule removes, on its test set (training
/// set if there is none).
/// At the mean weights this is one pass through the plain network, without dropout masks and
/// without linearisation: fast enough to follow a slider.
/// @param draws  samples of the remaining weights; 0: their means
/// @param rows   at most this many, evenly spaced over the set; 0: all
/// @return       empty if `stop` was requested
/// @throws Error if the share is outside [0, 1], if there are no rows, or if a prediction is not
/// finite
std::optional<PrunedScores> pruned_scores(const RunSnapshot& moment, const PruneRule& rule, int draws, std::size_t rows,
                                          std::stop_token stop = {});

}   // namespace credence
