// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// A run whose recorded loss rises from 0.7 to 5.
LintCase rising_case()
{
    auto run            = case_of(course_study("point_estimate"));
    auto history        = *run.run.history;
    const std::size_t n = history.size();
    for (std::size_t i = 0; i < n; ++i)
        history[i].data_loss = 0.7 + 4.3 * static_cast<double>(i) / static_cast<double>(n - 1);
    return with_history(run, std::move(history));
}

TEST(LintStepSize, ALossThatEndsAboveGuessingIsFound)
{
    const auto finding = found("step_size", rising_case());
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::wrong);
    EXPECT_THAT(finding->evidence, HasSubstr("guessing costs ln 2 = 0.693"));
    EXPECT_THAT(finding->evidence, HasSubstr("The learning rate is 0.01"));
    EXPECT_EQ(finding->remedy.settings.front(),
              (std::pair<std::string, std::string>("training.learning_rate", "0.001")));
}

TEST(LintStepSize, ALossThatRisesWhileWhatIsMinimisedFallsIsNotTheStepsFault)
{
    auto run     = rising_case();
    auto history = *run.run.history;
    for (std::size_t i = 0; i < history.size(); ++i) {
        history[i].kl        = 1000.0 - 10 * static_cast<double>(i);
        history[i].kl_weight = 1;
    }
    EXPECT_FALSE(found("step_size", with_history(run, history)));
    for (auto& point : history)
        point.kl_weight = 0.001;
    EXPECT_TRUE(found("step_size", with_history(run, history)));
}

TEST(LintStepSize, TrajectoriesThatAreRejectedAreFound)
{
    const auto refused = chains_case(healthy_chains(),
                                     [](std::size_t, DrawStatistics& told) { told.acceptance = 0.1; });
    const auto finding = found("step_size", refused);
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence,
                HasSubstr("The mean acceptance statistic over the points of the trajectories is 0.1"));
    EXPECT_EQ(finding->remedy.settings.front().first, "posterior.warmup");
}

TEST(LintStepSize, IsSilentForALossThatFallsAndOfChainsThatMove)
{
    EXPECT_FALSE(found("step_size", case_of(course_study("point_estimate"))));
    EXPECT_FALSE(found("step_size", case_of(course_study("mean_field"))));
    EXPECT_FALSE(found("step_size", chains_case(healthy_chains())));
}

}   // namespace
}   // namespace credence
