// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "foundation/state_bytes.h"
#include "methods/chains.h"
#include "methods/side_by_side.h"
#include "posterior/sample_set.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence::method_parts {

/// The draws of a run's chains, in one block of memory shared by all intermediate sample sets.
/// Parallel chains store their draws at the same time.
class StoredDraws {
public:
    /// @param draws    largest number of draws per chain
    /// @param at_once  number of chains per group; groups run one after the other
    StoredDraws(const ParameterLayout& layout, int n_chains, std::size_t draws, int at_once);

    /// Stores these weights as the chain's next draw. Ignores weights that are not finite; the
    /// training then ends with an error. Different chains may call it at the same time.
    void keep(std::span<const float> weights, int chain, long step);

    /// Reads or writes all stored draws. No chain may store a draw meanwhile.
    void serialise(StateBytes& state);

    std::size_t count() const;   ///< over all chains
    std::size_t count(int chain) const { return counts_[static_cast<std::size_t>(chain)]; }
    std::span<const float> draw(int chain, std::size_t i) const { return at(slot(chain, i)); }
    long step(int chain, std::size_t i) const
    {
        return origin_.steps[slot(chain, i)];
    }   ///< step after which the draw was stored

    // Must not be called while a chain stores a draw.
    /// Returns the draws of the running group, following those of earlier groups: first the first
    /// draw of each chain, then the second draw of each, and so on. Null if there are no draws yet.
    std::shared_ptr<const SampleSet> set() const;
    /// Returns all draws chain by chain, in newly allocated memory if there are several chains.
    /// Null if there are no draws.
    std::shared_ptr<const SampleSet> in_order() const;

private:
    std::size_t slot(int chain, std::size_t i) const;
    std::span<const float> at(std::size_t slot) const
    {
        return std::span<const float>(*memory_).subspan(slot * layout_.size(), layout_.size());
    }

    ParameterLayout layout_;
    int n_chains_, at_once_;
    std::size_t draws_;
    std::shared_ptr<aligned_vector<float>> memory_;
    std::vector<std::size_t> counts_;                // [n_chains]
    SampleOrigin origin_;                            // per slot
    mutable std::shared_ptr<const SampleSet> set_;   // current set; null: not made yet
};

/// Returns the current weights of several chains as a sample set with one draw per chain.
std::shared_ptr<const SampleSet> set_of_states(const ParameterLayout& layout,
                                               const std::vector<std::span<const float>>& weights, SampleOrigin origin);

/// Options of the Adam training that moves chain k to the maximum of the posterior.
/// @param options  of the chain itself
TrainerOptions options_to_start(const Experiment& experiment, TrainerOptions options, long steps, int k);
/// Options for chain k itself.
TrainerOptions options_of_chain(const Experiment& experiment, const Chains& chains, int k);
/// Returns a callback that stores draws of chain k after the steps in `chains.kept`.
/// @param chains, kept  not owned
std::function<void(long step, const VariationalFamily<float>& now)>
keeper_of(const Experiment& experiment, const Chains& chains, int k, StoredDraws& kept);

/// One chain or ensemble member, one step at a time: first the Adam steps to its start, if any,
/// then its own steps.
class TrainedChain {
public:
    /// @param experiment, chains  not owned
    /// @param from     starting weights [weights]
    /// @param warm_up  number of Adam steps to its start
    /// @param kept     not owned; receives its draws. Null: the chain ends at its start
    TrainedChain(const Experiment& experiment, const Chains& chains, int k, std::vector<float> from, long warm_up,
                 StoredDraws* kept);

    void step();
    /// Reads or writes the complete state. @throws Error if the stored state belongs to another
    /// chain
    void serialise(StateBytes& state);
    int number() const { return k_; }
    long done() const { return before_ + trainer_->steps_done(); }         ///< including those to its start
    long own_steps() const { return own_ ? trainer_->steps_done() : 0; }   ///< of the chain itself
    bool ended() const { return end_.has_value(); }
    std::optional<StopReason> end() const { return end_; }   ///< why it ended
    std::span<const float> weights() const { return trainer_->posterior().means(); }
    double epochs() const { return epochs_before_ + trainer_->point().epoch; }
    Trainer& trainer() { return *trainer_; }
    long before() const { return before_; }   ///< steps to its start, once it has been reached
    bool on_its_own() const { return own_; }
    bool is_finite() const;   ///< no failure, and all parameters finite

private:
    void begin(std::vector<float> from);

    const Experiment& experiment_;
    const Chains& chains_;
    int k_;
    StoredDraws* kept_;
    std::unique_ptr<Trainer> trainer_;
    bool own_             = false;   // past its start
    long before_          = 0;
    double epochs_before_ = 0;
    std::optional<StopReason> end_;
};

using TrainedChains = std::vector<std::unique_ptr<TrainedChain>>;

/// The first chain with a number that is not finite; the lowest index if several fail at the same
/// step.
struct ChainFailure {
    int chain = 0;       ///< index, from 0
    long step = 0;       ///< of this chain, including those to its start
    std::string words;   ///< "step 17 in dense layer 1, weights"
    std::string block;
};
/// Returns the error sentence for a failed chain.
/// @param last_good  last good step, counted over all chains
std::string sentence_of(const ChainFailure& failure, const Chains& chains, long last_good);
long fewest_own_steps(const TrainedChains& group);   ///< the smallest number over all chains; 0 if there are no chains
struct GroupStatus {
    bool far_from_start = false;   ///< true if it holds for any chain
    std::optional<ChainFailure> failure;
};
/// Examines all chains in parallel, while none of them is running.
GroupStatus status_of(const TrainedChains& group);

/// Combines the current points of all chains: mean loss and KL over the chains, all other values
/// from the first chain.
/// @param point  of one training: &Trainer::point, &Trainer::finish_point
template <class Point>
TrainingPoint mean_point(const TrainedChains& group, Point point)
{
    TrainingPoint mean;
    double losses = 0, kls = 0;
    int n_losses = 0, n_kls = 0;
    for (const auto& chain : group) {
        const TrainingPoint one = (chain->trainer().*point)();
        if (chain == group.front())
            mean = one;
        losses += one.data_loss.value_or(0);
        n_losses += one.data_loss.has_value();
        kls += one.kl.value_or(0);
        n_kls += one.kl.has_value();
    }
    mean.data_loss = n_losses > 0 ? std::optional(losses / n_losses) : std::nullopt;
    mean.kl        = n_kls > 0 ? std::optional(kls / n_kls) : std::nullopt;
    return mean;
}

/// Trains and returns the starting points of chains for methods that have no training of their own.
/// The trainings run in parallel, each as in TrainedChain. [count][weights]
/// @return        empty: cancelled, or time limit
/// @throws Error  "Chain 2: on the way to its trained start …": the loss is no longer finite
std::vector<std::vector<float>> starts_of_chains(const Experiment& experiment, const Chains& chains, RunTime& time,
                                                 const std::stop_token& stop, TrainingControl* control,
                                                 Checkpoint* checkpoint);

}   // namespace credence::method_parts
