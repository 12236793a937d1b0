// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintKlWeight, AConstantWeightOfOneCountsThePriorOncePerRow)
{
    Study study                 = small_study("mean_field");
    study.training.kl_weighting = KlWeighting::constant;
    study.training.kl_weight    = 1;
    const auto finding          = found("kl_weight", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::wrong);
    EXPECT_THAT(finding->title, HasSubstr("the prior counts 48 times"));
    EXPECT_THAT(finding->evidence, HasSubstr("expected 1/N = 0.0208 for the 48 training rows"));
    EXPECT_FALSE(found("kl_weight", case_of(with_remedy(study, finding->remedy))));
}

TEST(LintKlWeight, WithoutTheKlThePriorPlaysNoPart)
{
    Study study              = small_study("layer_scale");
    study.training.kl_weight = 0;
    const auto finding       = found("kl_weight", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::doubtful);
    EXPECT_THAT(finding->title, HasSubstr("left out"));
}

TEST(LintKlWeight, IsSilentForTheElboOfTemperedPosteriorsAndOfMethodsWithoutAKl)
{
    Study study = small_study("mean_field");
    EXPECT_FALSE(found("kl_weight", case_of(study)));
    study.training.kl_weight = 0.01;
    EXPECT_FALSE(found("kl_weight", case_of(study)));
    study.posterior.family      = "point_estimate";
    study.training.kl_weighting = KlWeighting::constant;
    study.training.kl_weight    = 1;
    EXPECT_FALSE(found("kl_weight", case_of(study)));
}

}   // namespace
}   // namespace credence
