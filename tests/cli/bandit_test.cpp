// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

// `credence bandit`.
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A few interactions of two agents in the plane.
std::string shortBandit(const std::filesystem::path& folder, int seeds)
{
    return "bandit plane_mean_field plane_uniform --steps 30 --set course.updates=2 --seeds " + std::to_string(seeds)
           + " --out " + quoted(folder);
}

TEST(BanditCommand, RunsAgentsIntoOneFolderAndRepeatsNoCourse)
{
    const auto folder   = freshFolder("bandit") / "two";
    const Answer answer = call(shortBandit(folder, 2));
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, AllOf(HasSubstr("1 of 2, Mean field, Thompson sampling: 2 seeds, regret "),
                                  HasSubstr("2 of 2, Uniform choice: 2 seeds, regret "), HasSubstr("Relative regret"),
                                  HasSubstr("Written to "), Not(HasSubstr("already "))));
    const std::string results = contentOf(folder / "results.json"), regret = contentOf(folder / "regret.csv");
    EXPECT_THAT(results, AllOf(HasSubstr("\"id\": \"plane_mean_field\""), HasSubstr("\"relative_regret_percent\"")));
    EXPECT_EQ(std::count(regret.begin(), regret.end(), '\n'), 1 + 2 * 2 * 30);
    EXPECT_THAT(contentOf(folder / "summary.csv"), HasSubstr("Uniform choice,2,30,"));
    for (const char* figure : {"bandit_regret", "bandit_eaten"})
        for (const char* suffix : {".pdf", ".svg", ".png", ".csv", ".tex"})
            EXPECT_TRUE(std::filesystem::exists(folder / (std::string(figure) + suffix))) << figure << suffix;
    const auto courses = std::filesystem::directory_iterator(folder / "courses");
    EXPECT_EQ(std::distance(begin(courses), end(courses)), 4);

    const Answer again = call(shortBandit(folder, 2));
    ASSERT_EQ(again.status, 0) << again.error;
    EXPECT_THAT(again.out, HasSubstr("Mean field, Thompson sampling: 2 seeds (2 already finished), regret "));
    EXPECT_EQ(contentOf(folder / "results.json"), results);
    EXPECT_EQ(contentOf(folder / "regret.csv"), regret);

    const Answer more = call(shortBandit(folder, 3));
    ASSERT_EQ(more.status, 0) << more.error;
    EXPECT_THAT(more.out, HasSubstr("Mean field, Thompson sampling: 3 seeds (2 already finished), regret "));
    EXPECT_THAT(contentOf(folder / "regret.csv"), HasSubstr("plane_mean_field,3,30,"));
}

TEST(BanditCommand, GivesTheSameNumbersOnAnyNumberOfThreads)
{
    const auto one = freshFolder("bandit_one"), two = freshFolder("bandit_two");
    const std::string call_of = "bandit plane_ensemble --no-figures --steps 12 --seeds 2 --set course.updates=2 ";
    ASSERT_EQ(call(call_of + "--threads 1 --out " + quoted(one)).status, 0);
    ASSERT_EQ(call(call_of + "--threads 2 --out " + quoted(two)).status, 0);
    EXPECT_EQ(contentOf(one / "regret.csv"), contentOf(two / "regret.csv"));
}

TEST(BanditCommand, ListsItsPresets)
{
    const Answer answer = call("bandit --list");
    EXPECT_EQ(answer.status, 0);
    EXPECT_THAT(answer.out, AllOf(HasSubstr("plane_mean_field"), HasSubstr("mushrooms_greedy_5")));
}

TEST(BanditCommand, ReadsABanditFile)
{
    const auto folder = freshFolder("bandit_file");
    std::ofstream(folder / "mine.json") << R"({"credence_bandit": 1, "name": "Mine", "agent": {"kind": "uniform"},)"
                                        << R"( "course": {"steps": 20, "seeds": 1}})";
    const Answer answer = call("bandit " + quoted(folder / "mine.json") + " --out " + quoted(folder / "out"));
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(contentOf(folder / "out" / "results.json"), HasSubstr("\"id\": \"mine\""));
}

TEST(BanditCommand, RejectsWithOneSentence)
{
    const auto folder  = freshFolder("bandit_refused");
    const auto refusal = [&](const std::string& words) {
        const Answer answer = call("bandit " + words + " --out " + quoted(folder / "out"));
        EXPECT_EQ(answer.status, 2) << words;
        EXPECT_EQ(std::count(answer.error.begin(), answer.error.end(), '\n'), 1) << answer.error;
        return answer.error;
    };
    EXPECT_THAT(refusal(""), HasSubstr("found no bandit, expected preset ids or files"));
    EXPECT_THAT(refusal("plane_man_field"),
                HasSubstr("There is no bandit \"plane_man_field\", expected a file or one of plane_mean_field"));
    EXPECT_THAT(refusal("plane_uniform plane_uniform"), HasSubstr("plane_uniform is listed twice"));
    EXPECT_THAT(refusal("plane_mean_field --set posterior.family=nuts"),
                HasSubstr("cannot learn from interactions one at a time"));
    EXPECT_THAT(refusal("plane_mean_field --set agent.epsilon=7"),
                HasSubstr("agent.epsilon is 7, expected a number from 0 to 1."));
    EXPECT_THAT(refusal("mushrooms_uniform --set world.file=/nowhere.data"), HasSubstr("/nowhere.data"));
    EXPECT_THAT(refusal("/nowhere/mine.json"), HasSubstr("/nowhere/mine.json"));
    EXPECT_FALSE(std::filesystem::exists(folder / "out")) << "rejected before anything is created";
}

TEST(BanditCommand, AnInterruptedRunKeepsItsCompleteCourses)
{
    const auto folder     = freshFolder("bandit_stopped");
    const auto twoCourses = [courses = folder / "courses"] {   // written whole, each under its final name
        std::error_code code;
        std::filesystem::directory_iterator files(courses, code), end;
        return !code
               && std::count_if(files, end, [](const auto& file) { return file.path().extension() == ".json"; }) >= 2;
    };
    const Answer answer = callAndInterruptWhen(
        "bandit plane_uniform plane_mean_field --steps 50000 --seeds 2 --out " + quoted(folder), twoCourses);
    EXPECT_EQ(answer.status, 130) << answer.error;
    EXPECT_THAT(answer.error, HasSubstr("Cancelled; the finished courses are in "));
    EXPECT_FALSE(std::filesystem::exists(folder / "results.json"));
    const auto courses = std::filesystem::directory_iterator(folder / "courses");
    EXPECT_EQ(std::distance(begin(courses), end(courses)), 2) << "those of the uniform choice";
}

}   // namespace
