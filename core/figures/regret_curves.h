// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace credence {

/// The cumulative regret of one bandit agent over several courses, one per seed (Blundell et al.
/// 2015, Fig. 6).
struct RegretCurves {
    std::string name;          ///< of the agent: "Mean field, Thompson sampling"
    std::vector<long> steps;   ///< interactions after which the regret was recorded, rising [n]
    std::vector<std::vector<double>>
        cumulative;   ///< for each seed: the sum of oracle reward minus received reward up to each
                      ///< of these steps [seeds][n]

    bool operator==(const RegretCurves&) const = default;
};

}   // namespace credence
