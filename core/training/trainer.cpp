// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/trainer.h"

#include "foundation/flush_denormals.h"
#include "foundation/statistics.h"
#include "training/checkpoint.h"
#include "training/loss_watch.h"
#include "training/trainer_state.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <limits>

namespace credence {
namespace {

using Clock                     = std::chrono::steady_clock;
constexpr long recorded_steps   = 200;   // per run
constexpr double snapshot_share = 0.1;   // largest share of the training time for copies to views

double seconds_between(Clock::time_point a, Clock::time_point b)
{
    return std::chrono::duration<double>(b - a).count();
}
Clock::time_point later_by(Clock::time_point t, double seconds)
{
    return t + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}   // namespace

const char* sentence_of(StopReason reason)
{
    switch (reason) {
    case StopReason::not_started: return "Training has not started.";
    case StopReason::steps_done: return "All steps are done.";
    case StopReason::time_limit: return "The time limit was reached.";
    case StopReason::no_progress: return "The data loss stopped improving.";
    case StopReason::converged: return "The chains agree: the stopping rule is met.";
    case StopReason::cancelled: return "Training was stopped.";
    case StopReason::not_finite: return "The loss or the parameters became NaN or infinite.";
    }
    return "";
}

Trainer::Trainer(Model model, Prior prior, std::shared_ptr<const SplitData> data,
                 std::unique_ptr<VariationalFamily<float>> start, TrainerOptions options, std::vector<RowsFrom> later)
    : impl_(std::make_unique<Impl>(std::move(model), std::move(prior), std::move(data), std::move(start), options,
                                   std::move(later)))
{}
Trainer::Trainer(Model model, Prior prior, std::unique_ptr<VariationalFamily<float>> start, TrainerOptions options)
    : impl_(std::make_unique<Impl>(std::move(model), std::move(prior), nullptr, std::move(start), options,
                                   std::vector<RowsFrom>{}))
{
    assert(options.kl_weighting != KlWeighting::geometric);   // there are no epochs
}
Trainer::~Trainer() = default;

void Trainer::set_rows(const GrowingRows& rows) { impl_->set_rows(rows); }
void Trainer::set_evaluator(Evaluator evaluator) { impl_->evaluator = std::move(evaluator); }
void Trainer::set_hooks(TrainerHooks hooks) { impl_->hooks = std::move(hooks); }
double Trainer::step() { return impl_->step(); }
long Trainer::steps_done() const { return impl_->done; }
const VariationalFamily<float>& Trainer::posterior() const { return *impl_->posterior; }
const TrainingHistory& Trainer::history() const { return impl_->history; }
TrainingPoint Trainer::point() const { return impl_->point_now(); }
void Trainer::serialise(StateBytes& state) { impl_->serialise(state); }
TrainingPoint Trainer::finish_point() { return impl_->finish_point(); }

std::optional<StopReason> Trainer::advance()
{
    Impl& at          = *impl_;
    const double loss = at.step();
    if (!std::isfinite(loss)) {
        at.failed = at.failed_step();
        return StopReason::not_finite;
    }
    if (!at.losses.makes_progress(loss, at.done, at.options.patience))
        return StopReason::no_progress;
    if (at.done >= at.options.steps)
        return StopReason::steps_done;
    return {};
}

TrainerStatus Trainer::status()
{
    Impl& at = *impl_;
    if (at.failed)
        return {true, at.failed};
    const double loss = at.loss_now();
    return {at.losses.far_from_start(loss), at.done > 0 ? at.not_finite(loss) : std::nullopt};
}

/// One call of Trainer::run: its clocks, and what it records, shows, saves and reports.
struct Trainer::Impl::Run {
    Impl& at;
    const TrainerOptions& options;
    const std::stop_token stop;
    TrainingControl* const control;
    const TrainingEvents& events;
    const long record_every;
    TrainingReport report;

    Clock::time_point last = Clock::now(), next_live = last, next_progress = last;
    double rate_seconds     = 0;   // start of the rate's window
    long rate_steps         = 0;
    double seconds_per_step = 0;
    long published          = -1;   // step of the last live snapshot
    SuspectSnapshots suspect;
    const Checkpoint::Part part;

