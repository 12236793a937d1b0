// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

TEST(LintTauAtGuard, TheSmallestTauThatIsAllowedIsFound)
{
    Study study                           = small_study("layer_scale");
    study.posterior.initial_tau           = {0.01, 0.01};
    study.training.schedule.learning_rate = 1e-9;
    const auto finding                    = found("tau_at_guard", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "τ of dense 1 weights and dense 2 weights is at its lower limit.");
    study.posterior.guard_spread = false;
    EXPECT_FALSE(found("tau_at_guard", case_of(study)));
}

TEST(LintTauAtGuard, IsSilentForATauThatIsFree)
{
    for (const char* family : {"layer_scale", "tridiagonal", "mean_field"})
        EXPECT_FALSE(found("tau_at_guard", case_of(small_study(family)))) << family;
}

}   // namespace
}   // namespace credence
