// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/likelihood.h"
#include "posterior/posterior.h"
#include "posterior/pruning.h"

#include <memory>
#include <optional>
#include <vector>

namespace credence {

/// A network and the way its outputs become predictions, without the weights.
struct Model {
    Architecture architecture;
    Likelihood likelihood;
    bool dropout_at_prediction = false;   ///< Bayesian families and Bernoulli dropout: yes; point estimate: no
    /// Samples of noisy weights are evaluated with the network linearised at their mean, without
    /// dropout: f(x; θ̄) + J(x)(θ_s − θ̄). Source: Immer, Korzepa and Bauer 2021 (arXiv:2008.08400)
    bool linearised_at_prediction       = false;
    bool operator==(const Model&) const = default;
};

/// One recorded step of a training. Values that are unknown at that step are empty.
struct TrainingPoint {
    long step            = 0;   ///< optimiser steps finished
    double epoch         = 0;
    double seconds       = 0;   ///< wall time of training so far, pauses excluded
    double learning_rate = 0;
    std::optional<double> data_loss;        ///< mean minibatch nll since the last point, nats per example
    std::optional<double> kl;               ///< KL(q‖prior), nats; sampled estimate for priors without a closed form
    double kl_weight = 0;                   ///< its weight relative to the mean minibatch loss
    std::optional<double> training_error;   ///< classification: share wrong; regression: RMSE in target units
    std::optional<double> test_error;
    std::vector<BlockUncertainty> layers;   ///< τ, ρ, … of each block
    std::vector<double> prior = {};         ///< learned prior: sd of each block, or π, σ_1 and σ_2 of a mixture
};
using TrainingHistory = std::vector<TrainingPoint>;

/// An immutable copy of the posterior at one step: the only data that Trainer and views share.
struct Snapshot {
    std::shared_ptr<const Posterior> posterior;
    TrainingPoint point;
    std::optional<PruneRule> pruned = {};   ///< the rule that removed weights for display; never saved
};

/// Returns how much the recorded loss fluctuates around its trend, relative to its level: 0.03 is 3
/// %.
///
///     c_i = w_i L_{i−1} + (1 − w_i) L_{i+1},  w_i = (s_{i+1} − s_i)/(s_{i+1} − s_{i−1})
///     r   = sqrt(π/2) · mean over i of  |L_i − c_i| / ( (L_i + c_i)/2 · sqrt(1 + w_i² + (1 − w_i)²) )
///
/// with c_i the chord of the neighbours, for recorded losses L_i (mean minibatch losses since the
/// last record, nats per example) at steps s_i, i from the second to the last but one. A loss that
/// falls along a straight line has r = 0, however steep; a constant loss with independent Gaussian
/// noise of standard deviation
/// σL, σ small, has r = σ. There is no window to choose, no logarithm (losses can be 0), and one
/// outlier counts once.
/// Means over more minibatches fluctuate less: compare runs with the same recorded steps and batch
/// size.
///
/// @return  empty: fewer than three records, or a negative or infinite loss (possible for
/// densities), which has no level to compare with
/// Source: designed for the claim of Posch and Pilz 2021, section IV-A, that the loss falls
/// smoothly, which states no number.
std::optional<double> loss_roughness(const TrainingHistory& history);

}   // namespace credence
