// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "figures/regret_curves.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// Returns the mean regret of the uniform choice at the end, by which others are divided. Empty: it is not clearly above 0, since it is less than four of its
/// standard errors; the ratio would then say more of chance than of the agent. The uniform choice does not learn, so that its rewards are independent of one
/// another, and the standard error follows from them even for one course.
std::optional<double> clear_regret_of_uniform(const RegretCurves& uniform);

/// Draws the cumulative regret of each agent against the interactions (Blundell et al. 2015, Fig. 6): the mean over its courses, in a colour and with a marker of its own; around it
/// mean ± standard deviation (divisor n − 1) of three courses or more, least to largest of two.
/// @param uniform  empty, or for each agent the uniform choice with the same seeds in the same order: each course is divided by their mean regret at the end, times 100
/// @throws Error  if a course has not a number for each step, or there is not a course of the uniform choice for each course, or their regret is not clearly above 0
Chart regret_chart(std::span<const RegretCurves> curves, std::span<const RegretCurves> uniform = {});

/// What an agent ate of the edible ones and of the poisonous ones that came by, in each part of its course.
struct EatenShares {
    std::string name;   ///< of the agent
    std::vector<std::optional<double>> edible,
        poisonous;   ///< share that was eaten, 0 to 1 [parts]; empty where none came by

    bool operator==(const EatenShares&) const = default;
};
/// Draws two panels, edible and poisonous: the share that was eaten in each quarter of the course, a colour and a marker for each agent, as in `regret_chart`.
Chart eaten_chart(std::span<const EatenShares> agents);

}   // namespace credence
