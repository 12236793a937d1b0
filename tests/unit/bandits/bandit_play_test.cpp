// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_courses.h"
#include "bandits/bandit_play.h"

#include "foundation/parallel.h"

#include "unit/bandits/small_bandit.h"

#include <gmock/gmock.h>

#include <set>

namespace credence {
namespace {

using ::testing::HasSubstr;

BanditStudy uniform_choice(long steps)
{
    auto study  = small_bandit("mean_field", steps);
    study.agent = {.kind = AgentKind::uniform};
    return study;
}

void advance(BanditPlay& play, long steps)
{
    Threads(2).run([&] {
        play.begin();
        while (play.can_continue() && play.slowest() < steps)
            play.step({});
    });
}

std::vector<double> course_alone(const BanditStudy& study, long steps)
{
    std::vector<double> regret;
    Threads(1).run([&] {
        BanditRun run(world_of(study), study, study.seed);
        for (long t = 0; t < steps; ++t)
            regret.push_back(run.step().cumulative);
    });
    return regret;
}

TEST(BanditAgents, AreListedOnceWithThompsonSamplingGreedyAgentsAndTheUniformChoice)
{
    for (const auto world : {WorldKind::plane, WorldKind::mushrooms}) {
        const auto agents = bandit_agents(world, 0.1);
        std::set<std::string> ids;
        int usual = 0;
        for (const auto& agent : agents) {
            EXPECT_TRUE(ids.insert(agent.id).second) << agent.id;
            EXPECT_EQ(agent.study.world.kind, world) << agent.id;
            usual += agent.usual ? 1 : 0;
        }
        for (const char* id :
             {"thompson/mean_field", "greedy/0", "greedy/0.01", "greedy/0.05", "greedy/own", "uniform"})
            EXPECT_EQ(ids.count(id), 1U) << id;
        EXPECT_EQ(usual, 3);
        EXPECT_EQ(bandit_agents(world, 0.05).size(), agents.size() - 1) << "5 % is there already";
    }
}

TEST(BanditPlay, EachAgentHasTheCourseThatItHasAlone)
{
    const auto thompson = small_bandit("mean_field", 20), uniform = uniform_choice(20);
    BanditPlay play({{"thompson", thompson}, {"uniform", uniform}}, nullptr);
    advance(play, 12);
    EXPECT_EQ(play.steps(), 12);
    EXPECT_EQ(play.players()[0]->regret(), course_alone(thompson, 12));
    EXPECT_EQ(play.players()[1]->regret(), course_alone(uniform, 12));
}

TEST(BanditPlay, AnAgentThatJoinsCatchesUpAndTheOthersContinue)
{
    const auto thompson = small_bandit("mean_field", 20), uniform = uniform_choice(20);
    BanditPlay first({{"uniform", uniform}}, nullptr);
    advance(first, 8);
    BanditPlay second({{"thompson", thompson}, {"uniform", uniform}}, &first);
    EXPECT_EQ(second.players()[1], first.players()[0]);
    EXPECT_EQ(second.steps(), 8);
    EXPECT_EQ(second.slowest(), 0);
    advance(second, 8);
    EXPECT_EQ(second.players()[0]->steps(), 8);
    EXPECT_EQ(second.players()[0]->regret(), course_alone(thompson, 8));
}

TEST(BanditPlay, ItsFrameHasARowForEachAgentAndTheUniformChoiceIsAHundredPercent)
{
    BanditPlay play({{"uniform", uniform_choice(500)}}, nullptr);
    advance(play, 400);
    const auto frame = play.frame();
    EXPECT_EQ(frame.steps, 400);
    ASSERT_TRUE(frame.numbers->table);
    ASSERT_EQ(frame.numbers->table->rows.size(), 1U);
    EXPECT_EQ(std::get<long>(frame.numbers->table->rows[0][1]), 400);
    EXPECT_NEAR(std::get<double>(frame.numbers->table->rows[0][3]), 100, 1e-9);
    EXPECT_THAT(frame.happened, ::testing::SizeIs(1));
    EXPECT_THAT(frame.happened[0], HasSubstr(": reward "));
    for (const auto& chart : {frame.regret, frame.eaten, frame.numbers})
        EXPECT_THAT(chart->caption, HasSubstr("after 400 of 500 interactions."));
}

TEST(BanditSeeds, RunsOnlyTheMissingCoursesAndNamesAllSeedsInItsCaption)
{
    auto study         = uniform_choice(30);
    study.course.seeds = 2;
    BanditSeeds seeds;
    EXPECT_FALSE(seeds.chart(false).message.empty());
    int finished = 0;
    const BanditSeeds::Events events{.finished = [&] { ++finished; },
                                     .progress = [](double share) { EXPECT_LE(share, 1); }};
    const auto run = [&] { Threads(1).run([&] { seeds.run({study}, {}, events); }); };
    run();
    EXPECT_EQ(seeds.finished(), 2);
    EXPECT_EQ(finished, 2);
    EXPECT_THAT(seeds.chart(false).caption, HasSubstr(", seeds 1 to 2, 30 interactions each."));
    study.course.seeds = 3;
    run();
    EXPECT_EQ(seeds.finished(), 3);
    EXPECT_EQ(finished, 3) << "only the third course was missing";
}

}   // namespace
}   // namespace credence
