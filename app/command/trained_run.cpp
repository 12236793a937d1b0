// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/trained_run.h"

#include "command/progress_line.h"
#include "runs/train.h"
#include "study/method.h"

#include <ctime>

namespace {

std::string localTime()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    char text[40];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S%z", &parts);
    return text;
}

}   // namespace

credence::KeptRun trainedRun(const credence::Experiment& experiment, std::stop_token stop, ProgressLine& line)
{
    using namespace credence;
    KeptRun run;
    run.name    = experiment.study.name;
    run.started = localTime();
    run.study   = experiment.study;
    SnapshotRecorder recorder;
    TrainingEvents events;
    events.recorded = [&](std::shared_ptr<const Snapshot> snapshot) {
        recorder.add(std::move(snapshot));
    };   // the same steps in every run of one Study
    const RunPlan plan = plan_of(experiment.study);
    events.progress    = [&](const TrainingProgress& progress) { line.show(progressText(progress, plan)); };
    auto training      = train(experiment, std::move(stop), nullptr, events);
    run.report         = std::move(training.report);
    run.history        = std::move(training.history);
    if (const auto& kept = recorder.snapshots();
        run.report.last && (kept.empty() || kept.back()->point.step < run.report.last->point.step))
        recorder.add(run.report.last);   // cancelled between two recorded steps
    run.snapshots = recorder.snapshots();
    return run;
}
