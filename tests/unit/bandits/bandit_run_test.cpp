// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_run.h"

#include "foundation/error.h"
#include "foundation/parallel.h"

#include "unit/bandits/small_bandit.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// Everything of a step that is a number.
std::vector<double> numbers_of(const BanditStep& step)
{
    std::vector<double> all{static_cast<double>(step.eaten), step.reward, step.oracle, step.cumulative};
    all.insert(all.end(), step.draws.leave.begin(), step.draws.leave.end());
    all.insert(all.end(), step.draws.eat.begin(), step.draws.eat.end());
    return all;
}

std::vector<std::vector<double>> course_of(const BanditStudy& study, int threads, long steps)
{
    std::vector<std::vector<double>> all;
    Threads(threads).run([&] {
        BanditRun run(world_of(study), study, 3);
        for (long t = 0; t < steps; ++t)
            all.push_back(numbers_of(run.step()));
    });
    return all;
}

class AgentWithNet : public ::testing::TestWithParam<const char*> {};

TEST_P(AgentWithNet, GivesTheSameBitsOnOneThreadAndOnTwo)
{
    const auto study = small_bandit(GetParam(), 30);
    EXPECT_EQ(course_of(study, 1, 30), course_of(study, 2, 30));
}

TEST_P(AgentWithNet, QueriesDoNotChangeItsCourse)
{
    const auto study = small_bandit(GetParam(), 20);
    const auto world = world_of(study);
    BanditRun asked(world, study, 3), quiet(world, study, 3);
    for (int t = 0; t < 20; ++t) {
        const auto draws = asked.next_decision(7);
        asked.value_map(std::vector<float>{0, 0, 1, 1}, 3);
        const auto& step = asked.step();
        EXPECT_EQ(numbers_of(step), numbers_of(quiet.step())) << "step " << t;
        ASSERT_GE(draws.eat.size(), step.draws.eat.size());
        for (std::size_t i = 0; i < step.draws.eat.size(); ++i) {   // the first ones decide
            EXPECT_EQ(draws.eat[i], step.draws.eat[i]);
            EXPECT_EQ(draws.leave[i], step.draws.leave[i]);
        }
    }
}

