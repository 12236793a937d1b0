// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/plain_table.h"
#include "cli/progress_line.h"
#include "formats/csv.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/number_text.h"
#include "foundation/text.h"
#include "results/own_files.h"
#include "results/results.h"
#include "results/save_outputs.h"
#include "runs/run_with_checkpoints.h"
#include "sources/image_sources.h"
#include "study/method.h"
#include "study/presets.h"
#include "views/view_support.h"

#include <cctype>
#include <chrono>
#include <ctime>
#include <functional>
#include <iostream>
#include <memory>
#include <unistd.h>

using namespace credence;

Study findStudy(const std::string& name)
{
    std::error_code ignored;
    const bool path = name.find('/') != std::string::npos || name.ends_with(".json");
    return path || std::filesystem::is_regular_file(name, ignored) ? load_study(name) : preset(name);
}

namespace {

Study studyOf(const RunCommand& command)
{
    Study study = findStudy(command.study);
    for (const auto& assignment : command.assignments)
        set_field(study, assignment);
    if (command.seed >= 0)
        study.seed = static_cast<std::uint64_t>(command.seed);
    resolve_paths(study, std::filesystem::current_path());   // --set data.file=… is relative to the current directory
    return study;
}

TrainingEvents shownOn(ProgressLine& line, const Experiment& experiment)
{
    TrainingEvents events;
    events.progress = [&line, plan = plan_of(experiment.study)](const TrainingProgress& progress) {
        line.show(progressText(progress, plan));
    };
    return events;
}

/// As trainedRun, with checkpoints in `folder`, from which an interrupted run of the Study continues;
/// reports on standard error what it found there.
SavedRun trainedRunIn(const std::filesystem::path& folder, const RunCommand& command, const Experiment& experiment,
                      std::stop_token stop, ProgressLine& line)
{
    CheckpointOptions options{
        .seconds = command.checkpointEvery, .fresh = command.fresh, .mix_builds = command.mixBuilds};
    options.started = local_time_text();
    options.notify  = [&line](const std::string& sentence) {
        line.wipe();
        std::cerr << "credence: " << sentence << '\n';
    };
    return run_with_checkpoints(experiment, folder, options, std::move(stop), nullptr, shownOn(line, experiment));
}

/// Writes figures in every format. If figures cannot be drawn, warns once and still writes the
/// numbers.
FigureWriter figureWriter(const DrawFigure& draw, const RunCommand& command, const Study& study,
                          const Interrupt& interrupt, std::vector<std::string>& troubles)
{
    if (!draw || command.noFigures)
        return {};
    return [&draw, &study, &interrupt, &troubles, none = false](const Chart& chart,
                                                                const std::filesystem::path& stem) mutable {
        try {
            for (const char* suffix : {".pdf", ".svg", ".png"})
                if (!interrupt.requested() && !none)
                    draw(chart, study, stem.string() + suffix, {});
        } catch (const FiguresUnavailable& error) {
            none = true;
            troubles.emplace_back(error.what());
        }
    };
}

/// Creates a folder in the user's data for a run whose own folder cannot be written.
std::filesystem::path folderForRescue(const std::filesystem::path& folder)
{
    const std::string name = std::filesystem::absolute(folder).lexically_normal().filename().string();
    return user_data_folder().parent_path() / "rescued"
           / ((name.empty() ? "run" : name) + '-' + std::to_string(std::time(nullptr)) + '-'
              + std::to_string(::getpid()));
}

/// What was written after training and what failed.
struct Written {
    std::filesystem::path place;
    WrittenResults results            = {};
    std::vector<std::string> troubles = {};     ///< error sentences
    bool kept                         = true;   ///< the run itself is saved
};

void printSummary(const SavedRun& run, const RunSnapshot& end, const Written& written)
{
    std::cout << run.name << ": " << rows_of_parts(*end.experiment) << ", seed " << run.study.seed << '\n'
              << run.report.message << ' ' << run.report.steps << (run.report.steps == 1 ? " step in " : " steps in ")
              << fixed_text(run.report.seconds, 1) << " s.\n\n";
    std::cout << scoresText(written.results) << findingsText(written.results);
    if (written.kept)
        std::cout << "\nWritten to " << written.place.string() << std::endl;
}

/// Runs `write` and records its error, so that other files are still written.
void attempt(Written& written, const std::function<void()>& write)
{
    try {
        write();
    } catch (const Error& error) {
        written.troubles.emplace_back(error.what());
    }
}

/// Writes study, run and scores to another folder because their own cannot be written.
void rescue(Written& written, const SavedRun& run, const RunSnapshot& end, std::stop_token stop)
{
    written.kept    = false;
    const auto away = folderForRescue(written.place);
    attempt(written, [&] {
        std::error_code code;
        std::filesystem::create_directories(away, code);
        keep_run(run, away);
        written.place   = away;
        written.kept    = true;
        written.results = write_scores(run, end, away, {}, stop);
    });
    if (!written.kept) {
        std::error_code ignored;
        std::filesystem::remove_all(away, ignored);
    }
    if (written.results.scores.rows.empty())
        written.results = scores_of(end, stop);
    written.results.findings = lint({.run = end, .report = run.report, .table = run.table}, stop);
    written.results.whole    = true;
}

/// Prints how a run ended. @return  exit status
int reportEnd(const SavedRun& run, const RunSnapshot& end, const Written& written, const std::filesystem::path& folder,
              const RunCommand& command)
{
    if (!written.results.whole && written.troubles.empty() && run.report.stop != StopReason::cancelled) {
        std::cerr << "credence: Cancelled while writing scores, tables and figures; Study and run are in "
                  << folder.string() << ".\n";
        return exitCancelled;
    }
    printSummary(run, end, written);
    for (const auto& trouble : written.troubles)
        std::cerr << "credence: " << trouble << '\n';
    if (written.place != folder)
        std::cerr << "credence: The run and its scores are in " << written.place.string() << " instead.\n";
    else if (!written.kept)
        std::cerr << "credence: The run could not be saved elsewhere either; only the scores above remain.\n";
    if (run.report.stop == StopReason::cancelled) {
        if (command.checkpointEvery > 0)
            std::cout << "Run the same command again to continue; use --fresh to start over.\n";
        return exitCancelled;
    }
    if (run.report.stop == StopReason::not_finite) {
        std::cerr << "credence: " << run.report.message << '\n';
        return exitFailed;
    }
    return written.troubles.empty() ? exitOk : exitFailed;
}

/// Trains and writes one run. Training results up to the first signal are kept; scores, tables and
/// figures are skipped after it.
int runInto(const OutputFolder& folder, std::shared_ptr<const Experiment> experiment, const RunCommand& command,
            const DrawFigure& draw)
{
    SavedRun run;
    RunSnapshot end;
    Written written{.place = folder.path()};
    Interrupt interrupt(
        std::chrono::seconds(30));   // a step of a large network is slow, and the trained result is worth the wait
    {
        ProgressLine line;
        Threads threads(command.threads);
        threads.run([&] { run = trainedRunIn(folder.path(), command, *experiment, interrupt.token(), line); });
        {
            const Interrupt::Hold hold(interrupt);
            const auto last = run.report.last         ? run.report.last
                              : run.snapshots.empty() ? nullptr
                                                      : run.snapshots.back();
            if (!last)
                throw std::runtime_error(run.report.message);
            end          = RunSnapshot(experiment, last, std::make_shared<const TrainingHistory>(run.history));
            end.recorded = run.snapshots;
            attempt(written, [&] { keep_run(run, folder.path()); });
            if (!written.troubles.empty())
                threads.run([&] { rescue(written, run, end, interrupt.token()); });
            else if (run.report.stop != StopReason::cancelled)
                remove_checkpoint(folder.path());
        }
        interrupt.setPatience(std::chrono::seconds(3));
        if (written.troubles.empty()) {
            line.show("writing figures and data …");
            const auto writer = figureWriter(draw, command, run.study, interrupt, written.troubles);
            threads.run([&] {
                const ProgressScope scope(shareOn(line, "writing figures and data … current item"));
                attempt(written,
                        [&] { write_results(run, end, folder.path(), written.results, writer, interrupt.token()); });
            });
        }
        if (command.saveOutputs && written.kept) {
            line.show("writing outputs.npz …");
            threads.run([&] {
                attempt(written, [&] { save_outputs(end, written.place / "outputs.npz", interrupt.token()); });
            });
        }
        if (command.saveWeights && written.kept)
            attempt(written, [&] { save_weights(end, written.place / "weights.npz"); });
    }
    return reportEnd(run, end, written, folder.path(), command);
}

}   // namespace

