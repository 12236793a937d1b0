// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_files.h"

#include "foundation/error.h"
#include "foundation/json_text.h"
#include "foundation/read_file.h"
#include "foundation/write_whole.h"
#include "runs/provenance.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace credence {
namespace {

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

/// @throws Error or an exception of JSON for anything but a course of this study
BanditCourse course_from(const nlohmann::json& json, const BanditStudy& study, std::uint64_t seed)
{
    if (json.at(course_key) != nlohmann::json(course_version) || json.at("study") != nlohmann::json(bandit_hash(study)))
        throw Error("another study");
    BanditCourse course{.seed       = json.at("seed").get<std::uint64_t>(),
                        .steps      = json.at("steps").get<std::vector<long>>(),
                        .cumulative = json.at("cumulative_regret").get<std::vector<double>>(),
                        .quarters   = {},
                        .seconds    = json.at("seconds").get<double>()};
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

std::filesystem::path course_file(const std::filesystem::path& folder, const BanditStudy& study, std::uint64_t seed)
{
    return folder / "courses" / (bandit_hash(study) + "-" + std::to_string(seed) + ".json");
}

void keep_course(const std::filesystem::path& folder, const BanditStudy& study, const BanditCourse& course)
{
    const auto file = course_file(folder, study, course.seed);
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    if (failed)
        throw Error(file.parent_path().string() + ": the folder cannot be created (" + failed.message() + ").");
    Json quarters = Json::array();
    for (const auto& quarter : course.quarters)
        quarters.push_back(counts_json(quarter));
    const Json json{{course_key, course_version},  {"agent", agent_title(study)},
                    {"study", bandit_hash(study)}, {"seed", course.seed},
                    {"seconds", course.seconds},   {"quarters", std::move(quarters)},
                    {"steps", course.steps},       {"cumulative_regret", course.cumulative}};
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
        return course_from(parse_json(read_file(file, "a course"), file.string(), "a course"), study, seed);
    } catch (const Error&) {   // it is made anew
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
