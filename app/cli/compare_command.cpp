// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/plain_table.h"
#include "cli/progress_line.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/number_text.h"
#include "results/own_files.h"
#include "results/results.h"
#include "runs/archive.h"
#include "runs/comparison.h"
#include "study/fields.h"
#include "study/method.h"
#include "study/names.h"
#include "views/compare_runs.h"
#include "views/views.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace {

using namespace credence;

/// The reference and the requested studies, with the changed settings.
std::vector<Study> studiesOf(const CompareCommand& command)
{
    auto all = comparison(command.comparison).studies();
    for (const auto& wanted : command.methods)
        if (method(wanted);
            std::none_of(all.begin(), all.end(), [&](const Study& study) { return study.posterior.family == wanted; }))
            throw Error("--methods names " + wanted
                        + ", which does not support the data or the network of this "
                          "comparison.");
    const auto isWanted = [&](const Study& study) {
        return command.methods.empty() || &study == &all.front()
               || std::find(command.methods.begin(), command.methods.end(), study.posterior.family)
                      != command.methods.end();
    };
    std::vector<Study> studies;
    for (const auto& study : all)
        if (isWanted(study))
            studies.push_back(study);
    for (auto& study : studies) {
        for (const auto& assignment : command.assignments)
            set_field(study, assignment);
        check(study);
    }
    return studies;
}

/// Returns a finished run of this Study from the folder; empty: none that can be read.
std::optional<SavedRun> finishedRun(const std::filesystem::path& folder, const Study& study)
{
    const auto file = folder / "run.credence";
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
        return {};
    try {
        const auto summary = load_run_summary(file);
        if (summary.report.stop == StopReason::steps_done && same_run(summary.study, study))
            return load_run(file);
    } catch (const Error&) {   // run it again
    }
    return {};
}

void showProgress(std::size_t i, std::size_t n, const SavedRun& run, bool before)
{
    std::cout << i + 1 << " of " << n << ", " << family_title(run.study.posterior.family) << ": "
              << (before ? "was already finished."
                         : run.report.message + " " + fixed_text(run.report.seconds, 1) + " s.")
              << std::endl;
}

/// Runs the missing studies and skips diverged ones. Empty: cancelled; finished runs stay.
std::optional<std::vector<SavedRun>> runsOf(const std::vector<Study>& studies, const std::filesystem::path& folder,
                                            Threads& threads, Interrupt& interrupt)
{
    std::vector<SavedRun> runs;
    ProgressLine line;
    for (std::size_t i = 0; i < studies.size(); ++i) {
        const auto place = folder / studies[i].posterior.family;
        if (auto before = finishedRun(place, studies[i])) {
            showProgress(i, studies.size(), *before, true);
            runs.push_back(std::move(*before));
            continue;
        }
        line.setBeginning(std::to_string(i + 1) + " of " + std::to_string(studies.size()) + ", "
                          + family_title(studies[i].posterior.family) + ": ");
        const auto experiment = prepare(studies[i]);
        const OutputFolder own(place);
        SavedRun run;
        threads.run([&] { run = trainedRun(*experiment, interrupt.token(), line); });
        line.wipe();
        if (run.report.stop == StopReason::cancelled)
            return {};
        showProgress(i, studies.size(), run, false);
        if (run.report.stop != StopReason::steps_done) {
            std::cerr << "credence: " << run.name << " is left out: " << run.report.message << '\n';
            continue;
        }
        const Interrupt::Hold hold(interrupt);
        keep_run(run, place);
        runs.push_back(std::move(run));
    }
    return runs;
}

/// 50 mm per panel, plus the table below.
FigureSize sizeOf(const Chart& chart)
{
    constexpr double panel = 50;
    const int columns      = std::max(2, chart.columns);
    const auto rows = (chart.panels.size() + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns);
    const double table = chart.table ? 5.0 * static_cast<double>(chart.table->rows.size() + 2) : 0;
    return {.widthMm = panel * columns + 20, .heightMm = panel * static_cast<double>(rows) + 20 + table};
}

void writeComparison(const Chart& chart, const Study& reference, const std::filesystem::path& folder,
                     const CompareCommand& command, const DrawFigure& draw)
{
    const auto comments = study_comments(reference);
    write_whole(folder / "distances.csv", to_csv(chart.table.value(), comments));
    if (!chart.panels.empty())
        write_whole(folder / "compare_truth.csv", to_csv(data_table(chart), comments));
    if (!draw || command.noFigures)
        return;
    const auto ranking  = distance_ranking(chart);
    const double height = 30 + 7.0 * static_cast<double>(chart.table->rows.size());
    for (const std::string suffix : {".pdf", ".svg", ".png"}) {
        draw(chart, reference, folder / ("compare_truth" + suffix), sizeOf(chart));
        draw(ranking, reference, folder / ("compare_distances" + suffix), {.widthMm = 120, .heightMm = height});
    }
}

}   // namespace

int execute(const CompareCommand& command, const DrawFigure& draw)
{
    const auto studies = studiesOf(command);
    const OutputFolder folder(command.out.empty() ? "out/" + command.comparison : command.out);
    require_own_files(folder.path(), files_of_comparison, command.overwrite);
    Interrupt interrupt(std::chrono::seconds(30));
    Threads threads(command.threads);
    const auto cancelled = [&] {
        std::cerr << "credence: Cancelled; the finished runs are in " << folder.path().string()
                  << " and will not be run again.\n";
        return exitCancelled;
    };
    const auto runs = runsOf(studies, folder.path(), threads, interrupt);
    if (!runs)
        return cancelled();
    std::vector<RunSnapshot> snapshots;
    for (const auto& run : *runs)
        snapshots.push_back(last_snapshot_of(run));
    std::optional<Chart> chart;
    threads.run([&] { chart = view("compare_truth").compare(snapshots, {}, interrupt.token()); });
    if (!chart)
        return cancelled();
    if (!chart->message.empty())
        throw Error(chart->message);
    const Interrupt::Hold hold(interrupt);
    writeComparison(*chart, studies.front(), folder.path(), command, draw);
    std::cout << '\n' << plainTable(*chart->table) << "\nWritten to " << folder.path().string() << '\n';
    return exitOk;
}

Action addCompare(CLI::App& app, const CommandTools& tools)
{
    const auto command = std::make_shared<CompareCommand>();
    app.add_option("ID", command->comparison,
                   "Id of the comparison, for example two_moons_truth (see: credence list --comparisons)")
        ->required();
    addValue(app, "--out", "DIR", command->out,
             "Folder for table, figures and runs; finished runs are reused (default: out/ID)");
    addValue(app, "--methods", "M1,M2,…", command->methods,
             "Run only these methods in addition to the reference posterior (default: all)")
        ->delimiter(',');
    addAssignments(app, command->assignments, "Change one setting of every Study; can be repeated");
    addThreads(app, command->threads);
    addNoFigures(app, command->noFigures);
    addOverwrite(app, command->overwrite);
    return [command, &tools] { return execute(*command, tools.draw); };
}
