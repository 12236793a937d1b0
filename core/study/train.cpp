// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/train.h"

#include "foundation/error.h"
#include "study/laplace_fit.h"

#include <chrono>

namespace credence {
namespace {

using Clock = std::chrono::steady_clock;

/// The last phase: curvature at the weights that were learned.
void fit_curvature_of(const Experiment& experiment, Training& run, std::stop_token stop, TrainingControl* control, const TrainingEvents& events)
{
    auto& report = run.report;
    if (!report.last || report.stop == StopReason::not_finite)
        return;
    if (report.stop == StopReason::cancelled) {
        report.message += " The curvature was not fitted: what is kept is the point estimate.";
        return;
    }
    auto       begin = Clock::now();   // moved on by pauses
    const auto tell  = [&](double share, std::optional<double> seconds_left) {
        if (events.progress)
            events.progress({.step = report.steps, .steps = report.steps, .epoch = report.last->point.epoch, .steps_per_second = 0, .seconds_left = seconds_left, .curvature = share});
        if (control && control->paused()) {
            const auto from = Clock::now();
            control->wait_for_permission(stop);
            begin += Clock::now() - from;
        }
    };
    LaplaceFit fit;
    try {
        tell(0, {});
        fit = fit_laplace(experiment, *report.last, experiment.study.posterior.laplace, stop, tell);
    } catch (const Error& error) {
        report.message += std::string(" The curvature was not fitted: ") + error.what();
        return;
    }
    report.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    if (!fit.snapshot) {
        report.stop    = StopReason::cancelled;
        report.message = "Cancelled while the curvature was fitted: what is kept is the point estimate.";
        return;
    }
    report.last     = fit.snapshot;
    report.message += " Laplace approximation: " + laplace_words(*laplace_of(*fit.snapshot)) + '.' + (fit.note.empty() ? "" : " " + fit.note);
    if (!run.history.empty() && run.history.back().step == fit.snapshot->point.step)
        run.history.back() = fit.snapshot->point;
    if (events.recorded)
        events.recorded(fit.snapshot);
    if (events.snapshot)
        events.snapshot(fit.snapshot);
}

}  // namespace

Training train(const Experiment& experiment, std::stop_token stop, TrainingControl* control, const TrainingEvents& events)
{
    const auto trainer = experiment.make_trainer();
    Training   run;
    run.report  = trainer->run(stop, control, events);
    run.history = trainer->history();
    if (experiment.study.posterior.family == Family::laplace)
        fit_curvature_of(experiment, run, stop, control, events);
    return run;
}

}  // namespace credence
