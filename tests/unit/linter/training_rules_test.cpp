// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"
#include "study/fields.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

Study exploding_study()
{
    Study study                     = small_study("point_estimate", ToyKind::cubic);
    study.split.standardise_targets = true;
    field("network.noise_sd").set(study, 3.0);   // as the data have it
    study.training.steps                  = 500;
    study.training.optimizer.kind         = OptimizerKind::sgd;
    study.training.schedule.learning_rate = 1000;
    return study;
}

TEST(LintNotFinite, NamesStepAndLearningRate)
{
    const auto run = case_of(exploding_study());
    ASSERT_EQ(run.report->stop, StopReason::not_finite);
    const auto finding = found("not_finite", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::error);
    EXPECT_THAT(finding->title, HasSubstr("at step " + std::to_string(run.report->bad_step)));
    EXPECT_THAT(finding->evidence, HasSubstr(run.report->bad_block));
    EXPECT_THAT(finding->evidence, HasSubstr("The learning rate is 1000"));
    EXPECT_EQ(with_remedy(exploding_study(), finding->remedy).training.schedule.learning_rate, 100);
}

TEST(LintNotFinite, TargetsFarFromOneComeBeforeTheLearningRate)
{
    Study study                     = exploding_study();
    study.data.source               = DataSource::drawn;
    study.data.drawn_task           = Task::regression;
    study.split.standardise_targets = false;
    for (int i = 0; i < 20; ++i)
        study.data.points.push_back({.x = 0.1 * i, .y = 1000.0 * i});
    const auto finding = found("not_finite", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("They are not standardised."));
    EXPECT_TRUE(with_remedy(study, finding->remedy).split.standardise_targets);
}

TEST(LintNotFinite, IsSilentForARunThatCameToItsEnd)
{
    EXPECT_FALSE(found("not_finite", case_of(small_study("point_estimate", ToyKind::cubic))));
}

TEST(LintKlWeight, AConstantWeightOfOneCountsThePriorOncePerRow)
{
    Study study                 = small_study("mean_field");
    study.training.kl_weighting = KlWeighting::constant;
    study.training.kl_weight    = 1;
    const auto finding          = found("kl_weight", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::error);
    EXPECT_THAT(finding->title, HasSubstr("the prior counts 48 times"));
    EXPECT_THAT(finding->evidence, HasSubstr("expected 1/N = 0.0208 for the 48 training rows"));
    EXPECT_FALSE(found("kl_weight", case_of(with_remedy(study, finding->remedy))));
}

TEST(LintKlWeight, WithoutTheKlThePriorPlaysNoPart)
{
    Study study              = small_study("layer_scale");
    study.training.kl_weight = 0;
    const auto finding       = found("kl_weight", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::warning);
    EXPECT_THAT(finding->title, HasSubstr("left out"));
}

TEST(LintKlWeight, IsSilentForTheElboOfTemperedPosteriorsAndOfMethodsWithoutAKl)
{
    Study study = small_study("mean_field");
    EXPECT_FALSE(found("kl_weight", case_of(study)));
    study.training.kl_weight = 0.01;
    EXPECT_FALSE(found("kl_weight", case_of(study)));
    study.posterior.family      = "point_estimate";
    study.training.kl_weighting = KlWeighting::constant;
    study.training.kl_weight    = 1;
    EXPECT_FALSE(found("kl_weight", case_of(study)));
}

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
    EXPECT_EQ(finding->severity, Severity::error);
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
                                     [](std::size_t, DrawStatistics& statistics) { statistics.acceptance = 0.1; });
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
