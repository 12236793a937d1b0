// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"
#include "linter/evidence.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// Twenty prices along a line with some scatter, standard deviation about 170,000.
Study prices(double noise_sd)
{
    Study study                           = small_study("point_estimate", ToyKind::cubic);
    study.data.source                     = DataSource::drawn;
    study.data.drawn_task                 = Task::regression;
    study.split.standardise_targets       = true;
    study.network.noise_sd                = noise_sd;
    study.training.steps                  = 300;
    study.training.schedule.learning_rate = 0.01;
    for (int i = 0; i < 20; ++i)
        study.data.points.push_back({.x = 0.1 * i, .y = 100'000 + 30'000.0 * i + 20'000.0 * (i % 3)});
    return study;
}

TEST(LintNoiseScale, NoiseLeftAtOneForPricesInTheHundredThousandsIsAnError)
{
    const auto finding = found("noise_scale", case_of(prices(1)));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::wrong);
    EXPECT_THAT(finding->evidence,
                HasSubstr("network.noise_sd is 1 units of y, the targets have a standard deviation of"));
    const Study mended = with_remedy(prices(1), finding->remedy);
    EXPECT_GT(mended.network.noise_sd, 1000);
    EXPECT_LT(mended.network.noise_sd, 200'000);
    EXPECT_FALSE(found("noise_scale", case_of(mended)));
}

TEST(LintNoiseScale, NoiseWiderThanTheTargetsIsAWarning)
{
    const auto finding = found("noise_scale", case_of(prices(1e6)));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::doubtful);
    EXPECT_EQ(with_remedy(prices(1e6), finding->remedy).network.noise, NoiseModel::learned);
}

TEST(LintNoiseScale, IsSilentForNoiseThatFitsNorOfNoiseThatIsLearnedNorOfClasses)
{
    EXPECT_FALSE(found("noise_scale", case_of(prices(20'000))));
    Study learned         = prices(1);
    learned.network.noise = NoiseModel::learned;
    EXPECT_FALSE(found("noise_scale", case_of(learned)));
    EXPECT_FALSE(found("noise_scale", case_of(small_study("point_estimate"))));
}

TEST(LintNoiseScale, IsSilentForNarrowNoiseWhereThePredictionsAreAsGood)
{
    Study exact                           = prices(0.05);
    exact.data.points                     = {};
    exact.training.steps                  = 4000;
    exact.training.schedule.learning_rate = 0.02;
    exact.training.schedule.kind          = ScheduleKind::cosine;
    for (int i = 0; i < 20; ++i)
        exact.data.points.push_back({.x = 0.1 * i, .y = 0.7 * i});   // a line, standard deviation 4
    const auto run   = case_of(exact);
    const auto noise = lint_support::noise_scale(*run.run.experiment);
    ASSERT_TRUE(noise && noise->is_too_narrow());
    const auto finding = found("noise_scale", run);
    EXPECT_FALSE(finding) << finding->evidence;
}

TEST(LintNotFinite, NoiseFarBelowStandardisedTargetsComesBeforeTheLearningRate)
{
    Study study                           = prices(1);
    study.training.optimizer.kind         = OptimizerKind::sgd;
    study.training.schedule.learning_rate = 0.1;
    const auto finding                    = found("not_finite", case_of(study));
    ASSERT_TRUE(finding);
    const Study mended = with_remedy(study, finding->remedy);
    EXPECT_GT(mended.network.noise_sd, 100'000);
    EXPECT_FALSE(found("not_finite", case_of(mended)));
}

}   // namespace
}   // namespace credence
