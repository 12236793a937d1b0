// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/changed_points.h"

#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintPosteriorAtStart, StepsOfNoLengthLeaveEveryLayerWhereItWas)
{
    Study study                           = course_study("mean_field");
    study.training.schedule.learning_rate = 1e-9;
    const auto finding                    = found("posterior_at_start", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "dense 1 weights and dense 2 weights did not change during training.");
    EXPECT_THAT(finding->evidence, HasSubstr("less than 0.5 % in 120 steps"));
}

TEST(LintPosteriorAtStart, StandardDeviationsThatStayWhileTheMeansMoveAreFound)
{
    auto run     = case_of(course_study("mean_field"));
    auto history = *run.run.history;
    for (auto& point : history)
        point.layers = history.front().layers;
    const auto finding = found("posterior_at_start", with_history(run, history));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->title, HasSubstr("The spread of dense 1 weights"));
    run.report->message += ' ' + std::string(continued_words) + '.';   // the standard deviations were learned before
    EXPECT_FALSE(found("posterior_at_start", with_history(run, history)));
}

TEST(LintPosteriorAtStart, IsSilentForARunThatMovedAndOfOneOfAFewSteps)
{
    for (const char* family : {"mean_field", "layer_scale", "point_estimate", "sgld"})
        EXPECT_FALSE(found("posterior_at_start", case_of(course_study(family)))) << family;
    Study study                           = small_study("mean_field");
    study.training.schedule.learning_rate = 1e-9;
    EXPECT_FALSE(found("posterior_at_start", case_of(study)));
}

}   // namespace
}   // namespace credence
