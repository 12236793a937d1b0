// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintRHat, AChainAtAPlaceOfItsOwnIsFound)
{
    const auto finding = found("r_hat", chains_case({.n_chains = 3, .shifts = {0, 0, 2}}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::wrong);
    EXPECT_THAT(finding->evidence, HasSubstr("what is predicted at 12 rows (worst "));
    EXPECT_EQ(finding->remedy.view, "chain_convergence");
}

TEST(LintRHat, SaysNothingOfChainsThatAgreeAndOfOtherMethods)
{
    EXPECT_FALSE(found("r_hat", chains_case(healthy_chains())));
    EXPECT_FALSE(found("r_hat", case_of(small_study("sghmc"))));
    EXPECT_FALSE(found("r_hat", case_of(small_study("deep_ensemble"))));
    EXPECT_FALSE(found("r_hat", {.run = moment_before_draws(study_of_chains("nuts"))}));
}

}   // namespace
}   // namespace credence
