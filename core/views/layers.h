// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "posterior/prior.h"
#include "runs/experiment.h"
#include "training/snapshot.h"

namespace credence {

/// Mean and standard deviation of a prior; for a scale mixture √(π σ_1² + (1 − π) σ_2²).
double prior_mean(const BlockPrior& prior);
double prior_sd(const BlockPrior& prior);
/// Returns the prior of each block; empty if there is none. For a Laplace approximation, it is the
/// prior of its precision, on the uncertain weights.
std::vector<BlockPrior> priors_of(const RunSnapshot& run);

/// The uncertainty of each block at one snapshot, and its prior.
struct Layers {
    LayerUncertainty blocks;
    std::vector<BlockPrior> priors;   ///< [blocks]; empty if there is no prior
};
Chart to_chart(const Layers& layers);

/// The uncertainty of the blocks over training: one line per block.
struct LayersOverTraining {
    std::vector<std::string> blocks;
    std::vector<BlockKind> kinds;
    std::vector<double> step;                                     ///< [n]
    std::vector<std::vector<double>> tau, rho, relative_sd, sd;   ///< [blocks][n]; τ, ρ empty for families without them
    std::vector<std::vector<double>>
        prior;   ///< if learned: sd of each block [blocks][n], or π, σ_1, σ_2 [3][n]; otherwise
                 ///< empty
};
LayersOverTraining layers_over_training(const TrainingHistory& history);
Chart to_chart(const LayersOverTraining& layers);

}   // namespace credence
