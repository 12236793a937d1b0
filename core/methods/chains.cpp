// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chains.h"

#include "foundation/finite.h"
#include "methods/chain_settings.h"
#include "posterior/chain_state.h"
#include "study/method.h"

#include <algorithm>
#include <limits>

namespace credence::method_parts {

KeptDraws::KeptDraws(const ParameterLayout& layout, std::size_t most)
    : layout_(layout), memory_(std::make_shared<aligned_vector<float>>(most * layout.size()))
{}

void KeptDraws::keep(std::span<const float> weights, int chain, long step)
{
    const std::size_t n = layout_.size();
    if ((count() + 1) * n > memory_->size() || !all_finite(weights))
        return;
    std::copy(weights.begin(), weights.end(), memory_->begin() + static_cast<std::ptrdiff_t>(count() * n));
    origin_.chains.push_back(chain);
    origin_.steps.push_back(step);
    set_.reset();
}

std::shared_ptr<const SampleSet> KeptDraws::set() const
{
    if (!set_ && count() > 0)
        set_ = std::make_shared<SampleSet>(layout_, memory_, count(), origin_);
    return set_;
}

std::shared_ptr<const SampleSet> KeptDraws::set_with(std::span<const float> weights, int chain, long step) const
{
    const auto kept = static_cast<std::ptrdiff_t>(count() * layout_.size());
    aligned_vector<float> draws(memory_->begin(), memory_->begin() + kept);
    draws.insert(draws.end(), weights.begin(), weights.end());
    SampleOrigin origin = origin_;
    origin.chains.push_back(chain);
    origin.steps.push_back(step);
    return std::make_shared<SampleSet>(layout_, std::move(draws), std::move(origin));
}

TrainingPoint JoinedTraining::moved(TrainingPoint point) const
{
    point.step += whole_.report.steps;
    point.epoch += epochs_;
    point.seconds += whole_.report.seconds;
    return point;
}

std::shared_ptr<const Snapshot> JoinedTraining::moved(const std::shared_ptr<const Snapshot>& part)
{
    if (whole_.report.steps == 0 || !part)
        return part;
    for (const auto& [known, whole] : newest_)
        if (known == part)
            return whole;
    if (newest_.size() > 16)   // a part is given out as recorded, live and last within a few of one another
        newest_.erase(newest_.begin());
    newest_.emplace_back(part, std::make_shared<Snapshot>(Snapshot{part->posterior, moved(part->point)}));
    return newest_.back().second;
}

bool JoinedTraining::run(Trainer& trainer, const std::stop_token& stop, TrainingControl* control)
{
    const bool first = whole_.report.steps == 0;
    const auto again = [first](const TrainingPoint& point) { return !first && point.step == 0; };
    TrainingEvents events;
    if (events_.snapshot)
        events.snapshot = [this](std::shared_ptr<const Snapshot> part) { events_.snapshot(moved(part)); };
    if (events_.recorded)
        events.recorded = [&](std::shared_ptr<const Snapshot> part) {
            if (!again(part->point))   // the end of the one before
                events_.recorded(moved(part));
        };
    if (events_.progress)
        events.progress = [this](TrainingProgress progress) {
            progress.step += whole_.report.steps;
            progress.steps = steps_of_all_;
            progress.epoch += epochs_;
            if (progress.steps_per_second > 0)
                progress.seconds_left = static_cast<double>(steps_of_all_ - progress.step) / progress.steps_per_second;
            events_.progress(progress);
        };
    const TrainingReport part = trainer.run(stop, control, events);
    for (const TrainingPoint& point : trainer.history())
        if (!again(point))
            whole_.history.push_back(moved(point));
    auto& report = whole_.report;
    if (part.last && !again(part.last->point))
        report.last = moved(part.last);
    report.stop      = part.stop;
    report.message   = part.message;
    report.bad_step  = part.bad_step > 0 ? part.bad_step + report.steps : 0;
    report.bad_block = part.bad_block;
    epochs_ += trainer.history().empty() ? 0 : trainer.history().back().epoch;
    report.steps += part.steps;
    report.seconds += part.seconds;
    newest_.clear();
    return part.stop == StopReason::steps_done || part.stop == StopReason::no_progress;
}

namespace {

/// A draw from the prior of every weight.
std::vector<float> draw_from_prior(const Prior& prior, const ParameterLayout& layout, std::uint64_t seed)
{
    std::vector<float> weights(layout.size()), coins(layout.size());
    standard_normals({seed, Stream::initial_weights, 0}, 0, std::span<float>(weights));
    uniforms({seed, Stream::initial_weights, 0}, 0, std::span<float>(coins));
    for (std::size_t b = 0; b < layout.blocks.size(); ++b)
        for (std::size_t i = layout.blocks[b].begin; i < layout.blocks[b].end(); ++i) {
            double mean = 0, sd = 1;
            if (const auto* gaussian = std::get_if<GaussianPrior>(&prior.blocks[b])) {
                mean = gaussian->mean;
                sd   = gaussian->sd;
            } else {
                const auto& mixture = std::get<ScaleMixturePrior>(prior.blocks[b]);
                sd = static_cast<double>(coins[i]) < mixture.pi ? mixture.sigma_wide : mixture.sigma_narrow;
            }
            weights[i] = static_cast<float>(mean + sd * static_cast<double>(weights[i]));
        }
    return weights;
}

std::vector<float> weights_of_start(const Experiment& experiment, std::uint64_t seed, bool in_prior)
{
    const auto& layout = experiment.start->layout();
    return in_prior ? draw_from_prior(experiment.prior, layout, seed)
                    : initial_weights(layout, experiment.study.network.initialisation, seed);
}

/// One run of chains: what its parts share.
struct ChainRun {
    const Experiment& experiment;
    const Chains& chains;
    std::stop_token stop;
    TrainingControl* control;
    JoinedTraining whole;
    KeptDraws kept;

