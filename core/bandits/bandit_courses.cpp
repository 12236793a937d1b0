// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_courses.h"

#include "bandits/regret_chart.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/json.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "runs/provenance.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <stdexcept>

namespace credence {
namespace {

constexpr double seconds_between_reports = 0.1;

/// Forwards the progress of several courses, one report at a time and not too often.
class Listener {
public:
    Listener(const CourseEvents& events, long all) : events_(events), all_(all) {}

    void add(long interactions)
    {
        const std::scoped_lock lock(mutex_);
        done_ += interactions;
        if (!events_.progress || (since_.seconds() < seconds_between_reports && done_ < all_))
            return;
        since_ = {};
        events_.progress(done_, all_);
    }
    void finished(const BanditCourse& course)
    {
        const std::scoped_lock lock(mutex_);
        if (events_.finished)
            events_.finished(course);
    }

private:
    const CourseEvents& events_;
    std::mutex mutex_;
    long all_, done_ = 0;
    Stopwatch since_;
};

/// One course. Empty: stopped.
std::optional<BanditCourse> one_course(const BanditStudy& study, const std::shared_ptr<const BanditWorld>& world,
                                       std::uint64_t seed, const std::stop_token& stop, Listener& listener)
{
    constexpr long reported_together = 16;
    const Stopwatch watch;
    BanditRun run(world, study, seed);
    const long steps = study.course.steps;
    BanditCourse course{.seed = seed, .steps = recorded_interactions(steps), .cumulative = {}};
    course.cumulative.reserve(course.steps.size());
    for (long t = 0; t < steps; ++t) {
        if (stop.stop_requested())
            return {};
        const BanditStep& step = run.step();
        course.quarters[static_cast<std::size_t>(4 * t / steps)].add(step.context.edible, step.eaten);
        if (course.steps[course.cumulative.size()] == step.step)
            course.cumulative.push_back(step.cumulative);
        if ((t + 1) % reported_together == 0)
            listener.add(reported_together);
    }
    course.seconds = watch.seconds();
    listener.add(steps % reported_together);
    return course;
}

using Json = nlohmann::ordered_json;

constexpr auto course_key    = "credence_bandit_course";
constexpr int course_version = 1;

Json counts_json(const EatenCounts& counts)
{
    return {{"edible_eaten", counts.edible_eaten},
            {"edible_left", counts.edible_left},
            {"poisonous_eaten", counts.poisonous_eaten},
            {"poisonous_left", counts.poisonous_left}};
}

EatenCounts counts_from(const nlohmann::json& json)
{
    const auto count = [&](const char* key) {
        const long n = json.at(key).get<long>();
        if (n < 0)
            throw Error("a count below 0");
        return n;
    };
    return {count("edible_eaten"), count("edible_left"), count("poisonous_eaten"), count("poisonous_left")};
}

void create_folder(const std::filesystem::path& folder)
{
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
        throw Error(folder.string() + ": the folder cannot be created (" + failed.message() + ").");
}

/// The wall time of a finished course, in a file of its own: courses of two runs are the same bytes.
std::filesystem::path course_time_file(const std::filesystem::path& folder, const BanditStudy& study,
                                       std::uint64_t seed)
{
    return folder / "course_times" / course_file(folder, study, seed).filename();
}

/// 0: unknown.
double kept_seconds(const std::filesystem::path& folder, const BanditStudy& study, std::uint64_t seed)
{
    const auto file = course_time_file(folder, study, seed);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
        return 0;
    return parse_json(read_file(file, "a wall time"), file.string(), "a wall time").value("seconds", 0.0);
}

/// @throws Error or an exception of JSON for anything but a course of this study
BanditCourse course_from(const nlohmann::json& json, const BanditStudy& study, std::uint64_t seed)
{
    if (json.at(course_key) != nlohmann::json(course_version) || json.at("study") != nlohmann::json(bandit_hash(study)))
        throw Error("another Study");
    BanditCourse course{.seed       = json.at("seed").get<std::uint64_t>(),
                        .steps      = json.at("steps").get<std::vector<long>>(),
                        .cumulative = json.at("cumulative_regret").get<std::vector<double>>(),
                        .quarters   = {},
                        .seconds    = json.value("seconds", 0.0)};   // of older builds
    const auto& quarters = json.at("quarters");
    if (course.seed != seed || course.steps != recorded_interactions(study.course.steps)
        || course.cumulative.size() != course.steps.size() || quarters.size() != course.quarters.size())
        throw Error("another course");
    for (std::size_t q = 0; q < course.quarters.size(); ++q)
        course.quarters[q] = counts_from(quarters.at(q));
    if (course.counts().all() != study.course.steps)
        throw Error("another course");
    return course;
}

Json mean_and_sd_json(const MeanAndSd& value)
{
    return {{"mean", value.mean}, {"sd", value.sd ? Json(*value.sd) : Json(nullptr)}};
}

Json relative_regret_json(const std::optional<RelativeRegret>& relative)
{
    if (!relative)
        return nullptr;
    return {{"mean", relative->percent},
            {"standard_error", relative->standard_error ? Json(*relative->standard_error) : Json(nullptr)}};
}

Json agent_json(const AgentCourses& agent, std::span<const BanditCourse> uniform)
{
    Json seeds = Json::array(), quarters = Json::array();
    for (const auto& course : agent.courses)
        seeds.push_back({{"seed", course.seed}, {"regret", course.regret()}});
    for (std::size_t q = 0; q < 4; ++q) {
        EatenCounts sum;
        for (const auto& course : agent.courses)
            sum += course.quarters[q];
        quarters.push_back(counts_json(sum));
    }
    std::vector<double> ends;
    for (const auto& course : uniform)
        ends.push_back(course.regret());
    return {{"id", agent.id},
            {"agent", agent_title(agent.study)},
            {"interactions", agent.study.course.steps},
            {"regret", mean_and_sd_json(agent.regret())},
            {"regret_of_uniform_choice", mean_and_sd_json(mean_and_sd(ends).value_or(MeanAndSd()))},
            {"relative_regret_percent", relative_regret_json(relative_regret(agent.courses, uniform))},
            {"courses", std::move(seeds)},
            {"eaten_by_quarters_of_all_courses", std::move(quarters)},
            {"study", parse_json<Json>(to_text(agent.study), "study", "a bandit")}};
}

}   // namespace

EatenCounts BanditCourse::counts() const
{
    EatenCounts all;
    for (const auto& quarter : quarters)
        all += quarter;
    return all;
}

std::vector<long> recorded_interactions(long steps, int most)
{
    const long n = std::min<long>(steps, most);
    std::vector<long> recorded;
    for (long i = 1; i <= n; ++i)
        recorded.push_back(i * (steps / n) + i * (steps % n) / n);
    return recorded;
}

std::vector<std::uint64_t> seeds_of(const BanditStudy& study)
{
    std::vector<std::uint64_t> seeds(static_cast<std::size_t>(study.course.seeds));
    std::iota(seeds.begin(), seeds.end(), study.seed);
    return seeds;
}

std::vector<BanditCourse> run_bandit(const BanditStudy& study, std::shared_ptr<const BanditWorld> world,
                                     std::span<const std::uint64_t> seeds, std::stop_token stop,
                                     const CourseEvents& events)
{
    check(study);
    Listener listener(events, study.course.steps * static_cast<long>(seeds.size()));
    std::vector<std::optional<BanditCourse>> courses(seeds.size());
    parallel_for(seeds.size(), [&](std::size_t i) {
        courses[i] = one_course(study, world, seeds[i], stop, listener);
        if (courses[i])
            listener.finished(*courses[i]);
    });
    std::vector<BanditCourse> ended;
    for (auto& course : courses)
        if (course)
            ended.push_back(std::move(*course));
    return ended;
}

MeanAndSd AgentCourses::regret() const
{
    std::vector<double> ends;
    for (const auto& course : courses)
        ends.push_back(course.regret());
    return mean_and_sd(ends).value_or(MeanAndSd());
}

std::vector<BanditCourse> uniform_courses(const BanditStudy& study, const BanditWorld& world,
                                          std::span<const std::uint64_t> seeds)
{
    BanditStudy uniform = study;
    uniform.agent       = {.kind = AgentKind::uniform};
    // The caller owns the world, which outlives the courses.
    const std::shared_ptr<const BanditWorld> borrowed(std::shared_ptr<const BanditWorld>(), &world);
    return run_bandit(uniform, borrowed, seeds);
}

std::optional<RelativeRegret> relative_regret(std::span<const BanditCourse> courses,
                                              std::span<const BanditCourse> uniform)
{
    RegretCurves partners;
    std::vector<double> own, theirs;
    for (const auto& course : courses) {
        const auto same = std::find_if(uniform.begin(), uniform.end(),
                                       [&](const BanditCourse& one) { return one.seed == course.seed; });
        if (same == uniform.end())
            throw std::invalid_argument("there is no course of the uniform choice with this seed");
        partners.cumulative.push_back(same->cumulative);
        own.push_back(course.regret());
        theirs.push_back(same->regret());
    }
    const auto whole = clear_regret_of_uniform(partners);
    const auto mean  = mean_and_sd(own);
    if (!whole || !mean)
        return {};
    const auto n       = static_cast<double>(own.size());
    const double ratio = mean->mean / *whole;
    RelativeRegret relative{100 * ratio};
    if (own.size() > 1) {
        double squares = 0;
        for (std::size_t s = 0; s < own.size(); ++s)
            squares += (own[s] - ratio * theirs[s]) * (own[s] - ratio * theirs[s]);
        relative.standard_error = 100 / *whole * std::sqrt(squares / (n * (n - 1)));
    }
    return relative;
}

RegretCurves curves_of(const AgentCourses& agent)
{
    RegretCurves curves{.name = agent_title(agent.study), .steps = {}, .cumulative = {}};
    for (const auto& course : agent.courses) {
        if (curves.cumulative.empty())
            curves.steps = course.steps;
        if (course.steps == curves.steps)
            curves.cumulative.push_back(course.cumulative);
    }
    return curves;
}

Table summary_table(std::span<const AgentCourses> agents, std::span<const std::vector<BanditCourse>> uniform)
{
    Table table{.columns = {{"Agent"},
                            {"Seeds"},
                            {"Interactions"},
                            {"Regret", "", 0},
                            {"sd of regret", "", 0},
                            {"Relative regret", "%", 1},
                            {"Standard error of relative regret", "%", 1},
                            {"Edible eaten, last quarter", "%", 1},
                            {"Poisonous eaten, last quarter", "%", 1}},
                .rows    = {}};
    const auto cell = [](const std::optional<double>& value) { return value ? Cell(*value) : Cell(std::string("")); };
    for (std::size_t a = 0; a < agents.size(); ++a) {
        const auto& agent = agents[a];
        if (agent.courses.empty())
            continue;
        const auto regret   = agent.regret();
        const auto relative = relative_regret(agent.courses, uniform[a]);
        EatenCounts last;
        for (const auto& course : agent.courses)
            last += course.quarters.back();
        const auto share = [](long part, long rest) {
            return part + rest > 0 ? std::optional(100.0 * static_cast<double>(part) / static_cast<double>(part + rest))
                                   : std::nullopt;
        };
        table.rows.push_back(
            {agent_title(agent.study), static_cast<long>(agent.courses.size()), agent.study.course.steps, regret.mean,
             cell(regret.sd), cell(relative ? std::optional(relative->percent) : std::nullopt),
             cell(relative ? relative->standard_error : std::nullopt), cell(share(last.edible_eaten, last.edible_left)),
             cell(share(last.poisonous_eaten, last.poisonous_left))});
    }
    return table;
}

Table course_times_table(std::span<const AgentCourses> agents)
{
    Table table{.columns = {{"agent"}, {"seed"}, {"seconds"}}, .rows = {}};
    for (const auto& agent : agents)
        for (const auto& course : agent.courses)
            table.rows.push_back({agent.id, static_cast<long>(course.seed), course.seconds});
    return table;
}

Table regret_table(std::span<const AgentCourses> agents)
{
    Table table{.columns = {{"agent"}, {"seed"}, {"step"}, {"cumulative_regret"}}, .rows = {}};
    for (const auto& agent : agents)
        for (const auto& course : agent.courses)
            for (std::size_t i = 0; i < course.steps.size(); ++i)
                table.rows.push_back({agent.id, static_cast<long>(course.seed), course.steps[i], course.cumulative[i]});
    return table;
}

std::filesystem::path course_file(const std::filesystem::path& folder, const BanditStudy& study, std::uint64_t seed)
{
    return folder / "courses" / (bandit_hash(study) + "-" + std::to_string(seed) + ".json");
}

void keep_course(const std::filesystem::path& folder, const BanditStudy& study, const BanditCourse& course)
{
    const auto file = course_file(folder, study, course.seed), time_file = course_time_file(folder, study, course.seed);
    create_folder(file.parent_path());
    Json quarters = Json::array();
    for (const auto& quarter : course.quarters)
        quarters.push_back(counts_json(quarter));
    const Json json{{course_key, course_version},
                    {"agent", agent_title(study)},
                    {"study", bandit_hash(study)},
                    {"seed", course.seed},
                    {"quarters", std::move(quarters)},
                    {"steps", course.steps},
                    {"cumulative_regret", course.cumulative}};
    create_folder(time_file.parent_path());
    write_whole(time_file, Json{{"seconds", course.seconds}}.dump() + "\n");
    write_whole(file, json.dump() + "\n");
}

std::optional<BanditCourse> kept_course(const std::filesystem::path& folder, const BanditStudy& study,
                                        std::uint64_t seed)
{
    const auto file = course_file(folder, study, seed);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
        return {};
    try {
        auto course = course_from(parse_json(read_file(file, "a course"), file.string(), "a course"), study, seed);
        if (const double seconds = kept_seconds(folder, study, seed); seconds > 0)
            course.seconds = seconds;
        return course;
    } catch (const Error&) {   // it is computed again
    } catch (const nlohmann::json::exception&) {}
    return {};
}

std::string bandit_results_text(std::span<const AgentCourses> agents,
                                std::span<const std::vector<BanditCourse>> uniform)
{
    Json all = Json::array();
    for (std::size_t a = 0; a < agents.size(); ++a)
        if (!agents[a].courses.empty())
            all.push_back(agent_json(agents[a], uniform[a]));
    return Json{{"bandit", 1}, {"provenance", build_to_json(this_build())}, {"agents", std::move(all)}}.dump(2) + "\n";
}

void write_bandit(const std::filesystem::path& folder, std::span<const AgentCourses> agents,
                  std::span<const std::vector<BanditCourse>> uniform)
{
    write_whole(folder / "results.json", bandit_results_text(agents, uniform));
    write_whole(folder / "times.csv", to_csv(course_times_table(agents)));
    write_whole(folder / "regret.csv", to_csv(regret_table(agents)));
    write_whole(folder / "summary.csv", to_csv(summary_table(agents, uniform)));
}

}   // namespace credence
