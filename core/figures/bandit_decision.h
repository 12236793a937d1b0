// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <optional>
#include <string>
#include <vector>

namespace credence {

/// What an agent of the mushroom bandit expects of both actions before one mushroom, in rewards.
struct BanditDecision {
    std::string agent{};                  ///< "Mean field, Thompson sampling"
    std::string what{};                   ///< "Next: an edible one", "At x1 = 0.5, x2 = −0.3"
    std::vector<double> eat{}, leave{};   ///< draw i of both belongs to one draw of the weights [draws]; empty: no net
    int deciding     = 0;                 ///< the first so many draws decide by their mean; 0: all of them
    double by_chance = 0;                 ///< share of the interactions in which a coin decides instead
    std::optional<double> truth{};        ///< mean reward of eating it, if that is known

    double mean_eat() const;     ///< over all draws
    double mean_leave() const;   ///< over all draws
    bool eats() const;           ///< is the mean of `eat` over the deciding draws above that of `leave`?
};

/// A reward or a regret as a person reads it, with at most one digit after the point: "5", "−2.1".
std::string reward_text(double reward);

/// Draws a box for eating and one for leaving, with means, the draws that decide, and the true mean rewards; the title says in words what is expected and what follows.
/// @throws Error  if there are not as many draws of one action as of the other
Chart to_chart(const BanditDecision& decision);

}   // namespace credence
