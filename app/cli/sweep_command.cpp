// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/figure_files.h"
#include "cli/plain_table.h"
#include "cli/progress_line.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "results/own_files.h"
#include "sweeps/run_sweep.h"
#include "sweeps/sweep_results.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <map>
#include <memory>

namespace {

using namespace credence;

constexpr std::size_t mostRowsShown = 60;

Sweep orderedSweep(const SweepCommand& command)
{
    Sweep sweep = find_sweep(command.sweep);
    for (const auto& assignment : command.assignments)
        set_for_all(sweep, assignment);
    for (const auto& assignment : command.after)
        set_after_axes(sweep, assignment);
    return command.quick ? quick_version(sweep) : sweep;
}

/// "2/8": the cells 1, 9, 17, … counted from 0.
std::vector<SweepCell> partOf(std::vector<SweepCell> cells, const std::string& part)
{
    if (part.empty())
        return cells;
    std::size_t i = 0, n = 0;
    const char* end       = part.data() + part.size();
    const auto [slash, e] = std::from_chars(part.data(), end, i);
    bool right            = e == std::errc{} && slash != end && *slash == '/';
    if (right) {
        const auto [stop, error] = std::from_chars(slash + 1, end, n);
        right                    = error == std::errc{} && stop == end && i >= 1 && i <= n;
    }
    if (!right)
        throw Error("--cells is \"" + part + "\", expected i/n with i from 1 to n, for example 2/8.");
    std::erase_if(cells, [&](const SweepCell& cell) { return cell.index % n != i - 1; });
    return cells;
}

/// Terminal output of a sweep: one line per finished cell, and a status line. Called by one thread
/// at a time.
class SweepReporter {
public:
    SweepReporter(const Sweep& sweep, std::size_t all, std::size_t here) : m_sweep(sweep), m_all(all), m_here(here)
    {
        m_progress.report(0);
    }

    void changed(const SweepCell& cell, const CellStatus& status)
    {
        const auto [before, isFirst] = m_states.emplace(cell.index, status.state);
        const bool isNews            = !isFirst && before->second != status.state;
        before->second               = status.state;
        if (isFirst && status.state == CellState::done)
            ++m_doneBefore;
        if (!isNews || (status.state != CellState::done && status.state != CellState::failed))
            return;
        m_shares.erase(cell.index);
        ++m_ended;
        m_line.wipe();
        if (status.state == CellState::done)
            std::cout << nameOf(cell) << "done." << std::endl;
        else
            std::cerr << "credence: " << nameOf(cell) << status.sentence << std::endl;
        showWhole();
    }

    void progress(const SweepCell& cell, const TrainingProgress& progress)
    {
        m_shares[cell.index] = progress.steps > 0
                                   ? static_cast<double>(progress.step) / static_cast<double>(progress.steps)
                                   : 0;
        m_progress.report(share());
        if (m_sinceShown.seconds() < 0.1)
            return;
        m_sinceShown     = {};
        std::string text = nameOf(cell) + "step " + grouped_text(progress.step) + " of " + grouped_text(progress.steps);
        if (const auto now = m_progress.now())
            text += " · sweep " + shareText(*now);
        m_line.show(text);
    }

    void wipe() { m_line.wipe(); }

private:
    std::string nameOf(const SweepCell& cell) const
    {
        return "cell " + std::to_string(cell.index + 1) + " of " + std::to_string(m_all) + ", "
               + cell_words(m_sweep, cell) + ": ";
    }

    double share() const
    {
        double done = static_cast<double>(m_ended);
        for (const auto& [cell, part] : m_shares)
            done += part;
        return done / static_cast<double>(std::max<std::size_t>(1, m_here - m_doneBefore));
    }

    void showWhole()
    {
        m_progress.report(share());
        if (const auto now = m_progress.now())
            m_line.show("sweep " + shareText(*now));
    }

