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
class KeptDraws {
public:
    /// @param draws    largest number per chain
    /// @param at_once  number of chains per group; groups run one after the other
    KeptDraws(const ParameterLayout& layout, int n_chains, std::size_t draws, int at_once);

    /// Keeps these weights as the next draw of the chain. Ignores weights that are not finite; the
    /// training then ends with an error. Different chains may call it at the same time.
    void keep(std::span<const float> weights, int chain, long step);

    /// Reads or writes all kept draws. No chain may keep a draw meanwhile.
    void serialise(StateBytes& state);

    std::size_t count() const;   ///< over all chains
    std::size_t count(int chain) const { return counts_[static_cast<std::size_t>(chain)]; }
    std::span<const float> draw(int chain, std::size_t i) const { return at(slot(chain, i)); }
    long step(int chain, std::size_t i) const
    {
        return origin_.steps[slot(chain, i)];
    }   ///< step after which the draw was kept

    // Not to be called while a chain keeps a draw.
    /// Returns the draws of the running group, the first draws chain by chain, then the second
    /// ones, …, after those of earlier groups. Null: no draws yet.
    std::shared_ptr<const SampleSet> set() const;
    /// Returns all draws chain by chain, in newly allocated memory if there are several chains.
    /// Null: no draws.
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

/// The current weights of several chains, one draw each.
std::shared_ptr<const SampleSet> set_of_states(const ParameterLayout& layout,
                                               const std::vector<std::span<const float>>& weights, SampleOrigin origin);

/// Options for Adam to the maximum of the posterior, for chain k. @param options  of the chain
/// itself
TrainerOptions options_to_start(const Experiment& experiment, TrainerOptions options, long steps, int k);
/// Options for chain k itself.
TrainerOptions options_of_chain(const Experiment& experiment, const Chains& chains, int k);
/// Returns a callback that keeps draws after the kept steps of chain k. @param chains, kept
/// borrowed
std::function<void(long step, const VariationalFamily<float>& now)>
keeper_of(const Experiment& experiment, const Chains& chains, int k, KeptDraws& kept);

/// One chain or ensemble member, one step at a time: first the Adam steps to its start, if any,
/// then its own steps.
class ChainWalk {
public:
    /// @param experiment, chains  borrowed
    /// @param from     starting weights [weights]
    /// @param warm_up  Adam steps to its start
    /// @param kept     borrowed, receives its draws; null: it ends at its start
    ChainWalk(const Experiment& experiment, const Chains& chains, int k, std::vector<float> from, long warm_up,
              KeptDraws* kept);

    void step();
    /// Reads or writes its whole state. @throws Error if the state read is that of another chain
    void serialise(StateBytes& state);
    int number() const { return k_; }
    long done() const { return before_ + trainer_->steps_done(); }         ///< including those to its start
    long own_steps() const { return own_ ? trainer_->steps_done() : 0; }   ///< of the chain itself
    bool ended() const { return end_.has_value(); }
    std::optional<StopReason> end() const { return end_; }   ///< why it ended
    std::span<const float> weights() const { return trainer_->posterior().means(); }
    double epochs() const { return epochs_before_ + trainer_->point().epoch; }
    Trainer& trainer() { return *trainer_; }
    long before() const { return before_; }   ///< steps to its start, once made
    bool on_its_own() const { return own_; }
    bool is_finite() const;   ///< no failure, and all parameters finite

private:
    void begin(std::vector<float> from);

    const Experiment& experiment_;
    const Chains& chains_;
    int k_;
    KeptDraws* kept_;
    std::unique_ptr<Trainer> trainer_;
    bool own_             = false;   // past its start
    long before_          = 0;
    double epochs_before_ = 0;
    std::optional<StopReason> end_;
};

using Walks = std::vector<std::unique_ptr<ChainWalk>>;

/// The first chain whose numbers are not finite; the lowest number among several at the same step.
struct WalkFailure {
    int chain = 0;       ///< index, from 0
    long step = 0;       ///< of this chain, including those to its start
    std::string words;   ///< "step 17 in dense layer 1, weights"
    std::string block;
};
/// @param last_good  last good step, counted over all chains
std::string sentence_of(const WalkFailure& failure, const Chains& chains, long last_good);
long fewest_own_steps(const Walks& walks);   ///< smallest over the chains; 0 if there are none
struct StandingOfWalks {
    bool far_from_start = false;   ///< of any chain
    std::optional<WalkFailure> failure;
};
/// Examines all chains in parallel, while none of them is running.
StandingOfWalks standing_of(const Walks& walks);

/// Combines the current points of all chains: mean loss and KL, everything else from the first.
/// @param point  of one training: &Trainer::point, &Trainer::finish_point
template <class Point>
TrainingPoint mean_point(const Walks& walks, Point point)
{
    TrainingPoint mean;
    double losses = 0, kls = 0;
    int n_losses = 0, n_kls = 0;
    for (const auto& walk : walks) {
        const TrainingPoint one = (walk->trainer().*point)();
        if (walk == walks.front())
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

/// Returns the starting points of chains whose method trains no networks itself. Trained starts are
/// trained in parallel, each as in ChainWalk. [count][weights]
/// @return        empty: cancelled, or time limit
/// @throws Error  "Chain 2: on the way to its trained start …": the loss is no longer finite
std::vector<std::vector<float>> starts_of_chains(const Experiment& experiment, const Chains& chains, RunTime& time,
                                                 const std::stop_token& stop, TrainingControl* control,
                                                 Checkpoint* checkpoint);

}   // namespace credence::method_parts
