// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/active_learning.h"
#include "bandits/bandit_courses.h"
#include "bandits/regret_chart.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/figure_files.h"
#include "cli/plain_table.h"
#include "cli/progress_line.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "results/own_files.h"
#include "study/fields.h"
#include "study/study.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

namespace {

using namespace credence;

Table banditPresets()
{
    Table table{{{"bandit", {}}, {"description", {}}}, {}};
    for (const auto& preset : bandit_presets())
        table.rows.push_back({preset.id, preset.study.name});
    return table;
}

/// A requested agent and its environment.
struct OrderedAgent {
    AgentCourses agent;
    std::shared_ptr<const BanditWorld> world;
};

AgentCourses orderedStudy(const std::string& name, const BanditCommand& command)
{
    const std::filesystem::path file = name;
    std::error_code ignored;
    const bool isFile = file.extension() == ".json" || file.has_parent_path() || std::filesystem::exists(file, ignored);
    AgentCourses agent{
        isFile ? file.stem().string() : name, isFile ? load_bandit_study(file) : bandit_preset(name), {}};
    for (const auto& assignment : command.assignments)
        set_bandit_field(agent.study, assignment);
    if (command.steps > 0)
        agent.study.course.steps = command.steps;
    if (command.seeds > 0)
        agent.study.course.seeds = command.seeds;
    check(agent.study);
    return agent;
}

/// Returns the requested agents; refuses invalid ones before anything runs.
std::vector<OrderedAgent> orderedAgents(const BanditCommand& command)
{
    if (command.bandits.empty())
        throw Error("found no bandit, expected preset ids or files (see: credence bandit --list).");
    std::vector<OrderedAgent> order;
    for (const auto& name : command.bandits) {
        OrderedAgent next{orderedStudy(name, command), nullptr};
        for (const auto& before : order) {
            if (before.agent.id == next.agent.id)
                throw Error("The bandit " + next.agent.id + " is listed twice, expected each once.");
            if (before.world->options() == next.agent.study.world)
                next.world = before.world;
        }
        if (!next.world)
            next.world = std::make_shared<const BanditWorld>(next.agent.study.world);
        const BanditRun trial(next.world, next.agent.study, next.agent.study.seed);   // what the method refuses
        order.push_back(std::move(next));
    }
    return order;
}

void showAgent(const std::string& beginning, const AgentCourses& agent, std::size_t before)
{
    const auto regret = agent.regret();
    std::cout << beginning << agent.courses.size() << (agent.courses.size() == 1 ? " seed" : " seeds");
    if (before > 0)
        std::cout << " (" << before << " already finished)";
    std::cout << ", regret " << grouped_text(std::lround(regret.mean));
    if (regret.sd)
        std::cout << " ± " << grouped_text(std::lround(*regret.sd));
    std::cout << '.' << std::endl;
}

/// Runs the courses that are not yet saved and saves each as it ends. @return  false: cancelled
bool runAgent(OrderedAgent& ordered, const std::string& beginning, const std::filesystem::path& folder,
              Threads& threads, Interrupt& interrupt)
{
    auto& [agent, world] = ordered;
    std::vector<std::uint64_t> missing;
    for (const std::uint64_t seed : seeds_of(agent.study))
        if (auto kept = kept_course(folder, agent.study, seed))
            agent.courses.push_back(std::move(*kept));
        else
            missing.push_back(seed);
    const std::size_t before = agent.courses.size();
    ProgressLine line;
    line.setBeginning(beginning);
    WorkProgress progress;
    progress.report(0);
    CourseEvents events;
    events.finished = [&](const BanditCourse& course) {
        const Interrupt::Hold hold(interrupt);
        keep_course(folder, agent.study, course);
    };
    events.progress = [&](long done, long all) {
        progress.report(static_cast<double>(done) / static_cast<double>(all));
        const auto now = progress.now();
        line.show("interaction " + grouped_text(done) + " of " + grouped_text(all)
                  + (now ? " · " + shareText(*now) : std::string()));
    };
    std::vector<BanditCourse> made;
    threads.run([&] { made = run_bandit(agent.study, world, missing, interrupt.token(), events); });
    if (made.size() < missing.size())
        return false;
    for (auto& course : made)
        agent.courses.push_back(std::move(course));
    std::sort(agent.courses.begin(), agent.courses.end(),
              [](const BanditCourse& a, const BanditCourse& b) { return a.seed < b.seed; });
    line.wipe();
    showAgent(beginning, agent, before);
    return true;
}

/// The regret and mushrooms-eaten figures, as in the window.
void writeBanditFigures(const std::vector<AgentCourses>& agents, const std::filesystem::path& folder,
                        const DrawPlainFigure& draw)
{
    std::vector<RegretCurves> curves;
    std::vector<EatenShares> eaten;
    const auto share = [](long part, long rest) {
        return part + rest > 0 ? std::optional(static_cast<double>(part) / static_cast<double>(part + rest))
                               : std::nullopt;
    };
    for (const auto& agent : agents) {
        curves.push_back(curves_of(agent));
        auto& shares = eaten.emplace_back(EatenShares{.name = agent_title(agent.study), .edible = {}, .poisonous = {}});
        for (std::size_t q = 0; q < 4; ++q) {
            EatenCounts sum;
            for (const auto& course : agent.courses)
                sum += course.quarters[q];
            shares.edible.push_back(share(sum.edible_eaten, sum.edible_left));
            shares.poisonous.push_back(share(sum.poisonous_eaten, sum.poisonous_left));
        }
    }
    writeFigures(regret_chart(curves), folder, draw, {.widthMm = 160, .heightMm = 110});
    writeFigures(eaten_chart(eaten), folder, draw, {.widthMm = 180, .heightMm = 90});
}

}   // namespace

