// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <optional>
#include <string>
#include <vector>

namespace credence {

/// The reward that an agent of the mushroom bandit predicts for both actions at one mushroom.
struct BanditDecision {
    std::string agent{};                  ///< "Mean field, Thompson sampling"
    std::string what{};                   ///< "Next: an edible one", "At x1 = 0.5, x2 = −0.3"
    std::vector<double> eat{}, leave{};   ///< draw i of both uses the same weight sample [draws]; empty: no network
    int deciding     = 0;                 ///< the mean of this many first draws decides; 0: all of them
    double by_chance = 0;                 ///< share of the interactions in which a fair coin decides instead
    std::optional<double> truth{};        ///< mean reward of eating it, if known

    double mean_eat() const;     ///< over all draws
    double mean_leave() const;   ///< over all draws
    bool eats() const;           ///< is the mean of `eat` over the deciding draws above that of
                                 ///< `leave`?
};

/// A reward or regret as text with at most one decimal: "5", "−2.1".
std::string reward_text(double reward);

/// Draws one box for eating and one for leaving, with means, the deciding draws and the true mean
/// rewards; the title states the predicted rewards and the decision.
/// @throws Error  if the numbers of draws of the two actions differ
Chart to_chart(const BanditDecision& decision);

}   // namespace credence
