// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintPosteriorAtPrior, ANarrowPriorHoldsThePosterior)
{
    Study study                           = course_study("mean_field");
    study.training.steps                  = 1500;
    study.training.schedule.learning_rate = 0.02;
    study.prior.weight_sd                 = {0.02};
    study.prior.bias_sd                   = {0.02};
    const auto finding                    = found("posterior_at_prior", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::doubtful);
    EXPECT_THAT(finding->title, HasSubstr("dense 1 weights"));
    EXPECT_THAT(finding->evidence, HasSubstr("N(0, 0.02²)"));
}

TEST(LintPosteriorAtPrior, IsSilentForAPosteriorThatHasLearned)
{
    EXPECT_FALSE(found("posterior_at_prior", case_of(course_study("mean_field"))));
    EXPECT_FALSE(found("posterior_at_prior", case_of(course_study("layer_scale"))));
}

}   // namespace
}   // namespace credence
