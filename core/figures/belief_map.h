// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "figures/decision_map.h"

#include <string>
#include <vector>

namespace credence {

/// What the map of an agent's beliefs shows.
enum class BeliefQuantity {
    share_eating,   ///< share of the draws under which eating is better
    advantage,      ///< mean reward expected of eating, less that of leaving
    doubt,          ///< standard deviation over draws of the reward of eating
};
std::string title_of(BeliefQuantity quantity);   ///< "Eating is better under … of the draws"

/// What an agent of the made-up bandit believes of each place of the plane, and what it has met there.
struct BeliefMap {
    std::string agent{};                                      ///< "Mean field, Thompson sampling"
    long interactions = 0;                                    ///< so far
    MapGrid grid{};                                           ///< of the cells
    std::vector<double> share_eating{};                       ///< [ny × nx]; empty: the agent has no net
    std::vector<double> mean_eat{}, mean_leave{}, sd_eat{};   ///< in rewards [ny × nx]

    /// A point that came by.
    struct Met {
        double x = 0, y = 0;
        bool edible = false, eaten = false;
        bool operator==(const Met&) const = default;
    };
    std::vector<Met> met{};     ///< the newest last
    std::size_t left_out = 0;   ///< older ones that are not drawn
    std::string x_name = "x1", y_name = "x2";
};

/// Draws the map with the points over it: circles are edible, triangles poisonous; filled ones were eaten, open ones left.
/// @throws Error  if there is not a number for each cell
Chart to_chart(const BeliefMap& map, BeliefQuantity quantity);

}   // namespace credence
