// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_courses.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/parallel.h"

#include "unit/bandits/small_bandit.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace credence {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

BanditStudy uniform_bandit(long steps)
{
    BanditStudy study = small_bandit("mean_field", steps);
    study.agent.kind  = AgentKind::uniform;
    return study;
}

std::filesystem::path empty_folder(const std::string& name)
{
    const auto folder = std::filesystem::temp_directory_path()
                        / ("credence_courses_" + std::to_string(::getpid()) + name);
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder;
}

std::string text_of(const std::filesystem::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

TEST(BanditCourses, TheRegretIsRecordedAtFiveHundredStepsAtMostAndAtTheLast)
{
    EXPECT_THAT(recorded_interactions(3), ElementsAre(1, 2, 3));
    EXPECT_THAT(recorded_interactions(10, 4), ElementsAre(2, 5, 7, 10));
    const auto many = recorded_interactions(50'001);
    EXPECT_EQ(many.size(), 500u);
    EXPECT_EQ(many.back(), 50'001);
    EXPECT_TRUE(std::is_sorted(many.begin(), many.end()));
}

TEST(BanditCourses, InParallelTheyGiveTheSameResultsAsAlone)
{
    const auto study = small_bandit("mean_field", 24);
    const auto world = world_of(study);
    const std::vector<std::uint64_t> seeds{1, 2, 3};
    std::vector<BanditCourse> together;
    std::vector<std::uint64_t> finished;
    long reported = 0;
    CourseEvents events;
    events.finished = [&](const BanditCourse& course) { finished.push_back(course.seed); };
    events.progress = [&](long done, long all) {
        reported = std::max(reported, done);
        EXPECT_EQ(all, 72);
    };
    Threads(2).run([&] { together = run_bandit(study, world, seeds, {}, events); });
    ASSERT_EQ(together.size(), 3u);
    EXPECT_EQ(reported, 72);
    std::sort(finished.begin(), finished.end());
    EXPECT_EQ(finished, seeds);
    for (std::size_t k = 0; k < 3; ++k) {
        BanditRun alone(world, study, seeds[k]);
        for (const double regret : together[k].cumulative)
            EXPECT_EQ(alone.step().cumulative, regret);
        EXPECT_EQ(together[k].counts(), alone.counts());
        EXPECT_EQ(together[k].quarters[0].all(), 6);
    }
    EXPECT_NE(together[0].cumulative, together[1].cumulative);
}

TEST(BanditCourses, AStoppedCourseIsNotSaved)
{
    std::stop_source stop;
    stop.request_stop();
    const auto study = small_bandit("mean_field", 24);
    EXPECT_TRUE(run_bandit(study, world_of(study), seeds_of(study), stop.get_token()).empty());
}

TEST(BanditCourses, MeansAndDeviationsByHand)
{
    const auto course = [](std::uint64_t seed, double regret) {
        return BanditCourse{.seed = seed, .steps = {1, 2}, .cumulative = {regret / 2, regret}};
    };
    const auto relative = relative_regret(std::vector{course(1, 10), course(2, 30)},
                                          std::vector{course(2, 110), course(1, 90)});
    ASSERT_TRUE(relative);
    EXPECT_DOUBLE_EQ(relative->percent, 20) << "the mean of 10 and 30 over that of 90 and 110";
    EXPECT_DOUBLE_EQ(relative->standard_error.value(), std::sqrt((64.0 + 64.0) / 2)) << "10 - 18 and 30 - 22";
    EXPECT_FALSE(relative_regret(std::vector{course(1, 10)}, std::vector{course(1, -20)}));
    EXPECT_FALSE(relative_regret(std::vector{course(1, 10)}, std::vector{course(1, 90)})->standard_error);
}

TEST(BanditCourses, RelativeRegretKeepsTheOrderOfTheAgents)
{
    const auto agent = [](std::vector<double> regrets) {
        std::vector<BanditCourse> courses;
        for (const double regret : regrets)
            courses.push_back({.seed = courses.size() + 1, .steps = {1, 2}, .cumulative = {regret / 2, regret}});
        return courses;
    };
    // Regrets of 60 and 66.7 on average. The mean of the ratios would say 75 % and 65.6 %: the other order.
    const auto uniform = agent({120, 100, 80}), first = agent({0, 0, 180}), second = agent({80, 80, 40});
    EXPECT_LT(relative_regret(first, uniform)->percent, relative_regret(second, uniform)->percent);
}

TEST(BanditCourses, UniformChoiceIsAHundredPercentOfItself)
{
    const auto study = uniform_bandit(500);
    const auto world = world_of(study);
    const auto seeds = seeds_of(study);
    EXPECT_EQ(seeds.size(), 5u);
    const auto courses = run_bandit(study, world, seeds);
    const auto uniform = uniform_courses(small_bandit("mean_field", 500), *world, seeds);
    const auto same    = relative_regret(courses, uniform);
    ASSERT_TRUE(same);
    EXPECT_DOUBLE_EQ(same->percent, 100);
    EXPECT_NEAR(same->standard_error.value(), 0, 1e-12);
}

TEST(BanditCourses, OnlyTheSavedCourseIsRestored)
{
    const auto folder = empty_folder("_kept");
    const auto study  = uniform_bandit(100);
    const std::vector<std::uint64_t> seeds{4};
    const auto course = run_bandit(study, world_of(study), seeds).at(0);
    EXPECT_FALSE(kept_course(folder, study, 4));
    keep_course(folder, study, course);
    EXPECT_EQ(kept_course(folder, study, 4), course);
    auto json = nlohmann::json::parse(text_of(course_file(folder, study, 4)));
    EXPECT_FALSE(json.contains("seconds")) << "wall times are in files of their own";
    json["seconds"] = 12.5;
    std::filesystem::remove_all(folder / "course_times");
    write_whole(course_file(folder, study, 4), json.dump());
    EXPECT_EQ(kept_course(folder, study, 4)->seconds, 12.5) << "a file of an older build";
    EXPECT_FALSE(kept_course(folder, study, 5)) << "another seed";
    BanditStudy longer  = study;
    longer.course.steps = 101;
    EXPECT_FALSE(kept_course(folder, longer, 4));
    std::filesystem::copy_file(course_file(folder, study, 4), course_file(folder, longer, 4));
    EXPECT_FALSE(kept_course(folder, longer, 4)) << "the content of the file counts, not its name";
    for (const char* broken : {"", "{", "[]", "{\"credence_bandit_course\": 1}"}) {
        write_whole(course_file(folder, study, 4), broken);
        EXPECT_FALSE(kept_course(folder, study, 4)) << broken;
    }
    std::filesystem::remove_all(folder);
}

TEST(BanditCourses, FilesRecordTheActionsOfTheAgents)
{
    const auto folder = empty_folder("_files");
    const auto study  = uniform_bandit(400);
    const auto world  = world_of(study);
    const std::vector<std::uint64_t> seeds{1, 2};
    const std::vector<AgentCourses> agents{{"plane_uniform", study, run_bandit(study, world, seeds)}};
    const std::vector<std::vector<BanditCourse>> uniform{uniform_courses(study, *world, seeds)};
    write_bandit(folder, agents, uniform);

    const auto results = nlohmann::json::parse(text_of(folder / "results.json")).at("agents").at(0);
    EXPECT_EQ(results.at("id"), "plane_uniform");
    EXPECT_EQ(results.at("agent"), "Uniform choice");
    EXPECT_DOUBLE_EQ(results.at("relative_regret_percent").at("mean").get<double>(), 100);
    EXPECT_DOUBLE_EQ(results.at("regret").at("mean").get<double>(), agents[0].regret().mean);
    EXPECT_EQ(bandit_study_from_json(results.at("study")), study);
    long eaten_or_left = 0;
    for (const auto& quarter : results.at("eaten_by_quarters_of_all_courses"))
        for (const auto& count : quarter)
            eaten_or_left += count.get<long>();
    EXPECT_EQ(eaten_or_left, 800);
    EXPECT_THAT(text_of(folder / "times.csv"), HasSubstr("agent,seed,seconds\r\nplane_uniform,1,"));
    EXPECT_EQ(results.dump().find("\"seconds\""), std::string::npos) << "wall times are only in times.csv";

    const auto regret = text_of(folder / "regret.csv");
    EXPECT_THAT(regret, HasSubstr("agent,seed,step,cumulative_regret\r\nplane_uniform,1,1,"));
    EXPECT_EQ(std::count(regret.begin(), regret.end(), '\n'), 1 + 800);
    EXPECT_THAT(text_of(folder / "summary.csv"), HasSubstr("Uniform choice,2,400,"));

    const auto curves = curves_of(agents[0]);
    EXPECT_EQ(curves.name, "Uniform choice");
    EXPECT_EQ(curves.steps.size(), 400u);
    ASSERT_EQ(curves.cumulative.size(), 2u);
    EXPECT_EQ(curves.cumulative[1], agents[0].courses[1].cumulative);
    std::filesystem::remove_all(folder);
}

}   // namespace
}   // namespace credence
