// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintIntervalLevel, ThirtyDrawsDoNotResolveNinetyNinePercent)
{
    Study study            = small_study("mean_field");
    study.prediction.level = 0.99;
    const auto run         = case_of(study);
    const auto finding     = found("interval_level", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "The 99 % intervals are made of too few draws.");
    EXPECT_THAT(finding->evidence, HasSubstr("Of 30 draws 0.15 lie beyond each end"));
    EXPECT_FALSE(found("interval_level", {.run = {with_study(*run.run.experiment, with_remedy(study, finding->remedy)),
                                                  run.run.snapshot, run.run.history}}));
}

TEST(LintIntervalLevel, SaysNothingOfEnoughDrawsOfEnsemblesAndOfPointEstimates)
{
    for (const char* family : {"mean_field", "point_estimate", "bernoulli_dropout", "deep_ensemble"})
        EXPECT_FALSE(found("interval_level", case_of(small_study(family)))) << family;
    EXPECT_FALSE(found("interval_level", chains_case(healthy_chains())));
}

}   // namespace
}   // namespace credence
