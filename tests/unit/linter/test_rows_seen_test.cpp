// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintTestRowsSeen, DuplicatedRowsAreSeenInTraining)
{
    const auto finding = found("test_rows_seen", case_of(study_of_points(10)));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::wrong);
    EXPECT_THAT(finding->evidence, HasSubstr("of 40 ("));
}

TEST(LintTestRowsSeen, WithoutTestRowsTheScoresAreThoseOfTheTraining)
{
    Study study               = small_study("point_estimate");
    study.split.test_fraction = 0;
    const auto finding        = found("test_rows_seen", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::doubtful);
    EXPECT_FALSE(found("test_rows_seen", case_of(with_remedy(study, finding->remedy))));
}

TEST(LintTestRowsSeen, IsSilentForRowsThatAreAllDifferent)
{
    EXPECT_FALSE(found("test_rows_seen", case_of(study_of_points(1))));
    EXPECT_FALSE(found("test_rows_seen", case_of(small_study("point_estimate", ToyKind::sine_gap))));
}

}   // namespace
}   // namespace credence
