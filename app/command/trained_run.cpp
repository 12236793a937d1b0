// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/trained_run.h"

#include "command/progress_line.h"
#include "foundation/text.h"
#include "study/method.h"

#include <iostream>

namespace {

credence::TrainingEvents shownOn(ProgressLine& line, const credence::Experiment& experiment)
{
    credence::TrainingEvents events;
    events.progress = [&line, plan = plan_of(experiment.study)](const credence::TrainingProgress& progress) {
        line.show(progressText(progress, plan));
    };
    return events;
}

}   // namespace

credence::SavedRun trainedRun(const credence::Experiment& experiment, std::stop_token stop, ProgressLine& line)
{
    const std::string started = credence::local_time_text();
    auto run                  = credence::recorded_run(experiment, std::move(stop), nullptr, shownOn(line, experiment));
    run.started               = started;
    return run;
}

credence::SavedRun trainedRunIn(const std::filesystem::path& folder, credence::CheckpointOptions options,
                                const credence::Experiment& experiment, std::stop_token stop, ProgressLine& line)
{
    options.started = credence::local_time_text();
    options.tell    = [&line](const std::string& sentence) {
        line.wipe();
        std::cerr << "credence: " << sentence << '\n';
    };
    return credence::run_with_checkpoints(experiment, folder, options, std::move(stop), nullptr,
                                          shownOn(line, experiment));
}
