// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "interrupt.h"
#include "plain_table.h"
#include "progress_line.h"
#include "study/presets.h"
#include "study/results.h"
#include "study/train.h"

#include <cctype>
#include <ctime>
#include <iostream>

namespace {

using namespace credence;

Study findStudy(const std::string& name)
{
    std::error_code ignored;
    const bool path = name.find('/') != std::string::npos || name.ends_with(".json");
    return path || std::filesystem::is_regular_file(name, ignored) ? load_study(name) : preset(name);
}

Study studyOf(const RunCommand& command)
{
    Study study = findStudy(command.study);
    for (const auto& assignment : command.assignments)
        set_field(study, assignment);
    if (command.seed >= 0)
        study.seed = static_cast<std::uint64_t>(command.seed);
    resolve_paths(study, std::filesystem::current_path());   // --set data.file=… counts from here
    return study;
}

std::string localTime()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    char text[40];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S%z", &parts);
    return text;
}

KeptRun runOf(const Experiment& experiment, std::stop_token stop, ProgressLine& line)
{
    KeptRun run;
    run.name    = experiment.study.name;
    run.started = localTime();
    run.study   = experiment.study;
    SnapshotRecorder recorder;
    TrainingEvents   events;
    events.snapshot = [&](std::shared_ptr<const Snapshot> snapshot) { recorder.add(std::move(snapshot)); };
    events.progress = [&](const TrainingProgress& progress) { line.show(progress); };
    auto training = train(experiment, stop, nullptr, events);
    run.report    = std::move(training.report);
    run.history   = std::move(training.history);
    run.snapshots = recorder.snapshots();
    return run;
}

void printSummary(const KeptRun& run, const RunMoment& end, const std::filesystem::path& folder)
{
    const auto& data = *end.experiment->data;
    const bool  validation = data.image && run.study.data.images.validation_images > 0;
    std::cout << run.name << ": " << data.training.n_rows << " training and " << data.test.n_rows << (validation ? " validation " : " test ")
              << (data.image ? "images" : "rows") << ", seed " << run.study.seed << '\n'
              << run.report.message << ' ' << run.report.steps << " steps in " << fixed_text(run.report.seconds, 1) << " s.\n\n"
              << plainTable(scores(end)) << "\nWritten to " << folder.string() << '\n';
}

}  // namespace

std::string folderName(const std::string& title)
{
    std::string name;
    for (std::size_t i = 0; i < title.size(); ++i) {
        const auto starts = [&](const char* letter) { return title.compare(i, 2, letter) == 0; };
        if (std::isalnum(static_cast<unsigned char>(title[i])))
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(title[i])));
        else if (starts("τ"))
            name += "tau", ++i;
        else if (starts("ρ"))
            name += "rho", ++i;
        else if (title[i] != '\'' && !name.empty() && name.back() != '-')
            name += '-';
    }
    while (!name.empty() && name.back() == '-')
        name.pop_back();
    return name.empty() ? "study" : name;
}

int execute(const RunCommand& command, const DrawFigure& draw)
{
    const Study study      = studyOf(command);
    const auto  experiment = prepare(study);
    const auto  folder     = std::filesystem::path(command.out.empty() ? "out/" + folderName(study.name) : command.out);

    KeptRun   run;
    RunMoment end{experiment, nullptr, nullptr};
    bool      whole = false;
    {
        ProgressLine line;
        Threads      threads(command.threads);
        {
            const Interrupt interrupt;
            threads.run([&] { run = runOf(*experiment, interrupt.token(), line); });
        }
        const Interrupt interrupt;   // after a cancelled training this is the second Ctrl+C
        end.snapshot = run.report.last ? run.report.last : run.snapshots.empty() ? nullptr : run.snapshots.back();
        if (!end.snapshot)
            throw std::runtime_error(run.report.message);
        end.history = std::make_shared<const TrainingHistory>(run.history);

        line.show("writing figures and data …");
        FigureWriter writer;
        if (draw && command.figures)
            writer = [&](const Chart& chart, const std::filesystem::path& stem) {
                for (const char* suffix : {".pdf", ".svg", ".png"})
                    draw(chart, study, stem.string() + suffix, {});
            };
        threads.run([&] { whole = write_results(run, end, folder, writer, interrupt.token()); });
    }
    if (!whole) {
        std::cerr << "credence: Cancelled while figures and data were written; study, run and results are in " << folder.string() << ".\n";
        return exitCancelled;
    }
    printSummary(run, end, folder);
    if (run.report.stop == StopReason::cancelled)
        return exitCancelled;
    if (run.report.stop == StopReason::not_finite) {
        std::cerr << "credence: " << run.report.message << '\n';
        return exitFailed;
    }
    return exitOk;
}
