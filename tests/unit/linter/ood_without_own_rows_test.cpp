// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintOodWithoutOwnRows, OodDataComparedWithTrainingRowsAreFound)
{
    Study study               = small_study("mean_field");
    study.split.test_fraction = 0;
    const auto finding        = found("ood_without_own_rows", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("use the 60 training rows instead"));
    EXPECT_FALSE(found("ood_without_own_rows", case_of(with_remedy(study, finding->remedy))));
}

TEST(LintOodWithoutOwnRows, IsSilentForNumbersToPredict)
{
    Study study               = small_study("mean_field", ToyKind::cubic);
    study.split.test_fraction = 0;
    EXPECT_FALSE(found("ood_without_own_rows", case_of(study)));
}

}   // namespace
}   // namespace credence