    Run(Impl& trainer, std::stop_token stop_token, TrainingControl* training_control,
        const TrainingEvents& training_events)
        : at(trainer), options(trainer.options), stop(std::move(stop_token)), control(training_control),
          events(training_events), record_every(std::max(1L, (options.steps + recorded_steps - 1) / recorded_steps)),
          part(events.checkpoint, "training", [this](StateBytes& state) {
              at.serialise(state);
              credence::serialise(state, suspect.held(), *at.posterior);
          })
    {
        report.stop = StopReason::steps_done;
    }

    TrainingReport to_the_end()
    {
        if (!part.resumed())
            at.losses.begin_patience_at(at.done);   // patience starts again if the training has earlier steps
        rate_seconds = at.seconds;
        rate_steps   = at.done;
        // If a stop was requested during a record, the resumed run makes that record.
        if (!part.resumed() || at.history.empty() || at.done % record_every == 0)
            record();
        while (at.done < options.steps && may_step() && step()) {}
        if (at.hooks.is_followed && report.stop == StopReason::steps_done && stop.stop_requested()
            && at.history.back().step != at.done)
            cancel();
        finish();
        return std::move(report);
    }

    /// Adds the time since the last call to the training time.
    Clock::time_point count_time()
    {
        const Clock::time_point now = Clock::now();
        at.seconds += seconds_between(last, now);
        last = now;
        return now;
    }

    // Parameters or a loss that are not finite end the run and are neither shown nor saved.
    void fails(const NotFinite& bad)
    {
        report.stop      = StopReason::not_finite;
        report.bad_step  = bad.step;
        report.bad_block = bad.block;
    }
    bool usable(double loss)
    {
        if (const auto bad = at.not_finite(loss))
            fails(*bad);
        return report.stop != StopReason::not_finite;
    }

    void cancel()
    {
        report.stop = StopReason::cancelled;
        if (events.checkpoint && events.checkpoint->steps_before() + at.done > 0)
            events.checkpoint->at_stop(at.done);
    }

    void publish(std::shared_ptr<const Snapshot> snapshot)
    {
        published = snapshot->point.step;
        if (events.snapshot)
            events.snapshot(std::move(snapshot));
    }
    /// Shows the current parameters. Returns false if they are not finite.
    bool publish_now()
    {
        if (published == at.done)
            return true;
        const Clock::time_point before = count_time();
        if (!usable(at.loss_now()))
            return false;
        publish(std::make_shared<Snapshot>(Snapshot{at.frozen(), at.point_now()}));
        const Clock::time_point now = count_time();
        next_live = later_by(now, std::max(options.snapshot_seconds, seconds_between(before, now) / snapshot_share));
        return true;
    }

    void emit_recorded(std::shared_ptr<const Snapshot> snapshot)
    {
        at.last_good = snapshot;
        if (events.recorded)
            events.recorded(std::move(snapshot));
    }
    /// Records the current step, unless a stop was requested before the errors were known. Returns
    /// false if its parameters or its loss are not finite.
    bool record(bool is_end = false)
    {
        if (!at.history.empty() && at.history.back().step == at.done)
            return true;
        count_time();
        const double loss = at.loss_now();
        if (at.done > 0 && !usable(loss))
            return false;   // the initial snapshot is kept unchanged: the first step reports the error
        const bool far                                 = at.losses.far_from_start(loss);
        const std::shared_ptr<const Snapshot> snapshot = at.record(stop, is_end);
        count_time();
        if (!snapshot)
            return true;
        suspect.add(snapshot, far, [this](std::shared_ptr<const Snapshot> good) { emit_recorded(std::move(good)); });
        if (published != at.done)
            publish(snapshot);
        next_live = later_by(Clock::now(), options.snapshot_seconds);
        return true;
    }

    void report_progress(Clock::time_point now)
    {
        next_progress = later_by(now, 0.05);
        if (!events.progress)
            return;
        const double slowest        = control && control->rate() > 0 ? 1 / control->rate() : 0;
        const double seconds_a_step = std::max(seconds_per_step, slowest);   // including the delay of slow motion
        TrainingProgress progress{at.done, options.steps, at.epoch(), seconds_a_step > 0 ? 1 / seconds_a_step : 0, {}};
        if (seconds_a_step > 0) {
            progress.seconds_left = static_cast<double>(options.steps - at.done) * seconds_a_step;
            if (options.max_seconds > 0 && slowest == 0)
                progress.seconds_left = std::min(*progress.seconds_left,
                                                 std::max(0.0, options.max_seconds - at.seconds));
        }
        events.progress(progress);
    }

