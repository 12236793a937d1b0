// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/trained_run.h"

#include "command/progress_line.h"
#include "study/method.h"

#include <ctime>
#include <iostream>

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

credence::TrainingEvents shownOn(ProgressLine& line, const credence::Experiment& experiment)
{
    credence::TrainingEvents events;
    events.progress = [&line, plan = plan_of(experiment.study)](const credence::TrainingProgress& progress) {
        line.show(progressText(progress, plan));
    };
    return events;
}

}   // namespace

credence::KeptRun trainedRun(const credence::Experiment& experiment, std::stop_token stop, ProgressLine& line)
{
    const std::string started = localTime();
    auto run                  = credence::recorded_run(experiment, std::move(stop), nullptr, shownOn(line, experiment));
    run.started               = started;
    return run;
}

credence::KeptRun trainedRunIn(const std::filesystem::path& folder, credence::CheckpointOptions options,
                               const credence::Experiment& experiment, std::stop_token stop, ProgressLine& line)
{
    options.started = localTime();
    options.tell    = [&line](const std::string& sentence) {
        line.wipe();
        std::cerr << "credence: " << sentence << '\n';
    };
    return credence::run_with_checkpoints(experiment, folder, options, std::move(stop), nullptr,
                                          shownOn(line, experiment));
}
