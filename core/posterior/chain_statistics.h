// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace credence {

/// Statistics of one transition of a Hamiltonian chain, in addition to its draw.
struct DrawStatistics {
    double energy                                = 0;   ///< potential plus kinetic, nats
    double acceptance                            = 0;   ///< mean of min(1, e^{H(start) - H}) over its points
    int depth                                    = 0;   ///< of the tree; 0 for trajectories of fixed length
    int leapfrog_steps                           = 0;
    bool divergent                               = false;
    bool at_depth_limit                          = false;
    bool operator==(const DrawStatistics&) const = default;
};

/// Statistics of a whole chain.
struct ChainSummary {
    double step_size      = 0;   ///< used for the draws
    long gradients        = 0;   ///< including warm-up
    long warmup_gradients = 0;
    std::vector<std::string> warmup{};            ///< remarks on its warm-up, one sentence each
    std::vector<std::vector<float>> diverged{};   ///< weights at divergences; a selection if there are many
    bool operator==(const ChainSummary&) const = default;
};

/// Statistics of all draws of a set, in its order, and of all its chains.
struct ChainStatistics {
    std::vector<DrawStatistics> draws{};   ///< one per draw of the set
    std::vector<ChainSummary> chains{};
    bool operator==(const ChainStatistics&) const = default;
};

}   // namespace credence
