// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/weight_densities.h"
#include "posterior/pruning.h"
#include "runs/experiment.h"

#include <string>
#include <vector>

namespace credence::view_support {

/// Moments of every weight.
struct Moments {
    std::vector<float> mean, sd;
};
/// Families without noise in the weights have sd 0 here, even if they have noise elsewhere.
Moments moments_of(const Posterior& posterior);

/// Samples the weights: the same sample while the posterior is unchanged; empty if the weights have
/// no noise.
std::vector<float> one_draw(const Posterior& posterior, std::uint64_t seed);

/// One sample of a run's weights, or the weights themselves if they have no noise, without those
/// removed by `rule`. @param seed  of its Study
WeightsOfRun weights_of_run(const Posterior& posterior, std::uint64_t seed, const PruneRule& rule, std::string name);

}   // namespace credence::view_support
