// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "posterior/pruning.h"
#include "prediction/scores.h"

#include <array>
#include <optional>
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

}   // namespace credence
