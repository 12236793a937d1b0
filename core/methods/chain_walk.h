// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "methods/chains.h"
#include "methods/kept_draws.h"

#include <memory>
#include <optional>
#include <string>

namespace credence::method_parts {

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
/// @param point  of one training: &Trainer::point, &Trainer::take_point
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

}   // namespace credence::method_parts
