// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"
#include "runs/changed_points.h"

#include <gmock/gmock.h>

#include <cmath>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintPosteriorAtPrior, ANarrowPriorHoldsThePosterior)
{
    Study study                           = course_study("mean_field");
    study.training.steps                  = 1500;
    study.training.schedule.learning_rate = 0.02;
    study.prior.weight_sd                 = {0.02};
    study.prior.bias_sd                   = {0.02};
    const auto finding                    = found("posterior_at_prior", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::warning);
    EXPECT_THAT(finding->title, HasSubstr("dense 1 weights"));
    EXPECT_THAT(finding->evidence, HasSubstr("N(0, 0.02²)"));
}

TEST(LintPosteriorAtPrior, IsSilentForAPosteriorThatHasLearned)
{
    EXPECT_FALSE(found("posterior_at_prior", case_of(course_study("mean_field"))));
    EXPECT_FALSE(found("posterior_at_prior", case_of(course_study("layer_scale"))));
}

TEST(LintPosteriorAtStart, StepsOfNoLengthLeaveEveryLayerWhereItWas)
{
    Study study                           = course_study("mean_field");
    study.training.schedule.learning_rate = 1e-9;
    const auto finding                    = found("posterior_at_start", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "dense 1 weights and dense 2 weights did not change during training.");
    EXPECT_THAT(finding->evidence, HasSubstr("less than 0.5 % in 120 steps"));
}

TEST(LintPosteriorAtStart, StandardDeviationsThatStayWhileTheMeansMoveAreFound)
{
    auto run     = case_of(course_study("mean_field"));
    auto history = *run.run.history;
    for (auto& point : history)
        point.layers = history.front().layers;
    const auto finding = found("posterior_at_start", with_history(run, history));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->title, HasSubstr("The spread of dense 1 weights"));
    run.report->message += ' ' + std::string(continued_words) + '.';   // the standard deviations were learned before
    EXPECT_FALSE(found("posterior_at_start", with_history(run, history)));
}

TEST(LintPosteriorAtStart, IsSilentForARunThatMovedAndOfOneOfAFewSteps)
{
    for (const char* family : {"mean_field", "layer_scale", "point_estimate", "sgld"})
        EXPECT_FALSE(found("posterior_at_start", case_of(course_study(family)))) << family;
    Study study                           = small_study("mean_field");
    study.training.schedule.learning_rate = 1e-9;
    EXPECT_FALSE(found("posterior_at_start", case_of(study)));
}

TEST(LintTauAtGuard, TheSmallestTauThatIsAllowedIsFound)
{
    Study study                           = small_study("layer_scale");
    study.posterior.initial_tau           = {0.01, 0.01};
    study.training.schedule.learning_rate = 1e-9;
    const auto finding                    = found("tau_at_guard", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "τ of dense 1 weights and dense 2 weights is at its lower limit.");
    Study lower                 = study;
    lower.posterior.guard_delta = -10;
    EXPECT_FALSE(found("tau_at_guard", case_of(lower)));
    study.posterior.guard_spread = false;
    EXPECT_FALSE(found("tau_at_guard", case_of(study)));
}

TEST(LintTauAtGuard, IsSilentForATauThatIsFree)
{
    for (const char* family : {"layer_scale", "tridiagonal", "mean_field"})
        EXPECT_FALSE(found("tau_at_guard", case_of(small_study(family)))) << family;
}

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
