// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

/// A run whose table has its input and its target moved by these offsets, after the training.
LintCase moved(double input, double target, bool standardised)
{
    Study study                     = small_study("point_estimate", ToyKind::cubic);
    study.split.standardise_inputs  = standardised;
    study.split.standardise_targets = standardised;
    auto run                        = case_of(study);
    auto experiment                 = std::make_shared<Experiment>(*run.run.experiment);
    auto data                       = std::make_shared<SplitData>(*experiment->data);
    for (double& x : data->training.inputs)
        x += input;
    for (double& y : data->training.targets)
        y += target;
    experiment->data = data;
    run.run          = {experiment, run.run.snapshot, run.run.history};
    return run;
}

TEST(LintLostDigits, UnixTimesThatAreNotStandardisedAreFound)
{
    const auto finding = found("lost_digits", moved(1.7e9, 0, false));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "float32 cannot resolve the values of x.");
    EXPECT_THAT(finding->evidence, testing::HasSubstr("whose spacing is 128 at these values"));
    EXPECT_EQ(finding->remedy.settings.front().first, "split.standardise_inputs");
    const auto of_target = found("lost_digits", moved(0, 1.7e9, false));
    ASSERT_TRUE(of_target);
    EXPECT_EQ(of_target->remedy.settings.front().first, "split.standardise_targets");
}

TEST(LintLostDigits, IsSilentForOrdinaryNumbersNorOfStandardisedOnes)
{
    EXPECT_FALSE(found("lost_digits", moved(0, 0, false)));
    EXPECT_FALSE(found("lost_digits", moved(100, 1000, false)));
    EXPECT_FALSE(found("lost_digits", moved(1.7e9, 1.7e9, true)));
}

}   // namespace
}   // namespace credence
