// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_study.h"

#include <string>
#include <vector>

/// An agent that the page of the bandit can let loose.
struct BanditAgent {
    std::string id;   ///< "thompson/mean_field", "greedy/0.01", "greedy/own", "uniform"
    credence::BanditStudy study;
    bool usual = false;   ///< ticked to begin with
};

/// All agents of a world: Thompson sampling with each method that can learn as rows come, greedy ones with ε = 0, 1 and 5 % and with one of the user's own, and the uniform
/// choice. Those that are presets have all their settings, the others those of their kind.
std::vector<BanditAgent> banditAgents(credence::WorldKind world, double ownEpsilon);
