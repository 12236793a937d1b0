// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintIntervalLevel, ThirtySamplesDoNotResolveNinetyNinePercent)
{
    Study study            = small_study("mean_field");
    study.prediction.level = 0.99;
    const auto run         = case_of(study);
    const auto finding     = found("interval_level", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "The 99 % intervals are computed from too few samples.");
    EXPECT_THAT(
        finding->evidence,
        HasSubstr(
            "Of 30 samples, 0.15 are beyond each end of the interval. On average such an interval contains 92.6 % of the distribution, not 99 %; 1,000 samples leave 5 beyond each end."));
    EXPECT_FALSE(found("interval_level", {.run = {with_study(*run.run.experiment, with_remedy(study, finding->remedy)),
                                                  run.run.snapshot, run.run.history}}));
}

TEST(LintIntervalLevel, TwentySamplesOfA95PercentIntervalContain86Percent)
{
    Study study              = small_study("mean_field");
    study.prediction.samples = 20;
    const auto finding       = found("interval_level", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("contains 86 % of the distribution, not 95 %; 200 samples"));
    EXPECT_EQ(finding->remedy.settings.front(), (std::pair<std::string, std::string>("prediction.samples", "200")));
}

TEST(LintIntervalLevel, IsSilentForEnoughSamplesOfEnsemblesAndOfPointEstimates)
{
    for (const char* family : {"mean_field", "point_estimate", "bernoulli_dropout", "deep_ensemble"}) {
        Study study              = small_study(family);
        study.prediction.samples = 200;
        EXPECT_FALSE(found("interval_level", case_of(study))) << family;
    }
    auto chains               = chains_case(healthy_chains()).run;
    Study enough              = chains.experiment->study;
    enough.prediction.samples = 200;
    EXPECT_FALSE(
        found("interval_level", {.run = {with_study(*chains.experiment, enough), chains.snapshot, chains.history}}));
}

}   // namespace
}   // namespace credence
