// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/likelihood.h"
#include "posterior/posterior.h"

#include <memory>
#include <optional>
#include <vector>

namespace credence {

/// What a network computes and how its outputs are read. Together with weights it predicts.
struct Model {
    Architecture architecture;
    Likelihood likelihood;
    bool dropout_at_prediction = false;   ///< Bayesian families and Bernoulli dropout: yes; point estimate: no
    /// Draws of noisy weights are read by the net linearised at their mean, without dropout: f(x; θ̄) + J(x)(θ_s − θ̄). Source: Immer, Korzepa and Bauer 2021 (arXiv:2008.08400)
    bool linearised_at_prediction       = false;
    bool operator==(const Model&) const = default;
};

/// One recorded moment of a training. What is unknown at that step is empty.
struct TrainingPoint {
    long step            = 0;   ///< optimiser steps finished
    double epoch         = 0;
    double seconds       = 0;   ///< wall time of training so far, pauses excluded
    double learning_rate = 0;
    std::optional<double> data_loss;        ///< mean minibatch nll since the last point, nats per example
    std::optional<double> kl;               ///< KL(q‖prior), nats; sampled estimate for priors without a closed form
    double kl_weight = 0;                   ///< the factor it enters with beside the mean minibatch loss
    std::optional<double> training_error;   ///< classification: share wrong; regression: RMSE in target units
    std::optional<double> test_error;
    std::vector<BlockUncertainty> layers;   ///< τ, ρ, … of each block
    std::vector<double> prior = {};   ///< of a prior that is learned: sd of each block, or π, σ_1 and σ_2 of a mixture
};
using TrainingHistory = std::vector<TrainingPoint>;

/// An immutable copy of the posterior at one step. Trainer and views share nothing else.
struct Snapshot {
    std::shared_ptr<const Posterior> posterior;
    TrainingPoint point;
};

}   // namespace credence
