// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// A curve that is learned well, with this noise in the likelihood; the noise of the data has the standard deviation 0.5.
LintCase curve_with_noise(double noise_sd)
{
    Study study              = course_study("point_estimate");
    study.data.toy.kind      = ToyKind::sine_gap;
    study.data.toy.n         = 400;
    study.data.toy.noise     = 0.5;
    study.network.hidden     = {32, 32};   // 8 units miss the sine by as much as the noise
    study.network.activation = ActivationKind::tanh;
    study.training.steps     = 3000;
    study.network.noise      = NoiseModel::given;
    study.network.noise_sd   = noise_sd;
    study.prediction.samples = 200;
    return case_of(study);
}

TEST(LintIntervalCoverage, IntervalsThatMissMostTargetsAreAnError)
{
    const auto finding = found("interval_coverage", curve_with_noise(0.02));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::wrong);
    EXPECT_EQ(finding->title, "The predictive intervals are too short.");
    EXPECT_THAT(finding->evidence, HasSubstr("The 95 % predictive interval contains the target of "));
    EXPECT_THAT(finding->evidence, HasSubstr(" of 80 test rows."));
}

TEST(LintIntervalCoverage, IntervalsMuchWiderThanTheErrorsAreAWarning)
{
    const auto finding = found("interval_coverage", curve_with_noise(5));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::doubtful);
    EXPECT_EQ(finding->title, "The predictive intervals are too wide.");
    EXPECT_THAT(finding->evidence, HasSubstr("The central 50 % of the predictive distribution"));
}

TEST(LintIntervalCoverage, IsSilentForTheRightNoiseForClassesAndWithoutTestRows)
{
    EXPECT_FALSE(found("interval_coverage", curve_with_noise(0.5)));
    EXPECT_FALSE(found("interval_coverage", case_of(course_study("point_estimate"))));
    Study none               = small_study("point_estimate", ToyKind::cubic);
    none.split.test_fraction = 0;
    EXPECT_FALSE(found("interval_coverage", case_of(none)));
}

}   // namespace
}   // namespace credence
