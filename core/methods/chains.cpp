// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chains.h"

#include "foundation/statistics.h"
#include "methods/chain_settings.h"
#include "methods/trained_chain.h"
#include "posterior/point_estimate.h"
#include "training/checkpoint.h"

#include <algorithm>
#include <limits>

namespace credence::method_parts {

namespace {

/// Presents consecutive trainings as one: steps, epochs and seconds accumulate, and progress covers
/// all of them.
class JoinedTraining {
public:
    JoinedTraining(long steps_of_all, TrainingEvents events) : steps_of_all_(steps_of_all), events_(std::move(events))
    {}

    /// @return  false if the whole run ends here: cancelled, a number that is not finite, or the
    /// time limit
    bool run(Trainer& trainer, const std::stop_token& stop, TrainingControl* control);
    /// Reads or writes the results of the finished trainings.
    void serialise(StateBytes& state, const VariationalFamily<float>& family);
    double seconds() const { return whole_.report.seconds; }
    Training& result() { return whole_; }

private:
    std::shared_ptr<const Snapshot> moved(const std::shared_ptr<const Snapshot>& part);
    TrainingPoint moved(TrainingPoint point) const;

    long steps_of_all_;
    TrainingEvents events_;
    Training whole_;
    double epochs_ = 0;
    std::vector<std::pair<std::shared_ptr<const Snapshot>, std::shared_ptr<const Snapshot>>> newest_;   // part, whole
};

void JoinedTraining::serialise(StateBytes& state, const VariationalFamily<float>& family)
{
    state.section("trainings before");
    credence::serialise(state, whole_.report, family);
    credence::serialise(state, whole_.history);
    state.value(epochs_);
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
    if (newest_.size() > 16)   // a part is emitted as recorded, live and last in quick succession, so a few suffice
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
            if (!again(part->point))   // the start of this training repeats the end of the previous one
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
    events.checkpoint = events_.checkpoint;
    if (events.checkpoint)
        events.checkpoint->count_from(whole_.report.steps);
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

/// A single chain, run by the Trainer's loop: the training to its start, if any, followed by its
/// own steps.
struct OneChain {
    const Experiment& experiment;
    const Chains& chains;
    std::stop_token stop;
    TrainingControl* control;
    JoinedTraining whole;
    StoredDraws kept;
    Checkpoint* checkpoint = nullptr;
    bool to_start          = chains.warm_up > 0;   // still training to its start

    /// Seconds left until the time limit; infinite if there is none.
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
        const bool continues = whole.run(*trainer, stop, control);
        const auto means     = trainer->posterior().means();
        end->assign(means.begin(), means.end());
        return continues && seconds_left() > 0;
    }

    /// Trains `weights` to the maximum of the posterior.
    bool warm_up(std::vector<float>& weights)
    {
        const auto& layout = experiment.start->layout();
        TrainerHooks hooks;   // a sample set with one draw represents any family
        hooks.shown = [&](const VariationalFamily<float>& now) -> std::shared_ptr<const Posterior> {
            return all_finite(now.means()) ? set_of_states(layout, {now.means()}, {.chains = {0}, .steps = {0}})
                                           : nullptr;
        };
        hooks.is_followed = true;
        return run(std::make_unique<ChainState<float>>(layout, weights),
                   options_to_start(experiment, chains.options, chains.warm_up, 0), std::move(hooks), &weights);
    }

    /// @return  false if the run ended before the chain's own steps
    bool go()
    {
        const Checkpoint::Part part(checkpoint, "chain", [this](StateBytes& state) {
            state.value(to_start);
            whole.serialise(state, *experiment.start);
            kept.serialise(state);
        });
        auto weights = starting_weights(experiment, chains.start,
                                        0);   // unused if the run resumes past its start
        if (to_start && !warm_up(weights))
            return false;
        to_start = false;
        TrainerHooks hooks;
        hooks.after_step = keeper_of(experiment, chains, 0, kept);
        hooks.shown      = [this](const VariationalFamily<float>&) { return kept.set(); };
        run(method_of(experiment.study).start(experiment.start->layout(), experiment.study.posterior, weights),
            options_of_chain(experiment, chains, 0), std::move(hooks), &weights);
        return true;
    }
};

}   // namespace

std::vector<float> starting_weights(const Experiment& experiment, ChainStart start, int k)
{
    const auto& layout       = experiment.start->layout();
    const std::uint64_t seed = seed_of_chain(experiment.study.seed, k);
    if (start != ChainStart::prior)
        return initial_weights(layout, experiment.study.network.initialisation, seed,
                               experiment.study.network.initial_sd);
    std::vector<float> weights(layout.size());
    draw_from(experiment.prior, layout, {seed, Stream::initial_weights, 0}, weights);
    return weights;
}

ChainStart chain_start_of(const Study& study)
{
    const auto name = name_of(study, "posterior.start");
    return name == "prior"         ? ChainStart::prior
           : name == "trained"     ? ChainStart::trained
           : name == "one_trained" ? ChainStart::one_trained
                                   : ChainStart::weights;
}

Method langevin_method(LangevinOptions (*langevin)(const Study&))
{
    Method method = chain_method();
    method.fields = chain_fields();
    method.fit    = [=](const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                     const TrainingEvents& events) {
        return run_chains(experiment, chains_of(experiment, langevin(experiment.study)), stop, control, events);
    };
    method.online = [=](const Study& study) { return online_chain(study, langevin(study)); };
    return method;
}

Chains chains_of(const Experiment& experiment, const LangevinOptions& langevin)
{
    const auto& study = experiment.study;
    Chains chains;
    chains.count            = static_cast<int>(count_of(study, "posterior.chains"));
    chains.options          = study.training;
    chains.options.langevin = online_chain(study, langevin).langevin;
    chains.options.patience = 0;        // the loss of a chain need not fall
    if (!method_of(study).has_kl()) {   // the gradient of (loss − ln p)/N, computed once per step
        chains.options.kl_weighting     = KlWeighting::constant;
        chains.options.kl_weight        = 1.0 / static_cast<double>(experiment.data->training.n_rows);
        chains.options.samples_per_step = 1;
    }
    chains.start   = chain_start_of(study);
    chains.warm_up = warm_up_of(study);
    chains.kept    = kept_steps(study);
    chains.draws   = chains.kept.size();
    chains.rule    = stop_rule_of(study);
    return chains;
}

Training run_chains(const Experiment& experiment, const Chains& chains, std::stop_token stop, TrainingControl* control,
                    const TrainingEvents& events)
{
    if (chains.count > 1 || chains.rule.on() || chains.is_ensemble())
        return run_several_chains(experiment, chains, stop, control, events);
    OneChain run{experiment,
                 chains,
                 stop,
                 control,
                 JoinedTraining(chains.steps_of_all(), events),
                 StoredDraws(experiment.start->layout(), 1, chains.draws, 1),
                 events.checkpoint};
    const bool began = run.go();
    auto& report     = run.whole.result().report;
    if (!began && (report.stop == StopReason::steps_done || report.stop == StopReason::no_progress)) {
        report.stop = StopReason::time_limit;   // the limit was reached exactly at the end of the training to its start
        report.message = sentence_of(report.stop);
    }
    if (const auto n = run.kept.count(); n == 0)
        report.message += " No draws were kept yet; the result is the current state of the chain.";
    else
        report.message += " Draws kept: " + std::to_string(n) + ".";
    return std::move(run.whole.result());
}

}   // namespace credence::method_parts
