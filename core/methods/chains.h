// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "methods/stop_rule.h"
#include "runs/experiment.h"
#include "study/method.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

// Methods whose posterior is a set of draws from several parallel trainings.
namespace credence::method_parts {

/// Stores these weights as a draw of the current chain after the current step.
using Keep = std::function<void(std::span<const float> weights)>;

/// Starting point of chains.
enum class ChainStart {
    weights,   ///< the network's initialisation, different for each chain
    prior,     ///< a sample from the prior for each chain
    /// Each at a maximum of the posterior found by Adam from its own starting weights with its own
    /// minibatches, like the members of an ensemble.
    trained,
    one_trained,   ///< all chains start at the maximum found for the first chain
};

/// Chains, or the members of an ensemble.
struct Chains {
    int count = 1;
    TrainerOptions options;   ///< of each chain, with the seed from seed_of_chain
    ChainStart start  = ChainStart::weights;
    long warm_up      = 0;    ///< Adam steps to a trained start
    std::size_t draws = 1;    ///< per chain
    std::vector<long> kept;   ///< steps after which `keep` is called, ascending; empty: only after the last one
    /// Calls its last argument with each weight vector to store for the current state; empty
    /// function: stores the means. Called for several chains at once.
    /// @param made  index of the next draw over all chains, as if they ran one after the other. Each
    /// chain therefore has its own random numbers, regardless of the progress of the others
    std::function<void(const VariationalFamily<float>& now, std::uint64_t seed, std::size_t made, const Keep& keep)>
        keep = {};
    StopRule rule{};             ///< only for chains whose states are stored unchanged
    const char* one = "chain";   ///< the word used in messages

    bool is_ensemble() const { return kept.empty(); }
    /// Steps before each chain's own steps.
    long own_warm_up() const { return start == ChainStart::trained ? warm_up : 0; }
    /// Steps of all chains, including those to their starts.
    long steps_of_all() const
    {
        return count * (options.steps + own_warm_up()) + (start == ChainStart::one_trained ? warm_up : 0);
    }
};
/// Returns the chains described by the settings in chain_settings.h, under the Study's prior.
Chains chains_of(const Experiment& experiment, const LangevinOptions& langevin);

/// Returns a chain_method() whose chains have these Langevin dynamics, also in online training.
Method langevin_method(LangevinOptions (*langevin)(const Study&));

/// Starting point of chains according to the Study.
ChainStart chain_start_of(const Study& study);
/// Returns the weights of chain k before any training: a sample from the prior or the network's
/// initialisation. [weights]
std::vector<float> starting_weights(const Experiment& experiment, ChainStart start, int k);

/// Runs the chains in parallel on all threads of the enclosing Threads::run, each on one thread at
/// a time. Chain k is a pure function of (seed, k). A single chain is run by the Trainer's own
/// loop.
///
/// All chains are at the same step whenever a snapshot is recorded. The step and epoch of its
/// TrainingPoint are sums over all chains, including steps to their starts; loss and KL are means
/// over the chains; the learning rate is that of the first chain. Snapshots contain the draws kept
/// so far by all chains, draw by draw and within that chain by chain; before the first draw, the
/// current states. Snapshots of an ensemble contain all members in their current state. The last
/// snapshot has the draws chain by chain: all of the first chain, then all of the second, …
/// If there are very many chains of a large network, they run in groups whose size depends on the
/// network only. A stopped run keeps its draws.
Training run_chains(const Experiment& experiment, const Chains& chains, std::stop_token stop, TrainingControl* control,
                    const TrainingEvents& events);

/// Runs several parallel chains, or one chain with a stopping rule: see run_chains.
Training run_several_chains(const Experiment& experiment, const Chains& chains, const std::stop_token& stop,
                            TrainingControl* control, const TrainingEvents& events);

/// Returns how many chains of a network with this many weights run at a time: 64 for a small network,
/// 8 for a very large one, which bounds the memory.
int chains_at_once(std::size_t n_weights);

}   // namespace credence::method_parts
