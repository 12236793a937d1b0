// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "unit/charts/series_of.h"
#include "views/training_curves.h"

#include <gmock/gmock.h>

#include <algorithm>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// The curve's value at a step where it has a point.
double rate_at(const StepSchedule& schedule, double step)
{
    const auto found = std::find(schedule.step.begin(), schedule.step.end(), step);
    EXPECT_NE(found, schedule.step.end()) << step;
    return found == schedule.step.end() ? -1 : schedule.rate[static_cast<std::size_t>(found - schedule.step.begin())];
}

ScheduleOptions of_kind(ScheduleKind kind)
{
    ScheduleOptions options;
    options.kind          = kind;
    options.learning_rate = 0.5;
    return options;
}

}   // namespace

TEST(StepSchedule, IsTheLearningRateOfTheTrainingAtEveryStep)
{
    for (const auto kind : {ScheduleKind::constant, ScheduleKind::inverse, ScheduleKind::step, ScheduleKind::cosine,
                            ScheduleKind::cyclical}) {
        auto options        = of_kind(kind);
        options.every       = 300;
        options.cycles      = 7;
        const auto schedule = step_schedule({.steps = 5000, .schedule = options});
        EXPECT_EQ(schedule.step.front(), 1);
        EXPECT_EQ(schedule.step.back(), 5000);
        EXPECT_TRUE(std::is_sorted(schedule.step.begin(), schedule.step.end()));
        for (std::size_t k = 0; k < schedule.step.size(); ++k)
            ASSERT_EQ(schedule.rate[k], learning_rate(options, static_cast<long>(schedule.step[k]) - 1, 5000));
    }
}

TEST(StepSchedule, HasBothSidesOfEveryJump)
{
    auto stairs        = of_kind(ScheduleKind::step);
    stairs.every       = 777;
    const auto falling = step_schedule({.steps = 100000, .schedule = stairs});
    EXPECT_DOUBLE_EQ(rate_at(falling, 777), 0.5);
    EXPECT_DOUBLE_EQ(rate_at(falling, 778), 0.05);
    auto cycles      = of_kind(ScheduleKind::cyclical);
    cycles.cycles    = 30;
    const auto waves = step_schedule({.steps = 3000, .schedule = cycles});
    EXPECT_LT(rate_at(waves, 100), 0.001);
    EXPECT_DOUBLE_EQ(rate_at(waves, 101), 0.5);
}

TEST(StepSchedule, MarksTheStepsWithSavedDrawsAndShadesTheOthers)
{
    const auto schedule = step_schedule(
        {.steps = 10, .quiet = {{0, 4}}, .kept = {7, 10}, .schedule = of_kind(ScheduleKind::cosine)});
    EXPECT_THAT(schedule.kept, ElementsAre(7, 10));
    EXPECT_EQ(schedule.rate_when_kept.front(), rate_at(schedule, 7));
    const auto chart = to_chart(schedule);
    ASSERT_EQ(chart.panels.size(), 1u);
    const auto shades = series_of<Band>(chart.panels[0]);
    ASSERT_EQ(shades.size(), 1u);
    EXPECT_EQ(shades[0].name, "burn-in");
    EXPECT_THAT(shades[0].x, ElementsAre(0, 4));
    const auto marks = series_of<Points>(chart.panels[0]);
    ASSERT_EQ(marks.size(), 1u);
    EXPECT_THAT(marks[0].x, ElementsAre(7, 10));
    EXPECT_THAT(chart.caption, HasSubstr("a state is kept: 2."));
}

TEST(StepSchedule, ThinsManyMarksAndParts)
{
    RunPlan plan{.chains = 3, .own_start = 50, .steps = 100000, .schedule = of_kind(ScheduleKind::constant)};
    for (long step = 1; step <= 100000; ++step)
        plan.kept.push_back(step);
    for (long part = 0; part < 300; ++part)
        plan.quiet.emplace_back(part * 300, part * 300 + 10);
    const auto schedule = step_schedule(plan);
    EXPECT_EQ(schedule.kept.size(), 500u);
    EXPECT_EQ(schedule.kept.front(), 200);
    EXPECT_EQ(schedule.kept.back(), 100000);
    EXPECT_LT(schedule.step.size(), 2000u);
    const auto chart = to_chart(schedule);
    EXPECT_TRUE(series_of<Band>(chart.panels[0]).empty());
    EXPECT_EQ(
        chart.caption,
        "Learning rate over the 100,000 steps of each of 3 chains, with a mark at each step after which a state is "
        "kept: 100,000. 500 of the marks are drawn. Each chain begins after 50 steps of Adam.");
}

TEST(StepSchedule, IsRejectedWithoutARateAndWithoutAStep)
{
    EXPECT_THAT([] { step_schedule({.steps = 10}); },
                testing::ThrowsMessage<Error>("Step schedule: this run has no learning rate."));
    EXPECT_THAT([] { step_schedule({.steps = 0, .schedule = ScheduleOptions{}}); },
                testing::ThrowsMessage<Error>("Step schedule: the run has 0 steps, expected at least 1."));
}
