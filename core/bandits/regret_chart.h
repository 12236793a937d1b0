// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <optional>
#include <span>
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

/// Returns the final mean regret of the uniform choice, the divisor of relative regrets. Empty if it
/// is less than four standard errors above 0, since the ratio would then reflect chance rather than
/// the agent. The uniform choice does not learn, so its rewards are independent and give the
/// standard error even for one course.
std::optional<double> clear_regret_of_uniform(const RegretCurves& uniform);

/// Draws the cumulative regret of each agent against the interactions (Blundell et al. 2015, Fig.
/// 6): the mean over its courses, with its own colour and marker. For three courses or more the band
/// is mean ± standard deviation (divisor n − 1), for two it is minimum to maximum.
/// @param uniform  empty, or for each agent the uniform choice with the same seeds in the same
/// order: each course is divided by their final mean regret, times 100
/// @throws Error  if a course lacks a number for each step, if the courses of the uniform choice do
/// not match, or if their regret is not clearly above 0
Chart regret_chart(std::span<const RegretCurves> curves, std::span<const RegretCurves> uniform = {});

/// The shares of edible and poisonous mushrooms that an agent ate in each part of its course.
struct EatenShares {
    std::string name;   ///< of the agent
    std::vector<std::optional<double>> edible,
        poisonous;   ///< share that was eaten, 0 to 1 [parts]; empty if there were none

    bool operator==(const EatenShares&) const = default;
};
/// Draws two panels, edible and poisonous: the share that was eaten in each quarter of the course,
/// with the colours and markers of `regret_chart`.
Chart eaten_chart(std::span<const EatenShares> agents);

}   // namespace credence
