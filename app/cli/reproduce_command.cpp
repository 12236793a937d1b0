// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/plain_table.h"
#include "cli/progress_line.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/find_listed.h"
#include "foundation/hashes.h"
#include "foundation/parallel.h"
#include "gallery/gallery.h"
#include "results/results.h"
#include "runs/archive.h"
#include "views/views.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <iostream>
#include <memory>

namespace {

using namespace credence;

/// credence reproduce
struct ReproduceCommand {
    std::vector<std::string> entries;   ///< gallery ids, or prefixes of ids
    std::string out;                    ///< folder; empty: out/ and the entry, sweep, comparison or bandit
    long seed      = -1;                ///< -1: that of the entry
    int threads    = 0;
    bool quick     = false;
    bool noFigures = false;
    bool mixBuilds = false;   ///< continue a run started by another build of the program
    bool list      = false;   ///< list the entries instead
};

/// The new run's number for a printed value; empty: not available.
using MeasuredText = std::function<std::string(const PrintedValue& value)>;

/// "preset two_moons_nuts": the "made by" column of the list.
std::string wayOf(const GalleryEntry& entry)
{
    const auto& how = entry.how;
    if (const auto* sweep = std::get_if<MadeBySweep>(&how))
        return "sweep " + sweep->id;
    if (const auto* preset = std::get_if<MadeByPreset>(&how))
        return "preset " + preset->id;
    if (const auto* comparison = std::get_if<MadeByComparison>(&how))
        return "comparison " + comparison->id;
    if (const auto* bandit = std::get_if<MadeByBandit>(&how))
        return "bandit " + bandit->ids.front();
    if (const auto* command = std::get_if<MadeByCommand>(&how))
        return command->line;
    if (const auto* page = std::get_if<MadeByPage>(&how))
        return "window, " + place_of(*page);
    return std::holds_alternative<MadeByTests>(how) ? "tests" : "";
}

Table entryTable()
{
    Table table{{{"id", {}}, {"where", {}}, {"status", {}}, {"time on two cores", {}}, {"made by", {}}}, {}};
    for (const auto& entry : gallery().entries)
        table.rows.push_back({entry.id, gallery().paper_of(entry).short_title + ", " + entry.number,
                              title_of(entry.status), time_text(entry.minutes), wayOf(entry)});
    return table;
}

/// Returns each entry once whose id equals one of these. A name that is no id selects all ids that
/// start with it and a dot.
std::vector<const GalleryEntry*> entriesNamed(const std::vector<std::string>& names)
{
    if (names.empty())
        throw Error("found no ID, expected one from the gallery (see: credence reproduce --list).");
    std::vector<const GalleryEntry*> found;
    for (const auto& name : names) {
        bool any        = false;
        const bool isId = find_listed(gallery().entries, name) != nullptr;
        for (const auto& entry : gallery().entries)
            if (isId ? entry.id == name : entry.id.starts_with(name + '.')) {
                any = true;
                if (std::find(found.begin(), found.end(), &entry) == found.end())
                    found.push_back(&entry);
            }
        if (!any)
            gallery().entry(name);   // its error suggests similar ids
    }
    return found;
}

/// Returns why one entry cannot be run as requested; empty: it can.
std::string refusalOf(const GalleryEntry& entry, const ReproduceCommand& command)
{
    if (command.quick && is_run(entry) && !has_quick_version(entry))
        return entry.id + " has no quick version; call it without --quick.";
    if (command.seed >= 0 && std::holds_alternative<MadeBySweep>(entry.how))
        return entry.id + " is made by a sweep, which has its own seeds; call it without --seed.";
    return {};
}

void announce(const GalleryEntry& entry, const ReproduceCommand& command)
{
    std::cout << entry.id << ": " << gallery().paper_of(entry).short_title << ", " << entry.number << '\n'
              << entry.shows << '\n';
    const auto time = time_text(command.quick ? entry.quick_minutes : entry.minutes);
    if (is_run(entry) && !time.empty())
        std::cout << "Estimated time: " << time << " on two cores"
                  << (command.quick
                          ? "; the quick version is another, shorter run, which does not reproduce the printed numbers."
                          : ".")
                  << '\n';
    for (const auto& difference : differing_settings(entry))
        std::cout << "Not the run of our numbers: " << difference << ".\n";
    std::cout << std::endl;   // flush before the work starts
}

/// Processor time of this program since its construction.
class ProcessorClock {
public:
    double seconds() const { return static_cast<double>(std::clock() - m_start) / CLOCKS_PER_SEC; }

private:
    std::clock_t m_start = std::clock();
};

/// Writes recorded-ID.json: the provenance of these runs and their results, for resources/gallery.json.
/// A quick version is not recorded, since it is another run.
void recordRuns(const GalleryEntry& entry, const ReproduceCommand& command, const std::filesystem::path& out,
                const std::vector<std::filesystem::path>& runs, std::optional<double> processorSeconds,
                const MeasuredText& measure)
{
    if (command.quick || runs.empty())
        return;
    std::vector<std::string> measured;
    for (const auto& value : entry.values)
        measured.push_back(measure(value));
    const auto file = out / ("recorded-" + entry.id + ".json");
    write_whole(file, recorded_text(entry, recorded_runs(runs, processorSeconds), measured));
    std::cout << "Provenance: " << file.string() << '\n';
}

/// Shows printed, our own and new numbers side by side.
void showComparison(const GalleryEntry& entry, const MeasuredText& measure)
{
    if (!entry.values.empty()) {
        Table table{{{"Value", {}}, {"Printed", {}}, {"Ours", {}}}, {}};
        std::vector<std::string> measured;
        for (const auto& value : entry.values) {
            measured.push_back(measure ? measure(value) : std::string());
            table.rows.push_back({value.name, value.printed, value.ours.empty() ? "-" : value.ours});
        }
        if (std::any_of(measured.begin(), measured.end(), [](const auto& text) { return !text.empty(); })) {
            table.columns.push_back({"This run", {}});
            for (std::size_t i = 0; i < measured.size(); ++i)
                table.rows[i].push_back(measured[i].empty() ? "-" : measured[i]);
        }
        std::cout << '\n' << plainTable(table);
    }
    std::cout << '\n' << title_of(entry.status) << ". " << entry.difference << "\n\n";
}

/// Writes views that a run does not write by default because they are expensive or as long as the
/// data, and views of the entry's selected input.
void writeOtherViews(const GalleryEntry& entry, const std::filesystem::path& folder, const ReproduceCommand& command,
                     const DrawFigure& draw, Interrupt& interrupt)
{
    std::vector<const View*> wanted;
    for (const auto& id : entry.views)
        if (const View& one = view(id); one.make && (!one.with_results || (one.needs_input && entry.row)))
            wanted.push_back(&one);
    if (wanted.empty())
        return;
    const SavedRun run         = load_run(folder / "run.credence");
    const RunSnapshot snapshot = last_snapshot_of(run);
    Threads threads(command.threads);
    for (const View* one : wanted) {
        if (const auto reason = one->why_not(*snapshot.experiment)) {
            std::cerr << "credence: " << one->id << " is left out: " << *reason << '\n';
            continue;
        }
        ViewOptions options;
        std::string stem = one->id;
        if (entry.row && one->needs_input) {
            options.input.row = static_cast<std::size_t>(*entry.row);
            stem += "_row_" + std::to_string(*entry.row);
        }
        std::optional<Chart> chart;
        try {
            threads.run([&] { chart = one->make(snapshot, options, interrupt.token()); });
        } catch (const Error& error) {   // the run itself is complete
            std::cerr << "credence: " << one->id << " is left out: " << error.what() << '\n';
            continue;
        }
        if (!chart)
            return;   // stopped
        const Interrupt::Hold hold(interrupt);
        std::filesystem::create_directories(folder / "data");
        std::filesystem::create_directories(folder / "figures");
        write_whole(folder / "data" / (stem + ".csv"), to_csv(data_table(*chart), study_comments(run.study)));
        if (draw && !command.noFigures)
            for (const char* suffix : {".pdf", ".svg", ".png"})
                draw(*chart, run.study, folder / "figures" / (stem + suffix), {});
    }
}

std::vector<std::string> withSeed(std::vector<std::string> assignments, long seed)
{
    if (seed >= 0)
        assignments.push_back("seed=" + std::to_string(seed));
    return assignments;
}

int reproduce(const GalleryEntry& entry, const MadeByPreset& made, const std::string& out,
              const ReproduceCommand& command, const CommandTools& tools)
{
    study_of(entry, command.quick);   // throws an error that names the entry
    RunCommand run;
    run.study       = made.id;
    run.out         = out.empty() ? "out/" + entry.id : out;
    run.seed        = command.seed;
    run.threads     = command.threads;
    run.assignments = made.set;
    if (command.quick)
        run.assignments.insert(run.assignments.end(), entry.quick.begin(), entry.quick.end());
    run.noFigures      = command.noFigures;
    run.mixBuilds      = command.mixBuilds;
    const bool resumed = std::filesystem::exists(std::filesystem::path(run.out) / "run.credence-progress");
    const ProcessorClock clock;
    if (const int status = execute(run, tools.draw); status != exitOk)
        return status;
    const auto spent = resumed ? std::nullopt : std::optional(clock.seconds());
    Interrupt interrupt;
    writeOtherViews(entry, run.out, command, tools.draw, interrupt);
    if (interrupt.requested())
        return exitCancelled;
    const auto scores          = read_cell_scores(std::filesystem::path(run.out) / "results.json");
    const MeasuredText measure = [&](const PrintedValue& value) { return measured_text(value, scores); };
    recordRuns(entry, command, run.out, {run.out}, spent, measure);
    showComparison(entry, measure);
    return exitOk;
}

/// "posch_pilz_table1", with 8 digits for settings of the entry: entries with the same runs share a folder.
std::string folderOf(const MadeBySweep& made)
{
    std::string settings;
    for (const auto& assignment : made.set)
        settings += assignment + '\n';
    return folderName(made.id) + (settings.empty() ? "" : "-" + text_hash(settings).substr(0, 8));
}

int reproduce(const GalleryEntry& entry, const MadeBySweep& made, const std::string& out,
              const ReproduceCommand& command, const CommandTools& tools)
{
    SweepCommand order;
    order.sweep      = made.id;
    order.after      = made.set;
    order.out        = out.empty() ? "out/" + folderOf(made) + (command.quick ? "-quick" : "") : out;
    order.threads    = command.threads;
    order.quick      = command.quick;
    order.noFigures  = command.noFigures;
    order.mixBuilds  = command.mixBuilds;
    const int status = execute(order, tools.drawPlain);
    if (status == exitCancelled)
        return status;
    const Sweep sweep          = sweep_of(entry, command.quick);
    const auto results         = collect_sweep(sweep, cells_of(sweep), SweepFolder(order.out));
    const MeasuredText measure = [&](const PrintedValue& value) { return measured_text(value, results); };
    recordRuns(entry, command, order.out, folders_of(entry, results, SweepFolder(order.out)), {}, measure);
    showComparison(entry, measure);
    return status;
}

int reproduce(const GalleryEntry& entry, const MadeByComparison& made, const std::string& out,
              const ReproduceCommand& command, const CommandTools& tools)
{
    CompareCommand compare;
    compare.comparison  = made.id;
    compare.out         = out;
    compare.threads     = command.threads;
    compare.assignments = withSeed({}, command.seed);
    compare.noFigures   = command.noFigures;
    const int status    = execute(compare, tools.draw);
    if (status == exitOk)
        showComparison(entry, {});
    return status;
}

int reproduce(const GalleryEntry& entry, const MadeByBandit& made, const std::string& out,
              const ReproduceCommand& command, const CommandTools& tools)
{
    BanditCommand bandit;
    bandit.bandits     = made.ids;
    bandit.out         = out.empty() ? "out/" + entry.id : out;
    bandit.threads     = command.threads;
    bandit.assignments = withSeed({}, command.seed);
    bandit.noFigures   = command.noFigures;
    const int status   = execute(bandit, tools.drawPlain);
    if (status == exitOk)
        showComparison(entry, {});
    return status;
}

int reproduce(const GalleryEntry& entry, const MadeByPage& page, const std::string&, const ReproduceCommand&,
              const CommandTools&)
{
    std::cout << "Open it in the window: " << place_of(page) << ".\n";
    showComparison(entry, {});
    return exitOk;
}

int reproduce(const GalleryEntry& entry, const MadeByNothing&, const std::string&, const ReproduceCommand&,
              const CommandTools&)
{
    showComparison(entry, {});
    return exitOk;
}

/// Another program, or a command with its own arguments.
template <class Made>
int reproduce(const GalleryEntry& entry, const Made&, const std::string&, const ReproduceCommand&, const CommandTools&)
{
    std::cout << "Command to run:\n\n    " << command_of(entry) << '\n';
    showComparison(entry, {});
    return exitOk;
}

/// Returns a subfolder per entry if there are several. @return  empty: the default folder
std::string folderOf(const GalleryEntry& entry, const ReproduceCommand& command, bool several)
{
    if (command.out.empty() || !several)
        return command.out;
    const auto* sweep = std::get_if<MadeBySweep>(&entry.how);   // entries of one sweep share its cells
    return (std::filesystem::path(command.out) / (sweep ? folderOf(*sweep) : entry.id)).string();
}

int execute(const ReproduceCommand& command, const CommandTools& tools)
{
    if (command.list) {
        std::cout << plainTable(entryTable());
        return exitOk;
    }
    const auto entries = entriesNamed(command.entries);
    const bool several = entries.size() > 1;
    int worst          = exitOk;
    for (const auto* entry : entries) {
        const auto leaveOut = [&](const std::string& sentence) {
            std::cerr << "credence: " << entry->id << " is left out: " << sentence << '\n';
            worst = exitFailed;
        };
        if (const auto refusal = refusalOf(*entry, command); !refusal.empty()) {
            if (!several)
                throw Error(refusal);
            leaveOut(refusal);
            continue;
        }
        announce(*entry, command);
        try {
            const int status = std::visit(
                [&](const auto& made) {
                return reproduce(*entry, made, folderOf(*entry, command, several), command, tools);
                },
                entry->how);
            if (status == exitCancelled)
                return status;
            worst = std::max(worst, status);
        } catch (const DiskError&) {
            throw;
        } catch (const Error& error) {   // continue with the other entries: perhaps only its data are missing
            if (!several)
                throw;
            leaveOut(error.what());
        }
    }
    return worst;
}

}   // namespace

Action addReproduce(CLI::App& app, const CommandTools& tools)
{
    const auto command = std::make_shared<ReproduceCommand>();
    auto* ids          = app.add_option(
                 "ID", command->entries,
                 "Id of the result, for example P.table1.h100; P.table1 selects all ids that start with it (see: "
                          "credence reproduce --list)");
    app.add_flag("--quick", command->quick,
                 "Run a fast version: it shows that everything works but does not reproduce the printed numbers");
    addValue(app, "--out", "DIR", command->out,
             "Output folder; with several IDs one subfolder each (default: out/ID, or the sweep, comparison or bandit "
             "that makes it)");
    addValue(app, "--seed", "N", command->seed, "Seed to use instead of the entry's; sweeps have their own seeds")
        ->check(CLI::NonNegativeNumber);
    addThreads(app, command->threads, "Number of threads (default: all; results do not depend on it)");
    addNoFigures(app, command->noFigures);
    app.add_flag("--mix-builds", command->mixBuilds, "Continue a run or sweep that another build of Credence started");
    app.add_flag("--list", command->list, "List the IDs with their running times")->excludes(ids);
    return [command, &tools] { return execute(*command, tools); };
}
