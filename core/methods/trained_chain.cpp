// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/trained_chain.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/statistics.h"
#include "methods/chain_settings.h"
#include "posterior/point_estimate.h"
#include "study/method.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace credence::method_parts {

StoredDraws::StoredDraws(const ParameterLayout& layout, int n_chains, std::size_t draws, int at_once)
    : layout_(layout), n_chains_(n_chains), at_once_(at_once), draws_(draws),
      memory_(std::make_shared<aligned_vector<float>>(static_cast<std::size_t>(n_chains) * draws * layout.size())),
      counts_(static_cast<std::size_t>(n_chains))
{
    origin_.chains.resize(static_cast<std::size_t>(n_chains) * draws);
    origin_.steps.resize(origin_.chains.size());
}

std::size_t StoredDraws::slot(int chain, std::size_t i) const
{
    const int first        = chain / at_once_ * at_once_;
    const auto in_parallel = static_cast<std::size_t>(std::min(at_once_, n_chains_ - first));
    const auto earlier     = static_cast<std::size_t>(first) * draws_;
    return earlier + i * in_parallel + static_cast<std::size_t>(chain - first);
}

void StoredDraws::keep(std::span<const float> weights, int chain, long step)
{
    std::size_t& of_chain = counts_[static_cast<std::size_t>(chain)];
    if (of_chain == draws_ || !all_finite(weights))
        return;
    const std::size_t to = slot(chain, of_chain);
    std::copy(weights.begin(), weights.end(), memory_->begin() + static_cast<std::ptrdiff_t>(to * layout_.size()));
    origin_.chains[to] = chain;
    origin_.steps[to]  = step;
    ++of_chain;
}

void StoredDraws::serialise(StateBytes& state)
{
    state.section("draws");
    std::size_t used = 0;   // slots, including empty ones between used ones
    for (int k = 0; k < n_chains_; ++k) {
        std::size_t& of_chain = counts_[static_cast<std::size_t>(k)];
        state.within(of_chain, 0, static_cast<long>(draws_));
        if (of_chain > 0)
            used = std::max(used, slot(k, of_chain - 1) + 1);
    }
    state.values(std::span(origin_.chains).first(used));
    state.values(std::span(origin_.steps).first(used));
    state.lasting(std::span(*memory_).first(used * layout_.size()));
    set_.reset();
}

std::size_t StoredDraws::count() const { return std::accumulate(counts_.begin(), counts_.end(), std::size_t{0}); }

std::shared_ptr<const SampleSet> StoredDraws::set() const
{
    std::size_t whole = 0;
    for (int first = 0; first < n_chains_; first += at_once_) {
        const auto begin         = counts_.begin() + first;
        const auto end           = counts_.begin() + std::min(first + at_once_, n_chains_);
        const std::size_t of_all = *std::min_element(begin, end);
        whole += of_all * static_cast<std::size_t>(end - begin);
        if (of_all < draws_)
            break;
    }
    if (whole == 0)
        return nullptr;
    if (!set_ || set_->n_draws() != whole) {
        const auto n = static_cast<std::ptrdiff_t>(whole);
        SampleOrigin origin;
        origin.chains.assign(origin_.chains.begin(), origin_.chains.begin() + n);
        origin.steps.assign(origin_.steps.begin(), origin_.steps.begin() + n);
        set_ = std::make_shared<SampleSet>(layout_, memory_, whole, std::move(origin));
    }
    return set_;
}

std::shared_ptr<const SampleSet> StoredDraws::in_order() const
{
    if (n_chains_ == 1)
        return set();
    if (count() == 0)
        return nullptr;
    aligned_vector<float> draws;
    draws.reserve(count() * layout_.size());
    SampleOrigin origin;
    for (int k = 0; k < n_chains_; ++k)
        for (std::size_t i = 0; i < count(k); ++i) {
            const auto weights = draw(k, i);
            draws.insert(draws.end(), weights.begin(), weights.end());
            origin.chains.push_back(k);
            origin.steps.push_back(step(k, i));
        }
    return std::make_shared<SampleSet>(layout_, std::move(draws), std::move(origin));
}

std::shared_ptr<const SampleSet> set_of_states(const ParameterLayout& layout,
                                               const std::vector<std::span<const float>>& weights, SampleOrigin origin)
{
    aligned_vector<float> draws;
    draws.reserve(weights.size() * layout.size());
    for (const auto of_chain : weights)
        draws.insert(draws.end(), of_chain.begin(), of_chain.end());
    return std::make_shared<SampleSet>(layout, std::move(draws), std::move(origin));
}

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
                                                                     int k, StoredDraws& kept)
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

TrainedChain::TrainedChain(const Experiment& experiment, const Chains& chains, int k, std::vector<float> from,
                           long warm_up, StoredDraws* kept)
    : experiment_(experiment), chains_(chains), k_(k), kept_(kept)
{
    if (warm_up == 0)
        begin(std::move(from));
    else
        trainer_ = std::make_unique<Trainer>(experiment.model, experiment.prior, experiment.data,
                                             std::make_unique<ChainState<float>>(experiment.start->layout(), from),
                                             options_to_start(experiment, chains.options, warm_up, k));
}

