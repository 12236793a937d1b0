// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"
#include "linter/evidence.h"
#include "study/fields.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// Twenty prices along a line with some scatter, standard deviation about 170,000.
Study prices(double noise_sd)
{
    Study study                     = small_study("point_estimate", ToyKind::cubic);
    study.data.source               = DataSource::drawn;
    study.data.drawn_task           = Task::regression;
    study.split.standardise_targets = true;
    field("network.noise_sd").set(study, noise_sd);
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
    EXPECT_EQ(finding->severity, Severity::error);
    EXPECT_THAT(finding->evidence,
                HasSubstr("network.noise_sd is 1 units of y, the targets have a standard deviation of"));
    const Study fixed = with_remedy(prices(1), finding->remedy);
    EXPECT_GT(std::get<double>(field("network.noise_sd").get(fixed)), 1000);
    EXPECT_LT(std::get<double>(field("network.noise_sd").get(fixed)), 200'000);
    EXPECT_FALSE(found("noise_scale", case_of(fixed)));
}

TEST(LintNoiseScale, NoiseWiderThanTheTargetsIsAWarning)
{
    const auto finding = found("noise_scale", case_of(prices(1e6)));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::warning);
    EXPECT_EQ(with_remedy(prices(1e6), finding->remedy).network.noise, "learned");
}

TEST(LintNoiseScale, IsSilentForNoiseThatFitsNorOfNoiseThatIsLearnedNorOfClasses)
{
    EXPECT_FALSE(found("noise_scale", case_of(prices(20'000))));
    Study learned         = prices(1);
    learned.network.noise = "learned";
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
    const Study fixed = with_remedy(study, finding->remedy);
    EXPECT_GT(std::get<double>(field("network.noise_sd").get(fixed)), 100'000);
    EXPECT_FALSE(found("not_finite", case_of(fixed)));
}

TEST(LintIntervalLevel, ThirtySamplesDoNotResolveNinetyNinePercent)
{
    Study study            = small_study("mean_field");
    study.prediction.level = 0.99;
    const auto run         = case_of(study);
    const auto finding     = found("interval_level", run);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "The 99 % intervals are computed from too few samples.");
    EXPECT_THAT(
        finding->evidence,
        HasSubstr(
            "Of 30 samples, 0.15 are beyond each end of the interval. On average such an interval contains 92.6 % "
            "of the distribution, not 99 %; 1,000 samples leave 5 beyond each end."));
    EXPECT_FALSE(found("interval_level", {.run = {with_study(*run.run.experiment, with_remedy(study, finding->remedy)),
                                                  run.run.snapshot, run.run.history}}));
}

TEST(LintIntervalLevel, NeverProposesMoreSamplesThanAreAccepted)
{
    Study study            = small_study("mean_field");
    study.prediction.level = 1 - 1e-12;
    const auto finding     = found("interval_level", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "The 99.9999999999 % intervals are computed from too few samples.");
    EXPECT_TRUE(finding->remedy.settings.empty());
}

TEST(LintIntervalLevel, TwentySamplesOfA95PercentIntervalContain86Percent)
{
    Study study              = small_study("mean_field");
    study.prediction.samples = 20;
    const auto finding       = found("interval_level", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("contains 86 % of the distribution, not 95 %; 200 samples"));
    EXPECT_EQ(finding->remedy.settings.front(), (std::pair<std::string, std::string>("prediction.samples", "200")));
}

TEST(LintIntervalLevel, IsSilentForEnoughSamplesOfEnsemblesAndOfPointEstimates)
{
    for (const char* family : {"mean_field", "point_estimate", "bernoulli_dropout", "deep_ensemble"}) {
        Study study              = small_study(family);
        study.prediction.samples = 200;
        EXPECT_FALSE(found("interval_level", case_of(study))) << family;
    }
    auto chains               = chains_case(healthy_chains()).run;
    Study enough              = chains.experiment->study;
    enough.prediction.samples = 200;
    EXPECT_FALSE(
        found("interval_level", {.run = {with_study(*chains.experiment, enough), chains.snapshot, chains.history}}));
}

/// A curve that is learned well, with this noise in the likelihood; the noise of the data has the
/// standard deviation 0.5.
LintCase curve_with_noise(double noise_sd)
{
    Study study              = course_study("point_estimate");
    study.data.toy.kind      = ToyKind::sine_gap;
    study.data.toy.n         = 400;
    study.data.toy.noise     = 0.5;
    study.network.hidden     = {32, 32};   // 8 units miss the sine by as much as the noise
    study.network.activation = ActivationKind::tanh;
    study.training.steps     = 3000;
    study.network.noise      = "given";
    field("network.noise_sd").set(study, noise_sd);
    study.prediction.samples = 200;
    return case_of(study);
}

TEST(LintIntervalCoverage, IntervalsThatMissMostTargetsAreAnError)
{
    const auto finding = found("interval_coverage", curve_with_noise(0.02));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::error);
    EXPECT_EQ(finding->title, "The predictive intervals are too short.");
    EXPECT_THAT(finding->evidence, HasSubstr("The 95 % predictive interval contains the target of "));
    EXPECT_THAT(finding->evidence, HasSubstr(" of 80 test rows."));
}

TEST(LintIntervalCoverage, AFewTestRowsSufficeIfAlmostAllAreMissed)
{
    Study study = small_study("point_estimate", ToyKind::cubic);   // 12 test rows with values to 100
    field("network.noise_sd").set(study, 0.001);
    const auto finding = found("interval_coverage", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::error);
    EXPECT_THAT(finding->evidence, HasSubstr(" of 12 test rows."));
}

TEST(LintIntervalCoverage, IntervalsMuchWiderThanTheErrorsAreAWarning)
{
    const auto finding = found("interval_coverage", curve_with_noise(5));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::warning);
    EXPECT_EQ(finding->title, "The predictive intervals are too wide.");
    EXPECT_THAT(finding->evidence, HasSubstr("The central 50 % of the predictive distribution"));
}

TEST(LintIntervalCoverage, IsSilentForTheRightNoiseForClassesAndWithoutTestRows)
{
    EXPECT_FALSE(found("interval_coverage", curve_with_noise(0.5)));
    EXPECT_FALSE(found("interval_coverage", case_of(course_study("point_estimate"))));
    Study none               = small_study("point_estimate", ToyKind::cubic);
    none.split.test_fraction = 0;
    EXPECT_FALSE(found("interval_coverage", case_of(none)));
}

}   // namespace

}   // namespace credence
