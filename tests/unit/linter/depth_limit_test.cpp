// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintDepthLimit, TrajectoriesThatWereCutOffAndDrawsWorthTooLittleAreFound)
{
    const auto finding = found(
        "depth_limit", chains_case({.n_chains = 2, .n_draws = 50},
                                   [](std::size_t s, DrawStatistics& told) { told.at_depth_limit = s % 20 == 0; }));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("5 of 100 samples (5 %) reached depth 10"));
    EXPECT_EQ(finding->remedy.settings.front(), (std::pair<std::string, std::string>("posterior.depth_limit", "12")));
}

TEST(LintDepthLimit, IsSilentForDrawsThatAreWorthEnoughAndOfNoneAtTheLimit)
{
    EXPECT_FALSE(found("depth_limit", chains_case({.n_chains = 2, .n_draws = 50})));
    EXPECT_FALSE(found("depth_limit", chains_case(healthy_chains(), [](std::size_t, DrawStatistics& told) {
                           told.at_depth_limit = true;
                       })));
}

}   // namespace
}   // namespace credence
