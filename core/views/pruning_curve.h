// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "posterior/pruning.h"
#include "prediction/scores.h"
#include "runs/experiment.h"

#include <array>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// Shares at which pruning is scored, and those of Blundell et al. 2015, Table 2, which are listed
/// in the table.
inline constexpr std::array pruned_shares{0.0, 0.25, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98};
inline constexpr std::array published_shares{0.0, 0.5, 0.75, 0.95, 0.98};

/// A network's scores after a share of its weights is removed.
struct PruningCurve {
    struct Point {
        double share = 0;
        ClassificationScores scores{};
    };
    struct Curve {
        std::string name{};          ///< "|μ|/σ", or the name of a run
        std::vector<Point> points;   ///< at the mean weights, by rising share
        std::vector<Point> drawn;    ///< by the mean over `n_draws` draws; can be empty
        int n_draws = 0;
    };
    std::vector<Curve> curves;
    std::optional<double> now{};   ///< the share that is removed on screen
    std::string rows{};            ///< "test set"
    bool per_layer = false, biases = true;
};
/// Error in percent, NLL and ECE against the removed share in percent, one panel each; the table
/// has one row per curve and published share.
Chart to_chart(const PruningCurve& value);

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
std::optional<PrunedScores> pruned_scores(const RunSnapshot& run, const PruneRule& rule, int draws, std::size_t rows,
                                          std::stop_token stop = {});

}   // namespace credence