TEST_P(AgentWithNet, ChoosesTheActionThatItsSamplesFavour)
{
    const auto study = small_bandit(GetParam(), 20);
    BanditRun run(world_of(study), study, 5);
    for (int t = 0; t < 20; ++t) {
        const auto& step = run.step();
        EXPECT_FALSE(step.by_chance);
        EXPECT_EQ(step.eaten, step.draws.mean_eat() > step.draws.mean_leave());
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, AgentWithNet,
                         ::testing::Values("mean_field", "layer_scale", "bernoulli_dropout", "deep_ensemble", "sgld",
                                           "psgld", "sghmc", "sgfuncrld"),
                         [](const auto& info) { return std::string(info.param); });

TEST(BanditRun, TheRegretIsOracleLessRewardAddedUp)
{
    BanditStudy study = small_bandit("mean_field", 200);
    study.agent.kind  = AgentKind::uniform;
    BanditRun run(world_of(study), study, 1);
    double sum = 0;
    EatenCounts counts;
    for (long t = 0; t < 200; ++t) {
        const auto before = run.next_context();
        const auto& step  = run.step();
        EXPECT_EQ(step.context, before);
        EXPECT_TRUE(step.by_chance);
        EXPECT_TRUE(step.draws.eat.empty());
        const double reward = !step.eaten ? 0 : step.context.edible ? 5 : step.context.lucky ? 5 : -35;
        EXPECT_EQ(step.reward, reward);
        EXPECT_EQ(step.oracle, step.context.edible ? 5 : 0);
        sum += step.oracle - reward;
        EXPECT_DOUBLE_EQ(step.cumulative, sum);
        counts.add(step.context.edible, step.eaten);
    }
    EXPECT_EQ(run.counts(), counts);
    EXPECT_EQ(counts.all(), 200);
    EXPECT_TRUE(run.done());
    EXPECT_TRUE(run.next_decision(5).eat.empty()) << "there is no net to query";
    EXPECT_TRUE(run.value_map(std::vector<float>{0, 0}, 5).mean_eat.empty());
}

/// Of an edible one ½·5 is missed, of a poisonous one ½·15 is lost: 5 a step where half are edible.
/// The variance of a step is 137.5.
TEST(BanditRun, UniformChoiceHasItsExpectedRegret)
{
    BanditStudy study = small_bandit("mean_field", 20000);
    study.agent.kind  = AgentKind::uniform;
    BanditRun run(world_of(study), study, 1);
    while (!run.done())
        run.step();
    EXPECT_NEAR(run.last().cumulative / 20000, 5, 5 * std::sqrt(137.5 / 20000));
}

TEST(BanditRun, EpsilonIsTheShareLeftToChance)
{
    BanditStudy study    = small_bandit("point_estimate", 1000);
    study.agent          = {.kind = AgentKind::greedy, .epsilon = 0.2};
    study.course.updates = 1;
    BanditRun run(world_of(study), study, 1);
    int by_chance = 0;
    for (int t = 0; t < 1000; ++t)
        by_chance += run.step().by_chance;
    EXPECT_NEAR(by_chance, 200, 5 * std::sqrt(1000 * 0.2 * 0.8));
}

TEST(BanditRun, ThompsonSamplingLearnsThePlane)
{
    const BanditStudy study = small_bandit("mean_field", 600);
    BanditRun run(world_of(study), study, 1);
    double before = 0;
    Threads(1).run([&] {
        while (!run.done()) {
            run.step();
            before = run.steps_done() == 450 ? run.last().cumulative : before;
        }
    });
    EXPECT_LT(run.last().cumulative - before, 375) << "uniform choice: 750 over the last quarter";
    const auto& counts = run.counts();
    EXPECT_GT(counts.edible_eaten, 3 * counts.poisonous_eaten);
}

TEST(BanditRun, TheMapIsThatOfTheSamples)
{
    const BanditStudy study = small_bandit("mean_field", 30);
    BanditRun run(world_of(study), study, 1);
    for (int t = 0; t < 30; ++t)
        run.step();
    std::vector<float> points;   // more than are evaluated at once
    for (int i = 0; i < 300; ++i) {
        points.push_back(static_cast<float>(i) * 0.01f);
        points.push_back(0.25f);
    }
    const auto map = run.value_map(points, 8);
    ASSERT_EQ(map.mean_eat.size(), 300u);
    for (const std::size_t j : {0u, 127u, 128u, 299u}) {
        const auto draws = run.values(std::span(points).subspan(2 * j, 2), 8);
        ASSERT_EQ(draws.eat.size(), 8u);
        EXPECT_NEAR(map.mean_eat[j], draws.mean_eat(), 1e-3);
        EXPECT_NEAR(map.mean_leave[j], draws.mean_leave(), 1e-3);
        double squares = 0, eaten = 0;
        for (std::size_t s = 0; s < 8; ++s) {
            squares += std::pow(draws.eat[s] - draws.mean_eat(), 2);
            eaten += draws.eat[s] > draws.leave[s];
        }
        EXPECT_NEAR(map.sd_eat[j], std::sqrt(squares / 7), 1e-3);
        EXPECT_NEAR(map.share_eaten[j], eaten / 8, 0.13);   // a draw on the border can fall on either side
    }
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(run.value_map(points, 8, 0, stop.get_token()).mean_eat.empty());
}

TEST(BanditRun, TheShareOnAGridCrossesOneHalfWhereTheAdvantageCrossesZero)
{
    BanditStudy study = small_bandit("point_estimate", 30);   // one draw: single points are 0 or 1
    study.agent.kind  = AgentKind::greedy;
    BanditRun run(world_of(study), study, 1);
    for (int t = 0; t < 30; ++t)
        run.step();
    constexpr std::size_t cells = 24;
    std::vector<float> points;
    for (std::size_t i = 0; i < cells * cells; ++i) {
        points.push_back(-3 + 6 * static_cast<float>(i % cells) / (cells - 1));
        points.push_back(-3 + 6 * static_cast<float>(i / cells) / (cells - 1));
    }
    const auto single = run.value_map(points, 1), grid = run.value_map(points, 1, cells);
    const auto advantage = [&](std::size_t j) { return grid.mean_eat[j] - grid.mean_leave[j]; };
    int crossings        = 0;
    double off = 0, off_of_steps = 0;   // in cells
    for (std::size_t j = 0; j < points.size() / 2; ++j) {
        EXPECT_EQ(grid.mean_eat[j], single.mean_eat[j]);
        EXPECT_GE(grid.share_eaten[j], 0);
        EXPECT_LE(grid.share_eaten[j], 1);
        EXPECT_EQ(grid.share_eaten[j] > 0.5, single.share_eaten[j] > 0.5) << "the same side of the contour";
        if (j % cells + 1 == cells || single.share_eaten[j] == single.share_eaten[j + 1])
            continue;
        ++crossings;
        const double root  = advantage(j) / (advantage(j) - advantage(j + 1));
        const double found = (0.5 - grid.share_eaten[j]) / (grid.share_eaten[j + 1] - grid.share_eaten[j]);
        off += std::abs(found - root);
        off_of_steps += std::abs(0.5 - root);   // a contour of zeros and ones is in the middle
    }
    ASSERT_GT(crossings, 5);
    EXPECT_LT(off, 0.3 * off_of_steps);
    EXPECT_LT(off / crossings, 0.1);
}

TEST(BanditRun, OneNetworkWithoutNoiseHasOneSampleAndAChainItsStates)
{
    BanditStudy greedy = small_bandit("point_estimate", 10);
    greedy.agent.kind  = AgentKind::greedy;
    BanditRun net(world_of(greedy), greedy, 1);
    EXPECT_EQ(net.next_decision(20).eat.size(), 1u);
    const BanditStudy sgld = small_bandit("sgld", 10);
    BanditRun chain(world_of(sgld), sgld, 1);
    EXPECT_EQ(chain.next_decision(20).eat.size(), 1u) << "its start";
    for (int t = 0; t < 5; ++t)
        chain.step();
    const auto draws = chain.next_decision(20);
    ASSERT_EQ(draws.eat.size(), 6u);
    EXPECT_NE(draws.eat[0], draws.eat[1]);
}

TEST(BanditRun, ALossThatIsNotFiniteEndsTheCourseWithASentence)
{
    BanditStudy study                             = small_bandit("sgld", 200);
    study.learner.training.schedule.learning_rate = 900;
    BanditRun run(world_of(study), study, 1);
    std::string sentence;
    try {
        while (!run.done())
            run.step();
    } catch (const Error& error) {
        sentence = error.what();
    }
    EXPECT_THAT(sentence, HasSubstr("seed 1: the loss is not finite after interaction "));
    EXPECT_THROW(run.step(), Error);
}

TEST(BanditRun, SettingsThatTheMethodRejectsAreRejectedAtTheStart)
{
    BanditStudy study = small_bandit("sghmc", 10);
    set_bandit_field(study, "posterior.gradient_noise=0.5");
    EXPECT_THROW(BanditRun(world_of(study), study, 1), Error);
}

}   // namespace
}   // namespace credence
