// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace credence {

/// What one transition of a Hamiltonian chain told of itself, beside the draw that it ended with.
struct DrawStatistics {
    double energy                                = 0;   ///< potential plus kinetic, nats
    double acceptance                            = 0;   ///< mean of min(1, e^{H(start) - H}) over its points
    int depth                                    = 0;   ///< of the tree; 0 for trajectories of fixed length
    int leapfrog_steps                           = 0;
    bool divergent                               = false;
    bool at_depth_limit                          = false;
    bool operator==(const DrawStatistics&) const = default;
};

/// What a whole chain told of itself.
struct ChainSummary {
    double step_size      = 0;   ///< of the draws
    long gradients        = 0;   ///< warm-up included
    long warmup_gradients = 0;
    std::vector<std::string> warmup{};            ///< what a person should know of its warm-up, a sentence each
    std::vector<std::vector<float>> diverged{};   ///< where draws diverged, weights; some of them if there are many
    bool operator==(const ChainSummary&) const = default;
};

/// Of all draws of a set, in its order, and of all its chains.
struct ChainStatistics {
    std::vector<DrawStatistics> draws{};   ///< one for each draw of the set
    std::vector<ChainSummary> chains{};
    bool operator==(const ChainStatistics&) const = default;
};

}   // namespace credence
