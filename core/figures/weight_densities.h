// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/density.h"
#include "posterior/pruning.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// The weights of one run among several.
struct WeightsOfRun {
    std::string name{};
    bool drawn            = false;   ///< one posterior sample; otherwise the weights themselves
    std::size_t n_removed = 0;       ///< pruned, and not in `values`
    std::vector<double> values{};    ///< remaining weights and biases
    PruneRule removed_by{};          ///< as applied: weights without spread are pruned by |μ|
};

/// The densities of the weights of several runs in one panel (Blundell et al. 2015, Fig. 3), on one
/// axis: from the lowest 0.05 % quantile to the highest 99.95 % quantile, so that a few large
/// weights do not squeeze the others. The table has one row per run. No runs: a message.
Chart overlay_of_weights(std::span<const WeightsOfRun> runs);

}   // namespace credence
