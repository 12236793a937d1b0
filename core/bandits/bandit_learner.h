// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_run.h"
#include "network/network.h"
#include "runs/experiment.h"
#include "study/method.h"
#include "training/trainer.h"

#include <memory>
#include <span>
#include <vector>

namespace credence {

/// An agent's knowledge: a memory of interactions, the networks that learn from it, and draws of
/// the rewards that they predict. The inputs of a network are the context and two for the action,
/// (1, 0) to leave and (0, 1) to eat; its output is the reward divided by course.reward_scale. for
/// the action, (1, 0) to leave and (0, 1) to eat; its output is the reward over
/// course.reward_scale.
class BanditLearner {
public:
    /// @throws Error (with the field) for settings that the method rejects
    BanditLearner(const BanditStudy& study, std::size_t n_features, std::uint64_t seed);
    ~BanditLearner();

    void remember(std::span<const float> context, bool eaten, double reward);
    /// Trains on course.updates minibatches from the memory. Allocates nothing after the first
    /// call. @return  false: the loss is not finite
    bool learn();

    /// The number of distinct draws available, at most `wanted`, at least 1: 1 for a network
    /// without noise; for a chain the stored states, newest first.
    int draws_at_hand(int wanted) const;
    /// Rewards of both actions for n contexts under draw i of interaction t, a pure function of
    /// (seed, t, i) and of what was learned.
    /// @param contexts    [n × n_features]
    /// @param leave, eat  [n], in rewards
    void expected_rewards(long t, int i, std::span<const float> contexts, std::span<double> leave,
                          std::span<double> eat) const;

private:
    struct Net;

    /// The weights of a draw, in `draw_` or in their storage.
    std::span<const float> weights_of(long t, int i) const;
    void keep_states();

    std::uint64_t seed_;
    std::size_t n_features_, n_inputs_;
    int updates_;
    double reward_scale_;
    std::shared_ptr<const Experiment> experiment_;
    bool states_are_draws_ = false;   // a chain over weights: a draw is one of its states
    std::vector<std::unique_ptr<Net>> nets_;

    // The memory is a ring buffer.
    std::size_t capacity_, count_ = 0, next_ = 0;
    aligned_vector<float> inputs_, targets_;

    std::unique_ptr<Network<float>> network_;
    struct Place;   // workspace for evaluating some contexts
    mutable std::vector<std::unique_ptr<Place>> places_;
    mutable Draw<float> draw_;
};

}   // namespace credence
