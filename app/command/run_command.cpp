// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/commands.h"
#include "command/interrupt.h"
#include "command/plain_table.h"
#include "command/progress_line.h"
#include "command/trained_run.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/output_folder.h"
#include "results/results.h"
#include "results/save_outputs.h"
#include "study/presets.h"
#include "views/shared_setting.h"

#include <cctype>
#include <chrono>
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

void printSummary(const KeptRun& run, const RunMoment& end, const WrittenResults& written,
                  const std::filesystem::path& folder)
{
    std::cout << run.name << ": " << rows_of_parts(*end.experiment) << ", seed " << run.study.seed << '\n'
              << run.report.message << ' ' << run.report.steps << " steps in " << fixed_text(run.report.seconds, 1)
              << " s.\n\n";
    std::cout << scoresText(written) << findingsText(written);
    std::cout << "\nWritten to " << folder.string() << '\n';
}

/// All that one run computes and writes. Whatever was trained until the first signal is kept; scores, tables and figures are not begun after it.
int runInto(const OutputFolder& folder, std::shared_ptr<const Experiment> experiment, const RunCommand& command,
            const DrawFigure& draw)
{
    KeptRun run;
    RunMoment end;
    WrittenResults written;
    Interrupt interrupt(
        std::chrono::seconds(30));   // a step of a large net takes its time, and what was trained is worth it
    {
        ProgressLine line;
        Threads threads(command.threads);
        const CheckpointOptions options{.seconds = command.checkpointEvery, .fresh = command.fresh};
        threads.run([&] { run = trainedRunIn(folder.path(), options, *experiment, interrupt.token(), line); });
        {
            const Interrupt::Hold hold(interrupt);
            const auto last = run.report.last         ? run.report.last
                              : run.snapshots.empty() ? nullptr
                                                      : run.snapshots.back();
            if (!last)
                throw std::runtime_error(run.report.message);
            end = RunMoment(experiment, last, std::make_shared<const TrainingHistory>(run.history));
            keep_run(run, folder.path());
            if (run.report.stop != StopReason::cancelled)
                remove_checkpoint(folder.path());
        }
        interrupt.setPatience(std::chrono::seconds(3));
        if (command.saveOutputs) {
            line.show("writing outputs.npz …");
            threads.run([&] { save_outputs(end, folder.path() / "outputs.npz", interrupt.token()); });
        }
        if (command.saveWeights)
            save_weights(end, folder.path() / "weights.npz");
        line.show("writing figures and data …");
        FigureWriter writer;
        if (draw && command.figures)
            writer = [&](const Chart& chart, const std::filesystem::path& stem) {
                for (const char* suffix : {".pdf", ".svg", ".png"})
                    if (!interrupt.requested())
                        draw(chart, run.study, stem.string() + suffix, {});
            };
        threads.run([&] {
            const ProgressScope scope(shareOn(line, "writing figures and data … this one"));
            written = write_results(run, end, folder.path(), writer, interrupt.token());
        });
    }
    if (!written.whole && run.report.stop != StopReason::cancelled) {
        std::cerr << "credence: Cancelled while scores, tables and figures were made; study and run are in "
                  << folder.path().string() << ".\n";
        return exitCancelled;
    }
    printSummary(run, end, written, folder.path());
    if (run.report.stop == StopReason::cancelled) {
        if (command.checkpointEvery > 0)
            std::cout << "The same command goes on from there; --fresh begins anew.\n";
        return exitCancelled;
    }
    if (run.report.stop == StopReason::not_finite) {
        std::cerr << "credence: " << run.report.message << '\n';
        return exitFailed;
    }
    return exitOk;
}

}   // namespace

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
    const Study study     = studyOf(command);
    const auto experiment = prepare(study);
    if (command.saveOutputs)
        require_saveable_outputs(*experiment);   // before hours of training
    const OutputFolder folder(command.out.empty() ? "out/" + folderName(study.name) : command.out);
    return runInto(folder, experiment, command, draw);
}
