// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// Energies that rise by one nat from each draw to the next.
LintCase slow_case()
{
    return chains_case(healthy_chains(),
                       [](std::size_t s, DrawStatistics& told) { told.energy = static_cast<double>(s); });
}

TEST(LintEBfmi, SlowEnergiesAreFound)
{
    const auto finding = found("e_bfmi", slow_case());
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::doubtful);
    EXPECT_THAT(finding->evidence, HasSubstr("for the worst of 4 chains, expected at least 0.3"));
}

TEST(LintEBfmi, IsSilentForIndependentEnergies) { EXPECT_FALSE(found("e_bfmi", chains_case(healthy_chains()))); }

}   // namespace
}   // namespace credence
