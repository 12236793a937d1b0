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
    bool drawn            = false;   ///< one draw of a posterior; else the weights themselves
    std::size_t n_removed = 0;       ///< pruned, and not among `values`
    std::vector<double> values{};    ///< weights and biases that are left
    PruneRule removed_by{};          ///< as it was applied: weights without spread go by |μ|
};

/// The densities of the weights of several runs over one another (Blundell et al. 2015, Fig. 3), on one axis: from the lowest 0.05 % quantile of them to the highest 99.95 %
/// quantile, so that a few large weights do not squeeze the others. Its table has a row a run. No runs: a message.
Chart overlay_of_weights(std::span<const WeightsOfRun> runs);

}   // namespace credence
