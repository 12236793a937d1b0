// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chain_walk.h"

#include "foundation/error.h"
#include "foundation/finite.h"
#include "foundation/parallel.h"
#include "methods/chain_settings.h"
#include "posterior/chain_state.h"
#include "study/method.h"

#include <algorithm>
#include <limits>

namespace credence::method_parts {

TrainerOptions options_to_start(const Experiment& experiment, TrainerOptions options, long steps, int k)
{
    options.seed     = seed_of_chain(experiment.study.seed, k);
    options.steps    = steps;
    options.patience = 0;
    options.langevin.reset();
    options.optimizer        = {};
    options.schedule         = {.kind          = ScheduleKind::cosine,
                                .learning_rate = is_images(experiment.study.data.source) ? 0.001 : 0.01};
    options.kl_weighting     = KlWeighting::constant;
    options.kl_weight        = 1.0 / static_cast<double>(experiment.data->training.n_rows);
    options.samples_per_step = 1;
    return options;
}

TrainerOptions options_of_chain(const Experiment& experiment, const Chains& chains, int k)
{
    TrainerOptions options = chains.options;
    options.seed           = seed_of_chain(experiment.study.seed, k);
    return options;
}

std::function<void(long, const VariationalFamily<float>&)> keeper_of(const Experiment& experiment, const Chains& chains,
                                                                     int k, KeptDraws& kept)
{
    const std::uint64_t seed = seed_of_chain(experiment.study.seed, k);
    return [&chains, &kept, seed, k](long step, const VariationalFamily<float>& now) {
        const auto at = std::lower_bound(chains.kept.begin(), chains.kept.end(), step);
        if (at == chains.kept.end() || *at != step)
            return;
        const std::size_t made = static_cast<std::size_t>(k) * chains.draws
                                 + static_cast<std::size_t>(at - chains.kept.begin())
                                       * (chains.draws / chains.kept.size());
        if (chains.keep)
            chains.keep(now, seed, made, [&](std::span<const float> draw) { kept.keep(draw, k, step); });
        else
            kept.keep(now.means(), k, step);
    };
}

ChainWalk::ChainWalk(const Experiment& experiment, const Chains& chains, int k, std::vector<float> from, long warm_up,
                     KeptDraws* kept)
    : experiment_(experiment), chains_(chains), k_(k), kept_(kept)
{
    if (warm_up == 0)
        begin(std::move(from));
    else
        trainer_ = std::make_unique<Trainer>(experiment.model, experiment.prior, experiment.data,
                                             std::make_unique<ChainState<float>>(experiment.start->layout(), from),
                                             options_to_start(experiment, chains.options, warm_up, k));
}

void ChainWalk::begin(std::vector<float> from)
{
    const auto& study = experiment_.study;
    trainer_          = std::make_unique<Trainer>(experiment_.model, experiment_.prior, experiment_.data,
                                         method_of(study).start(experiment_.start->layout(), study.posterior, from),
                                         options_of_chain(experiment_, chains_, k_));
    trainer_->set_hooks({.after_step = keeper_of(experiment_, chains_, k_, *kept_), .shown = {}});
    own_ = true;
}

void ChainWalk::step()
{
    const auto end = trainer_->advance();
    if (!end)
        return;
    if (own_ || *end != StopReason::steps_done || !kept_) {
        end_ = end;
        return;
    }
    before_        = trainer_->steps_done();
    epochs_before_ = trainer_->point().epoch;
    const auto now = weights();
    begin({now.begin(), now.end()});
}

void ChainWalk::serialise(StateBytes& state)
{
    constexpr long most = std::numeric_limits<long>::max();
    state.section("chain");
    bool own = own_;
    state.value(own);
    state.within(before_, 0, most);
    state.value(epochs_before_);
    bool ended = end_.has_value();
    state.value(ended);
    if (ended) {
        auto end = end_.value_or(StopReason::not_started);
        state.within(end, 0, static_cast<long>(StopReason::not_finite));
        end_ = end;
    }
    if (own != own_ && (!own || !kept_))
        throw Error("A chain in the saved state is in a different phase (start or sampling) than expected.");
    if (own != own_) {   // past its start: any weights do, since its own state follows
        const auto now = weights();
        begin({now.begin(), now.end()});
    }
    trainer_->serialise(state);
}

bool ChainWalk::is_finite() const
{
    return end_ != StopReason::not_finite && all_finite(trainer_->posterior().parameters());
}

std::string sentence_of(const WalkFailure& failure, const Chains& chains, long last_good)
{
    return "In " + std::string(chains.one) + " " + std::to_string(failure.chain + 1) + " of "
           + std::to_string(chains.count) + ": the loss or the parameters became NaN or infinite, first at "
           + failure.words + ". The last good state is step " + std::to_string(last_good) + " of all chains together.";
}

long fewest_own_steps(const Walks& walks)
{
    long fewest = walks.empty() ? 0 : walks.front()->own_steps();
    for (const auto& walk : walks)
        fewest = std::min(fewest, walk->own_steps());
    return fewest;
}

StandingOfWalks standing_of(const Walks& walks)
{
    std::vector<TrainerStanding> standings(walks.size());
    parallel_for(walks.size(), [&](std::size_t k) { standings[k] = walks[k]->trainer().standing(); });
    StandingOfWalks all;
    for (std::size_t k = 0; k < walks.size(); ++k) {
        all.far_from_start = all.far_from_start || standings[k].far_from_start;
        const auto& bad    = standings[k].not_finite;
        if (!bad || (all.failure && all.failure->step <= walks[k]->before() + bad->step))
            continue;
        all.failure = WalkFailure{walks[k]->number(), walks[k]->before() + bad->step,
                                  "step " + std::to_string(bad->step)
                                      + (walks[k]->on_its_own() ? " in " : " to its trained start in ") + bad->block,
                                  bad->block};
    }
    return all;
}

}   // namespace credence::method_parts
