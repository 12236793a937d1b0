// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include "outputs/opened_outputs.h"
#include "unit/outputs/outputs_npz.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using logits_npz::doubles;
using ::testing::HasSubstr;

/// Two rows of three classes.
RunSnapshot of_gaussians(const std::vector<double>& mean, double variance)
{
    return moment_of_outputs(outputs_npz::opened(
        {doubles("mean", {2, 3}, mean), doubles("variance", {2, 3}, std::vector<double>(6, variance))},
        "gaussians.npz"));
}

TEST(LintBridgeRegion, EqualLogitsFulfilPropositionOneForNoClass)
{
    const auto finding = found("bridge_region", {.run = of_gaussians({0, 0, 0, 1, 1, 1}, 1)});
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::doubtful);
    EXPECT_THAT(finding->evidence, HasSubstr("Proposition 1 fails for 100 % of 2 rows"));
}

TEST(LintBridgeRegion, IsSilentForClearLogits)
{
    EXPECT_FALSE(found("bridge_region", {.run = of_gaussians({6, 0, 0, 0, 0, 6}, 0.1)}));
    EXPECT_FALSE(found("bridge_region", case_of(course_study("laplace"))));
    EXPECT_FALSE(found("bridge_region", case_of(small_study("mean_field"))));
}

}   // namespace
}   // namespace credence