SavedRun trainedRun(const Experiment& experiment, std::stop_token stop, ProgressLine& line)
{
    const std::string started = local_time_text();
    auto run                  = recorded_run(experiment, std::move(stop), nullptr, shownOn(line, experiment));
    run.started               = started;
    return run;
}

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
    if (study.data.source == DataSource::csv)
        for (const auto& note : csv_notes(study.data.file, table_options(study)))
            std::cout << "Note: " << note << '\n';
    if (command.saveOutputs)
        require_saveable_outputs(*experiment);   // fail before hours of training
    const OutputFolder folder(command.out.empty() ? "out/" + folderName(study.name) : command.out);
    require_own_files(folder.path(), files_of_run, command.overwrite, command.study);
    require_inputs_kept(folder.path(), files_of_run, command.study, "study.json");
    require_inputs_kept(folder.path(), files_of_run, study.data.file);
    return runInto(folder, experiment, command, draw);
}

Action addRun(CLI::App& app, const CommandTools& tools)
{
    const auto command = std::make_shared<RunCommand>();
    app.add_option("STUDY", command->study, "Study file, or the id or name of a preset (see: credence list)")
        ->required();
    addValue(app, "--out", "DIR", command->out, "Folder for the results (default: out/NAME-OF-STUDY)");
    addValue(app, "--seed", "N", command->seed, "Seed to use instead of the Study's")->check(CLI::NonNegativeNumber);
    addThreads(app, command->threads, "Number of threads (default: all; results do not depend on it)");
    addAssignments(app, command->assignments, "Change one setting; can be repeated");
    addNoFigures(app, command->noFigures);
    app.add_flag(
        "--save-outputs", command->saveOutputs,
        "Also write outputs.npz: logits and class probabilities of the test rows, sample by sample, for NumPy and "
        "credence open");
    app.add_flag("--save-weights", command->saveWeights,
                 "Also write weights.npz: mean and standard deviation of every weight");
    app.add_flag("--fresh", command->fresh, "Start over instead of continuing an interrupted run of this Study");
    app.add_flag("--mix-builds", command->mixBuilds,
                 "Continue an interrupted run that another build of Credence started; results.json then names both "
                 "builds");
    addOverwrite(app, command->overwrite);
    addValue(app, "--checkpoint-every", "SECONDS", command->checkpointEvery,
             "Seconds between checkpoints; after a kill or cancel the same command continues from the last one "
             "(default: 60; 0: never)")
        ->check(CLI::NonNegativeNumber);
    return [command, &tools] { return execute(*command, tools.draw); };
}