    /// Updates the smoothed time per step.
    void measure_rate()
    {
        if (at.seconds - rate_seconds > 0.25) {
            const double window = (at.seconds - rate_seconds) / static_cast<double>(at.done - rate_steps);
            seconds_per_step    = seconds_per_step > 0 ? 0.7 * seconds_per_step + 0.3 * window : window;
            rate_seconds        = at.seconds;
            rate_steps          = at.done;
        } else if (seconds_per_step == 0 && at.done - rate_steps >= 10) {
            seconds_per_step = (at.seconds - rate_seconds) / static_cast<double>(at.done - rate_steps);
        }
    }

    /// Waits while the control holds the training back. Returns false if the run ends before its
    /// next step.
    bool may_step()
    {
        if (control && control->holds_back()) {
            count_time();
            if (control->shows_each(options.snapshot_seconds)) {
                if (!publish_now())
                    return false;
                report_progress(Clock::now());
            }
            if (!control->wait_for_permission(stop)) {
                cancel();
                return false;
            }
            last = Clock::now();   // excludes the pause
        }
        if (stop.stop_requested() || (control && control->leaves())) {
            cancel();
            return false;
        }
        return true;
    }

    /// Makes one step, and records, shows and saves it if due. Returns false if the run ends with
    /// it.
    bool step()
    {
        const double loss           = at.step();
        const Clock::time_point now = count_time();
        if (!std::isfinite(loss)) {
            fails(at.failed_step());
            return false;
        }
        measure_rate();
        if (at.done % record_every == 0) {
            if (!record())
                return false;
        } else if (now >= next_live && events.snapshot && !publish_now())
            return false;
        if (now >= next_progress)
            report_progress(now);
        if (stops_by_rule(loss))
            return false;
        if (events.checkpoint && at.done < options.steps && !stop.stop_requested())
            events.checkpoint->between_steps(at.done);
        return true;
    }

    /// Applies the stopping rules of the options: patience and time limit.
    bool stops_by_rule(double loss)
    {
        if (!at.losses.makes_progress(loss, at.done, options.patience)) {
            report.stop = StopReason::no_progress;
            return true;
        }
        if (options.max_seconds > 0 && at.seconds >= options.max_seconds) {
            report.stop = StopReason::time_limit;
            return true;
        }
        return false;
    }

    /// Records the last step, or shows the last good snapshot again, and completes the report.
    void finish()
    {
        if (report.stop != StopReason::not_finite && record(true)) {
            suspect.give_out([this](std::shared_ptr<const Snapshot> good) { emit_recorded(std::move(good)); });
            report.message = sentence_of(report.stop);
        } else {
            if (at.last_good && events.snapshot)
                publish(at.last_good);   // shows the last good snapshot again
            report.message = "The loss or the parameters became NaN or infinite, first at step "
                             + std::to_string(report.bad_step) + " in " + report.bad_block
                             + ". The last good state is step "
                             + std::to_string(at.last_good ? at.last_good->point.step : 0) + ".";
        }
        report_progress(Clock::now());
        report.steps   = at.done;
        report.seconds = at.seconds;
        report.last    = at.last_good;
    }
};

TrainingReport Trainer::run(std::stop_token stop, TrainingControl* control, const TrainingEvents& events)
{
    const FlushDenormals here;
    return Impl::Run(*impl_, std::move(stop), control, events).to_the_end();
}

double minibatch_weight(KlWeighting weighting, int i, int M)
{
    assert(1 <= i && i <= M);
    switch (weighting) {
    case KlWeighting::constant: return 1;
    case KlWeighting::uniform: return 1.0 / M;
    case KlWeighting::geometric:
        return std::ldexp(1.0, -i) / (1 - std::ldexp(1.0, -M));   // 2^{M-i}/(2^M - 1) without 2^M
    }
    return 1;
}

}   // namespace credence
