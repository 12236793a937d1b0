// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/weight_densities.h"
#include "posterior/pruning.h"
#include "runs/experiment.h"

#include <string>
#include <vector>

namespace credence::view_support {

/// Of every weight.
struct Moments {
    std::vector<float> mean, sd;
};
/// Families without noise in the weights have no spread here, wherever else their noise sits.
Moments moments_of(const Posterior& posterior);

/// Draws the weights: the same draw as long as the posterior stays; empty if the weights have no noise.
std::vector<float> one_draw(const Posterior& posterior, std::uint64_t seed);

/// One draw of the weights of a run, or its weights themselves where they have no noise, without those that `rule` removes. @param seed  of its Study
WeightsOfRun weights_of_run(const Posterior& posterior, std::uint64_t seed, const PruneRule& rule, std::string name);

}   // namespace credence::view_support
