// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintEss, AHundredIndependentDrawsAreTooFew)
{
    const auto finding = found("ess", chains_case({.n_chains = 2, .n_draws = 50}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::doubtful);
    EXPECT_THAT(finding->evidence,
                HasSubstr("expected at least 400; 100 % of the quantities fall short, with 100 samples."));
    EXPECT_EQ(finding->remedy.settings.front(), (std::pair<std::string, std::string>("posterior.draws", "2000")));
}

TEST(LintEss, IsSilentForTwoThousandIndependentDrawsAndOfOtherMethods)
{
    EXPECT_FALSE(found("ess", chains_case(healthy_chains())));
    EXPECT_FALSE(found("ess", case_of(small_study("sgld"))));
}

}   // namespace
}   // namespace credence
