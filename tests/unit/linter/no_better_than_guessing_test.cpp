// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include "study/presets.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintNoBetterThanGuessing, ARateAtWhichNothingIsLearnedIsFound)
{
    Study study = preset("spirals");
    set_field(study, "training.learning_rate=1");
    set_field(study, "training.steps=200");
    const auto finding = found("no_better_than_guessing", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::doubtful);
    EXPECT_THAT(finding->evidence, HasSubstr("; who always answers “"));
    EXPECT_EQ(finding->remedy.view, "training_curves");
}

TEST(LintNoBetterThanGuessing, SaysNothingOfANetThatLearnedAndOfCurves)
{
    EXPECT_FALSE(found("no_better_than_guessing", case_of(course_study("point_estimate"))));
    EXPECT_FALSE(found("no_better_than_guessing", case_of(course_study("mean_field"))));
    EXPECT_FALSE(found("no_better_than_guessing", case_of(small_study("mean_field", ToyKind::cubic))));
}

}   // namespace
}   // namespace credence
