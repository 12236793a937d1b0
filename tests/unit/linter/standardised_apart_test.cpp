// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

TEST(LintStandardisedApart, TestRowsWithAMeanOfTheirOwnAreFound)
{
    auto run           = case_of(small_study("point_estimate"));
    auto experiment    = std::make_shared<Experiment>(*run.run.experiment);
    auto data          = std::make_shared<SplitData>(*experiment->data);
    data->test_inputs  = Standardiser::fit(data->test).standardised(data->test.inputs);
    experiment->data   = data;
    run.run            = {experiment, run.run.snapshot, run.run.history};
    const auto finding = found("standardised_apart", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::wrong);
    EXPECT_THAT(finding->evidence, ::testing::HasSubstr("standard deviations"));
}

TEST(LintStandardisedApart, SaysNothingOfASplitByTheProgram)
{
    Study study = small_study("point_estimate");
    EXPECT_FALSE(found("standardised_apart", case_of(study)));
    study.split.standardise_inputs = false;
    EXPECT_FALSE(found("standardised_apart", case_of(study)));
}

}   // namespace
}   // namespace credence