    const ParameterLayout& layout() const { return experiment.start->layout(); }

    /// Of the time limit; infinite: there is none.
    double seconds_left() const
    {
        const double most = chains.options.max_seconds;
        return most > 0 ? most - whole.seconds() : std::numeric_limits<double>::infinity();
    }

    bool run(std::unique_ptr<VariationalFamily<float>> from, TrainerOptions options, TrainerHooks hooks,
             std::vector<float>* end)
    {
        if (options.max_seconds > 0)
            options.max_seconds = seconds_left();
        const auto trainer = experiment.make_trainer(std::move(from), options);
        trainer->set_hooks(std::move(hooks));
        const bool goes_on = whole.run(*trainer, stop, control);
        const auto means   = trainer->posterior().means();
        end->assign(means.begin(), means.end());
        return goes_on && seconds_left() > 0;
    }

    /// To the maximum of the posterior, from and into `weights`.
    bool warm_up(int k, std::uint64_t seed, std::vector<float>& weights)
    {
        TrainerOptions options = chains.options;
        options.seed           = seed;
        options.steps          = chains.warm_up;
        options.patience       = 0;
        options.langevin.reset();
        options.optimizer        = {};
        options.schedule         = {.kind          = ScheduleKind::cosine,
                                    .learning_rate = is_images(experiment.study.data.source) ? 0.001 : 0.01};
        options.kl_weighting     = KlWeighting::constant;
        options.kl_weight        = 1.0 / static_cast<double>(experiment.data->training.n_rows);
        options.samples_per_step = 1;
        TrainerHooks hooks;   // the family of the Study is another one, perhaps: a set of one draw is right for each
        hooks.shown = [this, k](const VariationalFamily<float>& now) {
            const auto set = kept.set();
            return set || !all_finite(now.means()) ? set : kept.set_with(now.means(), k, 0);
        };
        return run(std::make_unique<ChainState<float>>(layout(), weights), options, std::move(hooks), &weights);
    }