int execute(const BanditCommand& command, const DrawPlainFigure& draw)
{
    if (command.list) {
        std::cout << plainTable(banditPresets());
        return exitOk;
    }
    auto order = orderedAgents(command);
    const OutputFolder folder(command.out.empty() ? "out/bandit" : command.out);
    require_own_files(folder.path(), files_of_bandit, command.overwrite);
    Interrupt interrupt;
    Threads threads(command.threads);
    std::vector<AgentCourses> agents;
    std::vector<std::vector<BanditCourse>> uniform;
    for (std::size_t a = 0; a < order.size(); ++a) {
        const std::string beginning = std::to_string(a + 1) + " of " + std::to_string(order.size()) + ", "
                                      + agent_title(order[a].agent.study) + ": ";
        try {
            if (!runAgent(order[a], beginning, folder.path(), threads, interrupt)) {
                std::cerr << "credence: Cancelled; the finished courses are in " << folder.path().string()
                          << " and will not be run again.\n";
                return exitCancelled;
            }
        } catch (const DiskError&) {
            throw;
        } catch (const Error& error) {   // diverged: continue with the other agents
            std::cerr << "credence: " << order[a].agent.id << " is left out: " << error.what() << '\n';
            continue;
        }
        agents.push_back(order[a].agent);
        const auto seeds = seeds_of(agents.back().study);
        threads.run([&] { uniform.push_back(uniform_courses(agents.back().study, *order[a].world, seeds)); });
    }
    if (agents.empty())
        return exitFailed;
    const Interrupt::Hold hold(interrupt);
    write_bandit(folder.path(), agents, uniform);
    if (!command.noFigures)
        writeBanditFigures(agents, folder.path(), draw);
    std::cout << '\n'
              << plainTable(summary_table(agents, uniform)) << "\nWritten to " << folder.path().string() << '\n';
    return exitOk;
}

Action addBandit(CLI::App& app, const CommandTools& tools)
{
    const auto command = std::make_shared<BanditCommand>();
    auto* names        = app.add_option(
               "BANDIT", command->bandits,
               "Preset ids (see: credence bandit --list) or JSON files; several agents share one output folder");
    addValue(app, "--out", "DIR", command->out,
             "Folder for results.json, regret.csv, summary.csv and figures; finished courses are reused (default: "
             "out/bandit)");
    addValue(app, "--steps", "N", command->steps, "Interactions in each course (default: as in the bandit file)")
        ->check(CLI::Range(1L, 1'000'000L));
    addValue(app, "--seeds", "N", command->seeds, "Courses per agent (default: as in the bandit file)")
        ->check(CLI::Range(1, 1000));
    addAssignments(app, command->assignments, "Change one setting of all agents; can be repeated");
    addThreads(app, command->threads, "Number of threads (default: all; results do not depend on it)");
    addOverwrite(app, command->overwrite);
    addNoFigures(app, command->noFigures);
    app.add_flag("--list", command->list, "List the presets and exit")->excludes(names);
    return [command, &tools] { return execute(*command, tools.drawPlain); };
}

namespace {

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
    addValue(app, "--seed", "N", command->seed, "Seed of the first repetition (default: that of the Study)")
        ->check(CLI::NonNegativeNumber);
    addThreads(app, command->threads, "Number of threads (default: all; results do not depend on it)");
    addAssignments(app, command->assignments, "Change one setting of the Study; can be repeated");
    addNoFigures(app, command->noFigures);
    addOverwrite(app, command->overwrite);
    return [command, &tools] { return execute(*command, tools.drawPlain); };
}
