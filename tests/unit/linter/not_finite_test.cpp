// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

Study exploding_study()
{
    Study study                           = small_study("point_estimate", ToyKind::cubic);
    study.split.standardise_targets       = true;
    study.network.noise_sd                = 3;   // as the data have it
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
    EXPECT_EQ(finding->severity, Severity::wrong);
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

}   // namespace
}   // namespace credence
