// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintDivergences, OneIsAWarningAndManyAreAnError)
{
    const auto one = found("divergences", chains_case(healthy_chains(), [](std::size_t s, DrawStatistics& told) {
                               told.divergent = s == 7;
                           }));
    ASSERT_TRUE(one);
    EXPECT_EQ(one->severity, Severity::doubtful);
    EXPECT_THAT(one->evidence, HasSubstr("1 of 2,000 samples (0.05 %), expected 0"));
    EXPECT_EQ(one->remedy.settings.front(),
              (std::pair<std::string, std::string>("posterior.target_acceptance", "0.95")));
    const auto many = found("divergences", chains_case(healthy_chains(), [](std::size_t s, DrawStatistics& told) {
                                told.divergent = s % 10 == 0;
                            }));
    ASSERT_TRUE(many);
    EXPECT_EQ(many->severity, Severity::wrong);
}

TEST(LintDivergences, IsSilentWithoutOneAndOfOtherMethods)
{
    EXPECT_FALSE(found("divergences", chains_case(healthy_chains())));
    EXPECT_FALSE(found("divergences", case_of(small_study("sgld"))));
    EXPECT_FALSE(found("divergences", case_of(small_study("mean_field"))));
}

}   // namespace
}   // namespace credence