    const Sweep& m_sweep;
    const std::size_t m_all, m_here;
    std::size_t m_doneBefore = 0, m_ended = 0;
    std::map<std::size_t, CellState> m_states;
    std::map<std::size_t, double> m_shares;   ///< progress of the cells in training
    WorkProgress m_progress;
    Stopwatch m_sinceShown;
    ProgressLine m_line;
};

SweepReport runCells(const Sweep& sweep, const std::vector<SweepCell>& cells, std::size_t all,
                     const SweepFolder& folder, const SweepCommand& command)
{
    Interrupt interrupt(std::chrono::seconds(30));   // a step of a large network is slow
    SweepReporter reporter(sweep, all, cells.size());
    SweepEvents events;
    events.changed  = [&](const SweepCell& cell, const CellStatus& status) { reporter.changed(cell, status); };
    events.progress = [&](const SweepCell& cell, const TrainingProgress& progress) {
        reporter.progress(cell, progress);
    };
    events.hold = [&]() -> std::shared_ptr<void> { return std::make_shared<Interrupt::Hold>(interrupt); };
    return run_sweep(sweep, cells, folder,
                     {.jobs = command.jobs, .threads = command.threads, .mix_builds = command.mixBuilds},
                     interrupt.token(), events);
}

void printTable(Table table)
{
    const std::size_t rows = table.rows.size();
    if (rows > mostRowsShown)
        table.rows.resize(mostRowsShown);
    std::cout << plainTable(table);
    if (rows > mostRowsShown)
        std::cout << "… and " << rows - mostRowsShown << " more rows in summary.csv\n";
}

/// Prints which cells are not done, and why.
void reportMissing(const SweepResults& results)
{
    constexpr std::size_t most = 20;
    std::size_t missing        = 0;
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        if (results.scores[i])
            continue;
        const auto& status = results.states[i];
        if (++missing <= most)
            std::cout << "Not done: cell " << i + 1 << ", " << cell_words(results.sweep, results.cells[i]) << " ("
                      << name_of(status.state) << (status.sentence.empty() ? "" : ": " + status.sentence) << ")\n";
    }
    if (missing > most)
        std::cout << "Not done: " << missing - most << " more cells, see times.csv\n";
}

/// Writes tables and figures of the finished cells and prints the main table. False: a signal
/// arrived while figures were made.
bool collect(const Sweep& sweep, std::vector<SweepCell> cells, const SweepFolder& folder, const SweepCommand& command,
             const DrawPlainFigure& draw)
{
    const auto results = collect_sweep(sweep, std::move(cells), folder);
    write_sweep_results(results, folder.path());
    std::cout << shown_title(sweep) << ": " << results.n_done() << " of " << results.cells.size() << " cells done\n\n";
    if (results.n_done() > 0)
        printTable(short_summary(results));
    if (const auto chosen = chosen_table(results); chosen && results.n_done() > 0) {
        std::cout << "\nChosen on the validation set by " << sweep.choose->by << ":\n";
        printTable(short_choice(results));
    }
    if (results.n_done() < results.cells.size()) {
        std::cout << '\n';
        reportMissing(results);
    }
    const bool whole = writeSweepFigures(results, folder, command.threads,
                                         command.noFigures ? DrawPlainFigure() : draw);
    std::cout << "\nWritten to " << folder.path().string() << '\n';
    return whole;
}

/// Output folder: a sweep given as a folder continues there.
std::filesystem::path folderOf(const SweepCommand& command, const Sweep& sweep)
{
    std::error_code ignored;
    if (!command.out.empty())
        return command.out;
    if (std::filesystem::is_regular_file(std::filesystem::path(command.sweep) / "sweep.json", ignored))
        return command.sweep;
    return "out/" + folderName(sweep.id.empty() ? shown_title(sweep) : sweep.id) + (command.quick ? "-quick" : "");
}

/// Allows the sweep's own file in the folder where it is run.
void requireOwnFiles(const SweepFolder& folder, const Sweep& sweep, bool overwrite)
{
    const auto file = folder.path() / "sweep.json";
    std::error_code none;
    bool same = false;
    if (std::filesystem::is_regular_file(file, none))
        try {
            same = load_sweep(file) == sweep;
        } catch (const Error&) {   // not a sweep file
        }
    require_own_files(folder.path(), files_of_sweep, overwrite, same ? file : std::filesystem::path());
}

