// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "methods/chains.h"
#include "methods/kept_draws.h"

#include <memory>
#include <optional>
#include <string>

namespace credence::method_parts {

/// Adam to the maximum of the posterior, for chain k. @param options  of the chain itself
TrainerOptions options_to_start(const Experiment& experiment, TrainerOptions options, long steps, int k);
/// Of chain k itself.
TrainerOptions options_of_chain(const Experiment& experiment, const Chains& chains, int k);
/// After the steps at which chain k keeps draws, keeps them. @param chains, kept  borrowed
std::function<void(long step, const VariationalFamily<float>& now)>
keeper_of(const Experiment& experiment, const Chains& chains, int k, KeptDraws& kept);

/// One chain, or one member of an ensemble, a step at a time: the steps of Adam to its start, if there are any, then its own.
class ChainWalk {
public:
    /// @param experiment, chains  borrowed
    /// @param from     where it begins [weights]
    /// @param warm_up  steps of Adam to its start
    /// @param kept     borrowed, takes its draws; null: it ends at its start
    ChainWalk(const Experiment& experiment, const Chains& chains, int k, std::vector<float> from, long warm_up,
              KeptDraws* kept);

    void step();
    /// Passes its whole state. @throws Error if what is read is of another one
    void serialise(StateBytes& state);
    int number() const { return k_; }
    long done() const { return before_ + trainer_->steps_done(); }         ///< those to its start included
    long own_steps() const { return own_ ? trainer_->steps_done() : 0; }   ///< of the chain itself
    bool ended() const { return end_.has_value(); }
    std::optional<StopReason> end() const { return end_; }   ///< why it has ended
    std::span<const float> weights() const { return trainer_->posterior().means(); }
    double epochs() const { return epochs_before_ + trainer_->point().epoch; }
    Trainer& trainer() { return *trainer_; }
    long before() const { return before_; }   ///< steps to its start, once they are made
    bool on_its_own() const { return own_; }
    bool is_finite() const;   ///< it has not failed, and its parameters are finite

private:
    void begin(std::vector<float> from);

    const Experiment& experiment_;
    const Chains& chains_;
    int k_;
    KeptDraws* kept_;
    std::unique_ptr<Trainer> trainer_;
    bool own_             = false;   // behind its start
    long before_          = 0;
    double epochs_before_ = 0;
    std::optional<StopReason> end_;
};

using Walks = std::vector<std::unique_ptr<ChainWalk>>;

/// The chain that ceased to be finite first; of several at one step, the first of them.
struct WalkFailure {
    int chain = 0;       ///< its number, from 0
    long step = 0;       ///< of its own, those to its start included
    std::string words;   ///< "step 17 in dense layer 1, weights"
    std::string block;
};
/// @param last_good  the step of the last good state, of all together
std::string sentence_of(const WalkFailure& failure, const Chains& chains, long last_good);
long fewest_own_steps(const Walks& walks);   ///< of one of them; 0: there are none
struct StandingOfWalks {
    bool far_from_start = false;   ///< that of one of them
    std::optional<WalkFailure> failure;
};
/// Looks at all of them, side by side. None of them is at work.
StandingOfWalks standing_of(const Walks& walks);

/// What one moment of all of them is: the means of loss and KL, all else of the first of them. @param point  of one training: &Trainer::point, &Trainer::take_point
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