void TrainedChain::begin(std::vector<float> from)
{
    const auto& study = experiment_.study;
    trainer_          = std::make_unique<Trainer>(experiment_.model, experiment_.prior, experiment_.data,
                                         method_of(study).start(experiment_.start->layout(), study.posterior, from),
                                         options_of_chain(experiment_, chains_, k_));
    trainer_->set_hooks({.after_step = keeper_of(experiment_, chains_, k_, *kept_), .shown = {}});
    own_ = true;
}

void TrainedChain::step()
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

void TrainedChain::serialise(StateBytes& state)
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
    if (own != own_) {   // a restored chain has left its start; its own state overwrites these weights
        const auto now = weights();
        begin({now.begin(), now.end()});
    }
    trainer_->serialise(state);
}

bool TrainedChain::is_finite() const
{
    return end_ != StopReason::not_finite && all_finite(trainer_->posterior().parameters());
}

std::string sentence_of(const ChainFailure& failure, const Chains& chains, long last_good)
{
    return "In " + std::string(chains.one) + " " + std::to_string(failure.chain + 1) + " of "
           + std::to_string(chains.count) + ": the loss or the parameters became NaN or infinite, first at "
           + failure.words + ". The last good state is step " + std::to_string(last_good) + " of all chains together.";
}

long fewest_own_steps(const TrainedChains& group)
{
    long fewest = group.empty() ? 0 : group.front()->own_steps();
    for (const auto& chain : group)
        fewest = std::min(fewest, chain->own_steps());
    return fewest;
}

GroupStatus status_of(const TrainedChains& group)
{
    std::vector<TrainerStatus> statuses(group.size());
    parallel_for(group.size(), [&](std::size_t k) { statuses[k] = group[k]->trainer().status(); });
    GroupStatus all;
    for (std::size_t k = 0; k < group.size(); ++k) {
        all.far_from_start = all.far_from_start || statuses[k].far_from_start;
        const auto& bad    = statuses[k].not_finite;
        if (!bad || (all.failure && all.failure->step <= group[k]->before() + bad->step))
            continue;
        all.failure = ChainFailure{group[k]->number(), group[k]->before() + bad->step,
                                   "step " + std::to_string(bad->step)
                                       + (group[k]->on_its_own() ? " in " : " to its trained start in ") + bad->block,
                                   bad->block};
    }
    return all;
}

namespace {

/// Trains the starting points of the chains. These trainings are not recorded.
class PathsToStarts final : public ParallelChains {
public:
    PathsToStarts(const Experiment& experiment, const Chains& chains, int count) : warm_up_(chains.warm_up)
    {
        for (int k = 0; k < count; ++k)
            group_.push_back(std::make_unique<TrainedChain>(
                experiment, chains, k, starting_weights(experiment, chains.start, k), chains.warm_up, nullptr));
    }

    std::size_t count() const override { return group_.size(); }
    long done(std::size_t k) const override { return group_[k]->done(); }
    bool ended(std::size_t k) const override { return group_[k]->ended(); }
    void step(std::size_t k) override { group_[k]->step(); }
    long next_synchronisation(long) const override { return warm_up_; }
    std::optional<StopReason> synchronised(long) override { return {}; }
    void show() override {}
    void report_progress() const override {}

    void serialise(StateBytes& state)
    {
        for (const auto& chain : group_)
            chain->serialise(state);
    }

    std::vector<float> end_of(std::size_t k)
    {
        if (const auto bad = group_[k]->trainer().status().not_finite)
            throw Error(
                "Chain " + std::to_string(k + 1)
                + ": on the way to its trained start the loss or the parameters became NaN or infinite, first at step "
                + std::to_string(bad->step) + " in " + bad->block + ".");
        const auto weights = group_[k]->weights();
        return {weights.begin(), weights.end()};
    }

private:
    long warm_up_;
    std::vector<std::unique_ptr<TrainedChain>> group_;
};

}   // namespace

std::vector<std::vector<float>> starts_of_chains(const Experiment& experiment, const Chains& chains, RunTime& time,
                                                 const std::stop_token& stop, TrainingControl* control,
                                                 Checkpoint* checkpoint)
{
    std::vector<std::vector<float>> starts;
    const bool one = chains.start == ChainStart::one_trained;
    if (!one && chains.start != ChainStart::trained) {
        for (int k = 0; k < chains.count; ++k)
            starts.push_back(starting_weights(experiment, chains.start, k));
        return starts;
    }
    PathsToStarts paths(experiment, chains, one ? 1 : chains.count);
    const Checkpoint::Part part(checkpoint, "ways to the starts", [&](StateBytes& state) {
        time.serialise(state);
        paths.serialise(state);
    });
    if (run_side_by_side(paths, time, stop, control, checkpoint) != StopReason::steps_done)
        return {};
    for (int k = 0; k < chains.count; ++k)
        starts.push_back(one && k > 0 ? starts.front() : paths.end_of(static_cast<std::size_t>(k)));
    return starts;
}

}   // namespace credence::method_parts
