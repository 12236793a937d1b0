// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "methods/stop_rule.h"
#include "runs/train.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

// Methods whose posterior is a set of draws, made by several trainings side by side.
namespace credence::method_parts {

/// Keeps these weights as a draw of the chain of now, after the step of now.
using Keep = std::function<void(std::span<const float> weights)>;

/// Where chains begin.
enum class ChainStart {
    weights,   ///< the network's initialisation, other weights for each
    prior,     ///< a draw from the prior for each
    trained,   ///< each at the maximum of the posterior that Adam finds from its own starting weights, by minibatches of its own: members of an ensemble
    one_trained,   ///< all at the maximum that is found for the first
};

/// Chains, or the members of an ensemble.
struct Chains {
    int count = 1;
    TrainerOptions options;   ///< of each; its seed is seed_of_chain's
    ChainStart start  = ChainStart::weights;
    long warm_up      = 0;   ///< steps of Adam to a trained start
    std::size_t draws = 1;   ///< of each
    std::vector<long>
        kept;   ///< steps after which `keep` is called, rising; empty: after the last one, whichever it is
    /// Keeps what is to be kept of the state of now; empty: its means. Called for several chains at once. @param made  draws that all chains before it and this one have been asked
    /// for so far: each has its own numbers, however far the others are
    std::function<void(const VariationalFamily<float>& now, std::uint64_t seed, std::size_t made, const Keep& keep)>
        keep = {};
    StopRule rule{};             ///< of chains whose states are kept as they are
    const char* one = "chain";   ///< what messages call each

    bool is_ensemble() const { return kept.empty(); }
    /// Steps to the start of each that come before its own.
    long own_warm_up() const { return start == ChainStart::trained ? warm_up : 0; }
    /// Of all of them, and of what leads to their starts.
    long steps_of_all() const
    {
        return count * (options.steps + own_warm_up()) + (start == ChainStart::one_trained ? warm_up : 0);
    }
};
/// The chains that the settings of chain_settings.h describe, under the Study's prior.
Chains chains_of(const Experiment& experiment, const LangevinOptions& langevin);

/// Where a chain begins, as the Study says.
ChainStart chain_start_of(const Study& study);
/// Where chain k begins, before any training: a draw from the prior or the network's initialisation. [weights]
std::vector<float> starting_weights(const Experiment& experiment, ChainStart start, int k);

/// Runs them side by side on all threads of the enclosing Threads::run, and chain k on one at a time, a pure function of (seed, k). Of one chain alone the Trainer's own loop runs.
///
/// Several chains are at one step wherever a moment is recorded. Such a TrainingPoint has as its step and epoch the sums over all chains, those among them that lead to a start,
/// as its loss and KL the means over them, as its rate that of the first chain. Snapshots have the draws that all chains have kept so far, draw by draw and in it chain by chain,
/// before any the states of now; those of an ensemble all members as they stand. The last one has the draws chain by chain, all of the first chain, then all of the second, …
/// Of very many chains of a large net some go on at a time, the next ones behind them: a number that depends on the net alone.
/// What is stopped keeps the draws that it has.
Training run_chains(const Experiment& experiment, const Chains& chains, std::stop_token stop, TrainingControl* control,
                    const TrainingEvents& events);

}   // namespace credence::method_parts
