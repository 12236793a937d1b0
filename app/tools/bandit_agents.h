// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_study.h"

#include <string>
#include <vector>

/// An agent available on the bandit page.
struct BanditAgent {
    std::string id;   ///< "thompson/mean_field", "greedy/0.01", "greedy/own", "uniform"
    credence::BanditStudy study;
    bool usual = false;   ///< ticked initially
};

/// All agents of a world: Thompson sampling with each method that can learn online, greedy agents
/// with ε = 0, 1 and 5 % and the user's own ε, and the uniform choice. Presets define all their
/// settings; the others use those of their kind.
std::vector<BanditAgent> banditAgents(credence::WorldKind world, double ownEpsilon);
