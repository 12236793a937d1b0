// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_study.h"
#include "network/network.h"
#include "runs/experiment.h"
#include "study/method.h"
#include "training/trainer.h"

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace credence {

/// Samples of the rewards that the agent predicts for both actions in one context. Sample i of both
/// actions uses the same weights and dropout masks.
struct RewardDraws {
    std::vector<double> leave, eat;   ///< [samples]; empty: the agent has no network

    double mean_leave() const;
    double mean_eat() const;
    bool operator==(const RewardDraws&) const = default;
};

/// Numbers of edible and poisonous mushrooms that were eaten, and that were left.
struct EatenCounts {
    long edible_eaten = 0, edible_left = 0, poisonous_eaten = 0, poisonous_left = 0;

    long all() const { return edible_eaten + edible_left + poisonous_eaten + poisonous_left; }
    void add(bool edible, bool eaten);
    EatenCounts& operator+=(const EatenCounts& more);
    bool operator==(const EatenCounts&) const = default;
};

/// One interaction.
struct BanditStep {
    long step = 0;            ///< interactions so far, this one included
    BanditContext context;    ///< the mushroom
    bool eaten     = false;   ///< the action
    bool by_chance = false;   ///< uniform, or the ε of greedy: the values were not used
    RewardDraws draws;        ///< the samples that led to the action: eat if the mean of `eat` is above that of
                              ///< `leave`; empty for a random action
    double reward     = 0;    ///< received
    double oracle     = 0;    ///< mean reward of the oracle
    double cumulative = 0;    ///< cumulative regret: Σ (oracle − reward) up to and including this
                              ///< interaction

    double regret() const { return oracle - reward; }   ///< can be −5: good luck with a poisonous mushroom
};

/// One course of a bandit, interaction by interaction. A pure function of (study, seed), for any
/// number of threads; `next_decision` and `values` do not change it. Call members on one thread at
/// a time; everything runs in the threads of the enclosing Threads::run.
class BanditRun {
public:
    /// @param world  shared by all courses; made from study.world
    /// @param seed   of this course
    /// @throws Error (with the field) for what `check` rejects, and for a network that does not fit
    /// the world
    BanditRun(std::shared_ptr<const BanditWorld> world, BanditStudy study, std::uint64_t seed);
    ~BanditRun();

    /// One interaction: the agent meets a mushroom, decides, receives its reward and learns from
    /// course.updates minibatches of the last course.buffer interactions, drawn with replacement.
    /// Can continue beyond course.steps. The result is valid until the next call.
    /// @throws Error  if the loss is not finite, with the interaction; the course has then ended
    const BanditStep& step();
    const BanditStep& last() const;   ///< at step 0: nothing happened yet

    const BanditStudy& study() const;
    const BanditWorld& world() const;
    std::uint64_t seed() const;
    long steps_done() const;
    bool done() const { return steps_done() >= study().course.steps; }
    const EatenCounts& counts() const;   ///< of the whole course so far

    BanditContext next_context() const;   ///< the next mushroom, luck included
    /// Samples of both rewards for the next mushroom. The first action_samples of them will decide,
    /// unless the action is random. A chain gives its latest stored states, an ensemble its members,
    /// and one network without noise a single sample.
    RewardDraws next_decision(int draws) const;
    /// Samples of both rewards for any context [n_features], as `next_decision`, without luck.
    RewardDraws values(std::span<const float> context, int draws) const;
    /// Mean and standard deviation over samples of both rewards for many contexts: for a map of the
    /// agent's beliefs.
    struct ValueMap {
        std::vector<double> mean_leave, mean_eat, sd_leave,
            sd_eat;                        ///< [n]; empty: the agent has no network, or it was stopped
        std::vector<double> share_eaten;   ///< share of the samples for which eating is better [n]
    };
    /// @param contexts  [n × n_features]
    /// @param columns   0: the contexts are single points. Otherwise they are the centres of the cells of a grid in
    ///                  the plane with this many columns, row by row. Each sample then contributes the share of a
    ///                  square around the centre in which eating is better, so that contours are smooth.
    ValueMap value_map(std::span<const float> contexts, int draws, std::size_t columns = 0,
                       const std::stop_token& stop = {}) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// An agent's knowledge: a memory of interactions, the networks that learn from it, and samples of
/// the rewards that they predict. The inputs of a network are the context and two for the action,
/// (1, 0) to leave and (0, 1) to eat; its output is the reward divided by course.reward_scale.
class BanditLearner {
public:
    /// @throws Error (with the field) for settings that the method rejects
    BanditLearner(const BanditStudy& study, std::size_t n_features, std::uint64_t seed);
    ~BanditLearner();

    void remember(std::span<const float> context, bool eaten, double reward);
    /// Trains on course.updates minibatches from the memory. Allocates nothing after the first
    /// call. @return  false: the loss is not finite
    bool learn();

    /// The number of distinct samples available, at most `wanted`, at least 1: 1 for a network
    /// without noise; for a chain the stored states, newest first.
    int distinct_samples(int wanted) const;
    /// Rewards of both actions for n contexts under sample i of interaction t, a pure function of
    /// (seed, t, i) and of what was learned.
    /// @param contexts    [n × n_features]
    /// @param leave, eat  [n], in rewards
    void expected_rewards(long t, int i, std::span<const float> contexts, std::span<double> leave,
                          std::span<double> eat) const;

private:
    struct Net;

    /// The weights of a sample, in `draw_` or in their storage.
    std::span<const float> weights_of(long t, int i) const;
    void keep_states();

    std::uint64_t seed_;
    std::size_t n_features_, n_inputs_;
    int updates_;
    double reward_scale_;
    std::shared_ptr<const Experiment> experiment_;
    bool states_are_draws_ = false;   // a chain over weights: a sample is one of its states
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
