// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintFunnelUnseen, NoDivergencesAndChainsThatDisagree)
{
    const auto finding = found("funnel_unseen", chains_case({.n_chains = 3, .shifts = {0, 0, 2}}));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("0 of 300 samples diverged, but R̂ is at worst"));
    const auto slow = found("funnel_unseen", chains_case(healthy_chains(), [](std::size_t s, DrawStatistics& told) {
                                told.energy = static_cast<double>(s);
                            }));
    ASSERT_TRUE(slow);
    EXPECT_THAT(slow->evidence, HasSubstr("but the E-BFMI of a chain is below 0.3."));
}

TEST(LintFunnelUnseen, IsSilentForChainsThatAgreeAndOfManyDivergences)
{
    EXPECT_FALSE(found("funnel_unseen", chains_case(healthy_chains())));
    EXPECT_FALSE(
        found("funnel_unseen", chains_case({.n_chains = 3, .shifts = {0, 0, 2}},
                                           [](std::size_t s, DrawStatistics& told) { told.divergent = s % 2 == 0; })));
}

}   // namespace
}   // namespace credence
