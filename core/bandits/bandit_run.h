// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_study.h"

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace credence {

/// Draws of the rewards that the agent expects of both actions for one context, in rewards. Draw i of both belongs to the same draw of the weights and masks.
struct RewardDraws {
    std::vector<double> leave, eat;   ///< [draws]; empty: the agent has no net

    double mean_leave() const;
    double mean_eat() const;
    bool operator==(const RewardDraws&) const = default;
};

/// What was eaten and what was left.
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
    BanditContext context;    ///< what came by
    bool eaten     = false;   ///< the action
    bool by_chance = false;   ///< uniform, or the ε of greedy: no value was asked
    RewardDraws
        draws;   ///< that led to the action: it is eaten if the mean of `eat` is above that of `leave`; empty where it was by chance
    double reward     = 0;   ///< received
    double oracle     = 0;   ///< mean reward of one who knows
    double cumulative = 0;   ///< Σ (oracle − reward) up to here, this one included: the cumulative regret

    double regret() const { return oracle - reward; }   ///< may be −5: good luck with a poisonous one
};

/// One course of a bandit, interaction by interaction. A pure function of (study, seed), for any number of threads; `next_decision` and `values` change nothing of it.
/// Members may be called on one thread at a time; all runs in the threads of the enclosing Threads::run.
class BanditRun {
public:
    /// @param world  shared by all courses; made of study.world
    /// @param seed   of this course
    /// @throws Error (with the field) for what `check` refuses, and for a net that does not fit the world
    BanditRun(std::shared_ptr<const BanditWorld> world, BanditStudy study, std::uint64_t seed);
    ~BanditRun();

    /// One interaction: a mushroom comes by, the agent decides, receives its reward, and learns: course.updates minibatches of the last course.buffer interactions, drawn with
    /// replacement. Goes on beyond course.steps if it is asked to. Returns what happened, until the next call.
    /// @throws Error  if the loss is no longer a finite number, with the interaction at which it happened; the course is over then
    const BanditStep& step();
    const BanditStep& last() const;   ///< of step 0: nothing happened yet

    const BanditStudy& study() const;
    const BanditWorld& world() const;
    std::uint64_t seed() const;
    long steps_done() const;
    bool done() const { return steps_done() >= study().course.steps; }
    double cumulative_regret() const;
    const EatenCounts& counts() const;   ///< of the whole course so far

    BanditContext next_context() const;   ///< what comes by next, luck included
    /// Draws of both rewards of what comes by next. The first action_draws of them are those that will decide, unless chance does. Of a chain they are its newest states, and no
    /// more of them than are kept; of an ensemble, its members as they are drawn; of one net without noise, one draw.
    RewardDraws next_decision(int draws) const;
    /// Draws of both rewards of any context [n_features], as `next_decision`, without luck.
    RewardDraws values(std::span<const float> context, int draws) const;
    /// The mean over draws, and their standard deviation, of both rewards of many contexts: for a map of what the agent believes.
    struct ValueMap {
        std::vector<double> mean_leave, mean_eat, sd_leave,
            sd_eat;                        ///< [n]; empty: the agent has no net, or it was stopped
        std::vector<double> share_eaten;   ///< of the draws under which eating is better [n]
    };
    /// @param contexts  [n × n_features]
    ValueMap value_map(std::span<const float> contexts, int draws, const std::stop_token& stop = {}) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}   // namespace credence