    bool chain(int k)
    {
        const std::uint64_t seed = seed_of_chain(experiment.study.seed, k);
        auto weights             = weights_of_start(experiment, seed, chains.starts_in_prior);
        if (chains.warm_up > 0 && !warm_up(k, seed, weights))
            return false;
        TrainerOptions options = chains.options;
        options.seed           = seed;
        auto from              = method_of(experiment.study).start(layout(), experiment.study.posterior, weights);

        const bool is_ensemble = chains.kept.empty();
        auto next              = chains.kept.begin();
        long done              = 0;
        TrainerHooks hooks;
        hooks.after_step = [&](long step, const VariationalFamily<float>& now) {
            done = step;
            if (next == chains.kept.end() || *next != step)
                return;
            ++next;
            const Keep keep = [&](std::span<const float> draw) { kept.keep(draw, k, step); };
            if (chains.keep)
                chains.keep(now, seed, keep);
            else
                keep(now.means());
        };
        hooks.shown = [&](const VariationalFamily<float>& now) -> std::shared_ptr<const Posterior> {
            return is_ensemble && all_finite(now.means()) ? kept.set_with(now.means(), k, done) : kept.set();
        };
        const bool goes_on = run(std::move(from), options, std::move(hooks), &weights);
        if (is_ensemble && whole.stop() != StopReason::not_finite)
            kept.keep(weights, k, done);
        return goes_on;
    }
};

}   // namespace

std::vector<float> starting_weights(const Experiment& experiment, int k)
{
    const auto& study = experiment.study;
    return weights_of_start(experiment, seed_of_chain(study.seed, k), name_of(study, "posterior.start") == "prior");
}

Chains chains_of(const Experiment& experiment, const LangevinOptions& langevin)
{
    const auto& study = experiment.study;
    Chains chains;
    chains.count                         = static_cast<int>(count_of(study, "posterior.chains"));
    chains.options                       = study.training;
    chains.options.langevin              = langevin;
    chains.options.langevin->temperature = number_of(study, "posterior.temperature");
    chains.options.patience              = 0;   // the loss of a chain has no reason to fall
    if (!method_of(study).has_kl) {             // a gradient of (loss − ln p)/N, once a step
        chains.options.kl_weighting     = KlWeighting::constant;
        chains.options.kl_weight        = 1.0 / static_cast<double>(experiment.data->training.n_rows);
        chains.options.samples_per_step = 1;
    }
    const auto start       = name_of(study, "posterior.start");
    chains.starts_in_prior = start == "prior";
    chains.warm_up         = start == "trained" ? count_of(study, "posterior.warm_up") : 0;
    chains.kept            = kept_steps(study);
    chains.draws           = chains.kept.size();
    return chains;
}

Training run_chains(const Experiment& experiment, const Chains& chains, std::stop_token stop, TrainingControl* control,
                    const TrainingEvents& events)
{
    const long steps = chains.count * (chains.options.steps + chains.warm_up);
    ChainRun run{experiment,
                 chains,
                 stop,
                 control,
                 JoinedTraining(steps, events),
                 KeptDraws(experiment.start->layout(), static_cast<std::size_t>(chains.count) * chains.draws)};
    int k = 0;
    while (k < chains.count && run.chain(k))
        ++k;
    auto& report     = run.whole.result().report;
    const auto kept  = run.kept.count();
    const bool ended = report.stop == StopReason::steps_done || report.stop == StopReason::no_progress;
    if (ended && k < chains.count - 1) {   // the time was over just at its end
        report.stop    = StopReason::time_limit;
        report.message = sentence_of(report.stop);
    } else if (!ended && chains.count > 1) {
        report.message = "In " + std::string(chains.one) + " " + std::to_string(k + 1) + " of "
                         + std::to_string(chains.count) + ": " + report.message;
    }
    if (kept == 0)
        report.message += " No draw was kept yet: what is left is the state of the chain.";
    else
        report.message += " Draws kept: " + std::to_string(kept) + ".";
    return std::move(run.whole.result());
}

}   // namespace credence::method_parts
