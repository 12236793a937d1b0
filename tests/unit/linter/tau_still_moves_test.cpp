// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

#include <cmath>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// A run whose τ falls by `per_step` at each step to the end.
LintCase falling_case(double per_step)
{
    auto run     = case_of(course_study("layer_scale"));
    auto history = *run.run.history;
    for (auto& point : history)
        point.layers.front().tau = 0.4 * std::exp(-per_step * static_cast<double>(point.step));
    return with_history(run, std::move(history));
}

TEST(LintTauStillMoves, ATauThatFallsToTheEndIsFound)
{
    const auto finding = found("tau_still_moves", falling_case(0.03));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->title, HasSubstr("dense 1 weights"));
    EXPECT_THAT(finding->evidence, HasSubstr("In the last tenth of the steps it changed from 0.0157 to 0.0109"));
    EXPECT_EQ(finding->remedy.settings.front(), (std::pair<std::string, std::string>("training.steps", "240")));
}

TEST(LintTauStillMoves, IsSilentForATauThatHasSettled)
{
    EXPECT_FALSE(found("tau_still_moves", falling_case(0.0005)));
    EXPECT_FALSE(found("tau_still_moves", case_of(course_study("mean_field"))));
    EXPECT_FALSE(found("tau_still_moves", case_of(course_study("layer_scale"))));
}

}   // namespace
}   // namespace credence
