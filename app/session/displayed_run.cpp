// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/displayed_run.h"

#include "runs/changed_points.h"

#include <algorithm>

using namespace credence;

bool sameTraining(Study a, const Study& b)
{
    a.name              = b.name;
    a.note              = b.note;
    a.prediction        = b.prediction;
    a.posterior.laplace = b.posterior.laplace;
    return a == b;
}

DisplayedRun DisplayedRun::untrained(std::shared_ptr<const Experiment> experiment)
{
    auto start          = std::make_shared<Snapshot>();
    start->posterior    = experiment->start;
    start->point.layers = experiment->start->describe();
    auto table          = experiment->table;
    return {.experiment = std::move(experiment), .newest = std::move(start), .table = std::move(table)};
}

DisplayedRun DisplayedRun::of(std::shared_ptr<const Experiment> experiment, const SavedRun& run)
{
    DisplayedRun shown{.experiment = std::move(experiment),
                       .history    = run.history,
                       .newest     = run.snapshots.back(),
                       .report     = run.report,
                       .started    = run.started,
                       .continued  = continued_network(run.report),
                       .table      = run.table,
                       .provenance = run.provenance};
    for (const auto& snapshot : run.snapshots)
        shown.recorder.add(snapshot);
    return shown;
}

const RunSnapshot& DisplayedRun::current() const
{
    if (!experiment)
        return known;
    const auto& snapshot = at >= 0 ? recorded()[static_cast<std::size_t>(at)] : newest;
    if (known.experiment == experiment && known.snapshot == snapshot && knownHistory == history.size())
        return known;
    auto until = std::make_shared<TrainingHistory>();
    for (const auto& point : history)
        if (point.step <= snapshot->point.step)
            until->push_back(point);
    if (until->empty() || until->back().step < snapshot->point.step)
        until->push_back(snapshot->point);
    known        = {experiment, snapshot, until};
    knownHistory = history.size();
    return known;
}

void DisplayedRun::takeBefore(const RecordedBefore& before)
{
    recorder = before.recorder;
    history  = before.history;
    started  = before.started;
    if (!recorder.snapshots().empty())
        takeNewest(recorder.snapshots().back());
}

/// The display stays on the step selected by the user, even if the recorder thins its steps.
void DisplayedRun::record(std::shared_ptr<const Snapshot> snapshot)
{
    if (!history.empty() && history.back().step == snapshot->point.step)
        history.back() = snapshot->point;   // the same step, now with curvature
    else
        history.push_back(snapshot->point);
    takeNewest(snapshot);
    const auto shown = at >= 0 ? recorded()[static_cast<std::size_t>(at)] : nullptr;
    recorder.add(std::move(snapshot));
    if (!shown)
        return;
    const auto& all  = recorded();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const auto& one) { return one->point.step >= shown->point.step; });
    at               = static_cast<int>(found - all.begin());
}

void DisplayedRun::takeNewest(std::shared_ptr<const Snapshot> snapshot)
{
    if (snapshot && (!newest || snapshot->point.step >= newest->point.step))
        newest = std::move(snapshot);
}

void DisplayedRun::takeFit(const LaplaceFit& fit)
{
    const bool first = !fitted();
    newest           = fit.snapshot;
    at               = -1;
    if (!history.empty() && history.back().step == newest->point.step)
        history.back() = newest->point;
    if (first)
        recorder.add(newest);
    else
        recorder.replace_newest(newest);
    if (!report)
        return;
    report->last    = newest;
    report->message = sentence_of(report->stop) + std::string(" Laplace approximation: ")
                      + laplace_words(*laplace_of(*newest)) + '.' + (fit.note.empty() ? "" : ' ' + fit.note);
}

TrainingReport DisplayedRun::endedEarly() const
{
    TrainingReport early;
    early.stop    = StopReason::cancelled;
    early.steps   = newest->point.step;
    early.seconds = newest->point.seconds;
    early.message = sentence_of(StopReason::cancelled);
    early.last    = newest;
    return early;
}

void DisplayedRun::end(TrainingReport ended)
{
    if (ended.last)
        newest = ended.last;
    if (continued)
        ended.message += ' ' + std::string(continued_words) + "; Restart starts from scratch.";
    report = std::move(ended);
}

SavedRun DisplayedRun::kept() const
{
    SavedRun run{.name       = experiment->study.name,
                 .started    = started,
                 .study      = experiment->study,
                 .report     = *report,
                 .history    = history,
                 .snapshots  = recorded(),
                 .table      = table,
                 .provenance = provenance};
    if (run.snapshots.empty() || run.snapshots.back()->point.step < newest->point.step) {
        run.snapshots.push_back(newest);
        run.history.push_back(newest->point);
    }
    return run;
}
