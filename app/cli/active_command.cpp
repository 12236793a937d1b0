// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/active_learning.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/figure_files.h"
#include "cli/interrupt.h"
#include "cli/plain_table.h"
#include "cli/progress_line.h"
#include "foundation/files.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "results/own_files.h"
#include "study/fields.h"
#include "study/study.h"

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

namespace {

using namespace credence;

/// credence active
struct ActiveCommand {
    std::string study;                      ///< file, or id of a preset
    std::string out;                        ///< folder; empty: out/active
    std::vector<std::string> functions;     ///< names; empty: all that suit
    std::vector<std::string> assignments;   ///< "path=value"
    ActiveLearningPlan plan;                ///< its counts
    long seed      = -1;                    ///< -1: that of the study
    int threads    = 0;
    bool noFigures = false;
    bool overwrite = false;
};

ActiveLearningPlan orderedPlan(const ActiveCommand& command)
{
    auto plan  = command.plan;
    plan.study = findStudy(command.study);
    for (const auto& assignment : command.assignments)
        set_field(plan.study, assignment);
    if (command.seed >= 0)
        plan.study.seed = static_cast<std::uint64_t>(command.seed);
    resolve_paths(plan.study, std::filesystem::current_path());
    for (const auto& name : command.functions)
        plan.functions.push_back(acquisition_named(name));
    return plan;
}

/// The curves, and for data with two inputs the queries of each function after the last training.
void writeActiveFigures(const LabellingResult& result, const Chart& curves, const std::filesystem::path& folder,
                        const DrawPlainFigure& draw)
{
    writeFigures(curves, folder, draw, {.widthMm = 180, .heightMm = 90});
    if (!result.grid)
        return;
    for (const Acquisition function : result.plan.functions) {
        Chart map = query_map(result, function, result.first_run(function).rounds.size() - 1);
        map.id += "_" + name_of(function);
        writeFigures(map, folder, draw, {.widthMm = 120, .heightMm = 110});
    }
}

int execute(const ActiveCommand& command, const DrawPlainFigure& draw)
{
    const auto plan = orderedPlan(command);
    const OutputFolder folder(command.out.empty() ? "out/active" : command.out);
    require_own_files(folder.path(), files_of_active, command.overwrite);
    std::optional<LabellingResult> result;
    const Interrupt interrupt;
    {
        ProgressLine line;
        const auto show = shareOn(line, "active learning");
        Threads(command.threads).run([&] {
            result = run_active_learning(plan, interrupt.token(), {.progress = show});
        });
    }
    if (!result) {
        std::cerr << "credence: Cancelled; nothing was written.\n";
        return exitCancelled;
    }
    const Interrupt::Hold hold(interrupt);
    const Chart curves = learning_chart(*result);
    write_whole(folder.path() / "labelling.csv", to_csv(labelling_table(*result)));
    write_whole(folder.path() / "queries.csv", to_csv(queries_table(*result)));
    if (!command.noFigures)
        writeActiveFigures(*result, curves, folder.path(), draw);
    std::cout << plainTable(*curves.table) << '\n'
              << curves.caption << "\n\nWritten to " << folder.path().string() << '\n';
    return exitOk;
}

}   // namespace

Action addActive(CLI::App& app, const CommandTools& tools)
{
    const auto command = std::make_shared<ActiveCommand>();
    auto& plan         = command->plan;
    app.add_option("STUDY", command->study, "Study file, or the id or name of a preset (see: credence list)")
        ->required();
    addValue(app, "--out", "DIR", command->out,
             "Folder for labelling.csv, queries.csv and figures (default: out/active)");
    addValue(app, "--function", "NAME", command->functions,
             "Acquisition function: bald, entropy, margin, variance or random; can be repeated (default: all that suit "
             "the data and the posterior)");
    addValue(app, "--start", "N", plan.starting_labels, "Labelled rows at the start (default: 10)")
        ->check(CLI::Range(1, 1'000'000));
    addValue(app, "--per-round", "N", plan.labels_per_round, "Rows labelled after each training (default: 5)")
        ->check(CLI::Range(1, 1'000'000));
    addValue(app, "--rounds", "N", plan.rounds, "Rounds of labelling (default: 8)")->check(CLI::Range(1, 10'000));
    addValue(app, "--repetitions", "N", plan.repetitions, "Repetitions with other starting rows and seeds (default: 3)")
        ->check(CLI::Range(1, 1000));
    addValue(app, "--samples", "N", plan.samples, "Posterior samples for acquisition and scores (default: 50)")
        ->check(CLI::Range(1, 100'000));
    addValue(app, "--pool", "N", plan.pool, "Largest number of training rows that can be labelled (default: 2000)")
        ->check(CLI::Range(1L, 100'000'000L));
    addValue(app, "--seed", "N", command->seed, "Seed of the first repetition (default: that of the study)")
        ->check(CLI::NonNegativeNumber);
    addThreads(app, command->threads, "Number of threads (default: all; results do not depend on it)");
    addAssignments(app, command->assignments, "Change one setting of the study; can be repeated");
    addNoFigures(app, command->noFigures);
    addOverwrite(app, command->overwrite);
    return [command, &tools] { return execute(*command, tools.drawPlain); };
}
