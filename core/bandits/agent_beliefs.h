// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/decision_map.h"

#include <optional>
#include <string>
#include <vector>

namespace credence {

/// The reward that an agent of the mushroom bandit predicts for both actions at one mushroom.
struct BanditDecision {
    std::string agent{};                  ///< "Mean field, Thompson sampling"
    std::string what{};                   ///< "Next: an edible one", "At x1 = 0.5, x2 = −0.3"
    std::vector<double> eat{}, leave{};   ///< rewards of weight sample i [samples]; empty: no network
    int deciding     = 0;                 ///< the mean over this many first samples decides; 0: all
    double by_chance = 0;                 ///< share of the interactions in which a fair coin decides instead
    std::optional<double> truth{};        ///< mean reward of eating it, if known

    double mean_eat() const;     ///< over all samples
    double mean_leave() const;   ///< over all samples
    bool eats() const;           ///< is the mean of `eat` over the deciding samples above that of
                                 ///< `leave`?
};

/// A reward or regret as text with at most one decimal: "5", "−2.1".
std::string reward_text(double reward);

/// Draws one box for eating and one for leaving, with means, the deciding samples and the true mean
/// rewards; the title states the predicted rewards and the decision.
/// @throws Error  if the two actions have different numbers of samples
Chart to_chart(const BanditDecision& decision);

/// Quantities of the belief map.
enum class BeliefQuantity {
    share_eating,   ///< share of the samples for which eating is better
    advantage,      ///< mean predicted reward of eating minus that of leaving
    uncertainty,    ///< standard deviation over samples of the reward of eating
};
std::string title_of(BeliefQuantity quantity);   ///< "Share of samples in favour of eating"

/// What an agent of the synthetic bandit predicts at each point of the plane, and the mushrooms it
/// has met there.
struct BeliefMap {
    std::string agent{};                                      ///< "Mean field, Thompson sampling"
    long interactions = 0;                                    ///< so far
    MapGrid grid{};                                           ///< of the cells
    std::vector<double> share_eating{};                       ///< [ny × nx]; empty: the agent has no network
    std::vector<double> mean_eat{}, mean_leave{}, sd_eat{};   ///< in rewards [ny × nx]

    /// An observed mushroom.
    struct Met {
        double x = 0, y = 0;
        bool edible = false, eaten = false;
        bool operator==(const Met&) const = default;
    };
    std::vector<Met> met{};     ///< the newest last
    std::size_t left_out = 0;   ///< older ones that are not drawn
    std::string x_name = "x1", y_name = "x2";
};

/// Draws the map with the points over it: circles are edible, triangles poisonous; filled ones were
/// eaten, open ones left.
/// @throws Error  if there is not one number per cell
Chart to_chart(const BeliefMap& map, BeliefQuantity quantity);

}   // namespace credence