void addSlurm(CLI::App& app, SweepCommand& command, CLI::Option* cells, CLI::Option* collect)
{
    auto* slurm =
        app.add_flag(
               "--slurm", command.slurm,
               "Submit the missing cells to Slurm as a job array with one cell per task, and a job that makes the "
               "tables; --threads is per task (default: 1), --jobs limits concurrent tasks (default: no limit)")
            ->excludes(cells)
            ->excludes(collect);
    addValue(app, "--slurm-option", "OPTION", command.slurmOptions,
             "With --slurm: additional sbatch option, for example --slurm-option=--time=01:00:00; can be repeated")
        ->allow_extra_args(false)
        ->needs(slurm);
    addValue(app, "--slurm-tasks", "N", command.slurmTasks,
             "With --slurm: maximum number of tasks, each with several cells (default: as the cluster allows)")
        ->check(CLI::Range(1, 10000))
        ->needs(slurm);
    app.add_flag("--write-only", command.writeOnly,
                 "With --slurm: write the script and print how to submit it, but do not submit")
        ->needs(slurm);
}

}   // namespace

int execute(const SweepCommand& command, const DrawPlainFigure& draw)
{
    const Sweep sweep = orderedSweep(command);
    const auto cells  = cells_of(sweep);
    const auto own    = partOf(cells, command.part);
    const SweepFolder folder(folderOf(command, sweep));
    requireOwnFiles(folder, sweep, command.overwrite);
    if (command.slurm)
        return submitToSlurm(sweep, cells, folder, command);
    SweepReport report;
    if (command.collect && command.part.empty()) {
        folder.begin(sweep);
    } else {
        report = runCells(sweep, own, cells.size(), folder, command);
        if (report.done_before > 0)
            std::cout << report.done_before << " of " << own.size() << " cells were already done.\n";
    }
    if (report.cancelled) {
        std::cerr << "credence: Cancelled; the finished cells are in " << folder.path().string()
                  << " and will not be run again.\n";
        return exitCancelled;
    }
    if (command.part.empty() || command.collect) {
        if (!collect(sweep, cells, folder, command, draw)) {
            std::cerr << "credence: Cancelled; the tables are complete but figures are missing. Use --collect to "
                         "make them.\n";
            return exitCancelled;
        }
    } else
        std::cout << own.size() - report.failed.size() << " of the " << own.size() << " cells of part " << command.part
                  << " are done, in " << folder.path().string() << '\n';
    return report.failed.empty() ? exitOk : exitFailed;
}

Action addSweep(CLI::App& app, const CommandTools& tools)
{
    const auto command = std::make_shared<SweepCommand>();
    app.add_option("SWEEP", command->sweep,
                   "Sweep file, folder of an earlier sweep, or id of a built-in sweep (see: credence list --sweeps)")
        ->required();
    addValue(app, "--out", "DIR", command->out,
             "Folder for cells and tables; finished cells are reused, and several processes can share it (default: "
             "out/NAME-OF-SWEEP)");
    addValue(app, "--jobs", "N", command->jobs, "Cells to run in parallel (default: number of threads)")
        ->check(CLI::Range(1, 1024));
    addThreads(app, command->threads, "Total threads of all jobs (default: all; results do not depend on it)");
    addAssignments(app, command->assignments, "Change one setting of every cell; can be repeated");
    app.add_flag("--quick", command->quick, "Run the sweep's quick version: fewer steps and seeds");
    auto* cells = addValue(
        app, "--cells", "i/n", command->part,
        "Run part i of n of the cells, i from 1, without tables: for the tasks of any scheduler that share one folder");
    auto* collect = app.add_flag(
        "--collect", command->collect,
        "Make the tables of finished cells and list the missing ones; runs nothing unless used with --cells");
    app.add_flag("--mix-builds", command->mixBuilds,
                 "Add cells to those of another build of Credence; provenance.json then names both builds");
    addOverwrite(app, command->overwrite);
    addNoFigures(app, command->noFigures);
    addSlurm(app, *command, cells, collect);
    return [command, &tools] { return execute(*command, tools.drawPlain); };
}
