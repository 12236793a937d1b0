// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"
#include "outputs/outputs_file.h"
#include "study/fields.h"
#include "study/presets.h"
#include "unit/formats/table_file.h"
#include "unit/outputs/outputs_npz.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// Sixty rows, of which one belongs to class c. @param seed  of the split
Study one_row_of_c(std::uint64_t seed, const TableFile& file)
{
    Study study          = small_study("mean_field");
    study.data.source    = DataSource::csv;
    study.data.file      = file.path().string();
    study.training.steps = 2;
    study.split.seed     = seed;
    return study;
}

TEST(LintClassUntrained, ReportsIfAndOnlyIfTheOnlyRowOfAClassIsATestRow)
{
    std::string text = "x,class\n";
    for (int i = 0; i < 60; ++i)
        text += std::to_string(i) + ".5," + (i == 30 ? "c" : i % 2 ? "a" : "b") + "\n";
    const TableFile file(text);
    bool both[2]{};
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const auto lint_case = case_of(one_row_of_c(seed, file));
        const auto& labels   = lint_case.run.experiment->data->training.labels;
        const bool trained   = std::ranges::find(labels, 2) != labels.end();
        const auto finding   = found("class_untrained", lint_case);
        EXPECT_NE(finding.has_value(), trained) << seed;
        if (finding) {
            EXPECT_EQ(finding->title, "No training row belongs to class “c”.");
            EXPECT_THAT(finding->evidence, HasSubstr("1 test row of 12 belongs to c"));
        }
        both[trained] = true;
    }
    EXPECT_TRUE(both[0] && both[1]) << "twelve splits have both";
}

TEST(LintClassUntrained, IsSilentForNumbersAndOfUsualClasses)
{
    EXPECT_FALSE(found("class_untrained", case_of(small_study("mean_field"))));
    EXPECT_FALSE(found("class_untrained", case_of(small_study("mean_field", ToyKind::cubic))));
}

/// Ten rows of two classes, all predicted as the first one, with two draws. @param rare  rows of the second class
RunSnapshot all_taken_for_the_first(int rare)
{
    std::vector<float> draws;
    std::vector<std::int64_t> labels;
    for (int draw = 0; draw < 2; ++draw)
        for (int row = 0; row < 10; ++row)
            draws.insert(draws.end(),
                         {0.75f + 0.125f * static_cast<float>(draw), 0.25f - 0.125f * static_cast<float>(draw)});
    for (int row = 0; row < 10; ++row)
        labels.push_back(row < rare);
    return snapshot_of_outputs(outputs_npz::opened(
        {logits_npz::floats("probabilities", {2, 10, 2}, draws), logits_npz::integers("labels", labels)}, "rare.npz"));
}

TEST(LintClassImbalance, ARareClassThatIsNeverPredictedIsFound)
{
    const auto finding = found("class_imbalance", {.run = all_taken_for_the_first(1)});
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("has 90 % of the rows. The accuracy is 90 %, the balanced accuracy 50 %"));
}

TEST(LintClassImbalance, IsSilentForClassesOfOneSize)
{
    EXPECT_FALSE(found("class_imbalance", {.run = all_taken_for_the_first(5)}));
    EXPECT_FALSE(found("class_imbalance", case_of(small_study("mean_field"))));
    EXPECT_FALSE(found("class_imbalance", case_of(small_study("mean_field", ToyKind::cubic))));
}

/// Thirty rows, 18 of the first class; all are predicted as the second one, with two draws.
RunSnapshot all_taken_for_the_rarer()
{
    std::vector<float> draws;
    std::vector<std::int64_t> labels(30, 0);
    std::fill_n(labels.begin(), 12, 1);
    for (int i = 0; i < 60; ++i)
        draws.insert(draws.end(), {0.25f, 0.75f});
    return snapshot_of_outputs(outputs_npz::opened(
        {logits_npz::floats("probabilities", {2, 30, 2}, draws), logits_npz::integers("labels", labels)}, "worse.npz"));
}

TEST(LintNoBetterThanGuessing, OutputsThatMissTheLargestClassAreFound)
{
    const auto finding = found("no_better_than_guessing", {.run = all_taken_for_the_rarer()});
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::warning);
    EXPECT_THAT(finding->evidence,
                HasSubstr("Accuracy is 40 % on 30 rows, and 60 % by always predicting “0” (sign test, p = "));
    EXPECT_EQ(finding->remedy.view, "confusion");
}

/// Rows of two classes, half of each; the probability of class 0 for row i.
RunSnapshot outputs_of(int rows, const std::function<float(int i)>& probability)
{
    std::vector<float> draws;
    std::vector<std::int64_t> labels;
    for (int i = 0; i < rows; ++i) {
        const float p = probability(i);
        draws.insert(draws.end(), {p, 1 - p});
        labels.push_back(i % 2);
    }
    const auto n = static_cast<std::size_t>(rows);
    return snapshot_of_outputs(outputs_npz::opened(
        {logits_npz::floats("probabilities", {1, n, 2}, draws), logits_npz::integers("labels", labels)},
        "by_hand.npz"));
}

TEST(LintNoBetterThanGuessing, RightByOneRowIsNotLearned)
{
    // 51 of 100 rows are correct, each narrowly: by chance this happens half of the time
    const auto finding = found("no_better_than_guessing", {.run = outputs_of(100, [](int i) {
                                                               const bool right = i < 51;
                                                               return (i % 2 == 0) == right ? 0.51f : 0.49f;
                                                           })});
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "There is no evidence that the network is better than guessing.");
}

TEST(LintNoBetterThanGuessing, AnAccurateNetworkThatIsConfidentWhereItIsWrongIsFoundByItsNll)
{
    // 70 % right, but certain of everything: the NLL is 0.3 · 9.2 nats, that of the class frequencies 0.69
    const auto finding = found("no_better_than_guessing", {.run = outputs_of(200, [](int i) {
                                                               const bool right = i % 10 < 7;
                                                               return (i % 2 == 0) == right ? 0.9999f : 0.0001f;
                                                           })});
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "The NLL is worse than that of the class frequencies.");
    EXPECT_EQ(finding->remedy.view, "confusion");
}

TEST(LintNoBetterThanGuessing, AFewRowsSufficeForAnNllThatIsClearlyWorse)
{
    const auto with_confidence = [](float p) {
        return found("no_better_than_guessing", {.run = outputs_of(12, [=](int) { return p; })});   // 6 right
    };
    ASSERT_TRUE(with_confidence(0.9999f));
    EXPECT_EQ(with_confidence(0.9999f)->title, "The NLL is worse than that of the class frequencies.");
    EXPECT_FALSE(with_confidence(0.55f)) << "12 rows cannot show that a network is no better";
}

TEST(LintNoBetterThanGuessing, ARowWithProbabilityZeroIsNotLeftOut)
{
    // 91 % right, but 9 rows have probability 0: without them the NLL is much better than the guess
    const auto finding = found("no_better_than_guessing", {.run = outputs_of(100, [](int i) {
                                                               const bool right = i % 12 != 0;
                                                               return !right ? 0.0f : i % 2 == 0 ? 0.9f : 0.1f;
                                                           })});
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "The NLL is worse than that of the class frequencies.");
    EXPECT_THAT(finding->evidence, HasSubstr("NLL is inf nats, and 0.693 by the class frequencies."));
}

TEST(LintNoBetterThanGuessing, IsSilentForANetworkThatIsClearlyBetter)
{
    EXPECT_FALSE(found("no_better_than_guessing", {.run = outputs_of(100, [](int i) {
                                                       const bool right = i % 10 < 8;
                                                       return (i % 2 == 0) == right ? 0.8f : 0.2f;
                                                   })}));
}

TEST(LintNoBetterThanGuessing, DrawsThatForgetTheNetworkAreFound)
{
    Study study = preset("four_gaussians_laplace");
    for (const char* setting : {"data.noise=1.5", "posterior.laplace_structure=diagonal",
                                "posterior.laplace_precision_from=hand", "posterior.laplace_precision=1e-6"})
        set_field(study, setting);
    const auto finding = found("no_better_than_guessing", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "The NLL is worse than that of the class frequencies.");
    EXPECT_EQ(finding->remedy.view, "calibration");
}

/// A sine with 40 test rows. @param rate  of learning
LintCase sine_case(double rate, double noise_sd)
{
    Study study                           = course_study("point_estimate");
    study.data.toy.kind                   = ToyKind::sine_gap;
    study.data.toy.n                      = 200;
    study.network.hidden                  = {16};
    study.network.noise                   = "given";
    study.training.steps                  = 400;
    study.training.schedule.learning_rate = rate;
    field("network.noise_sd").set(study, noise_sd);
    return case_of(study);
}

TEST(LintNoBetterThanGuessing, ACurveThatIsLearnedPassesAndOneThatDivergedDoesNot)
{
    EXPECT_FALSE(found("no_better_than_guessing", sine_case(0.01, 0.5)));
    const auto finding = found("no_better_than_guessing", sine_case(100, 0.5));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::warning);
    EXPECT_EQ(finding->title, "The NLL is worse than that of predicting the mean.");
    EXPECT_THAT(finding->evidence, HasSubstr(" units of y on 40 rows, and "));
    EXPECT_EQ(finding->remedy.view, "scores");
}

TEST(LintNoBetterThanGuessing, GoodErrorsWithAFarTooSmallNoiseAreFoundByTheNll)
{
    const auto finding = found("no_better_than_guessing", sine_case(0.01, 0.005));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "The NLL is worse than that of predicting the mean.");
}

TEST(LintNoBetterThanGuessing, TargetsThatDoNotDependOnTheInputAreFound)
{
    Study study           = course_study("point_estimate");
    study.data.source     = DataSource::drawn;
    study.data.drawn_task = Task::regression;
    study.network.noise   = "given";
    field("network.noise_sd").set(study, 0.71);   // the standard deviation of the targets
    for (int i = 0; i < 300; ++i)
        study.data.points.push_back({.x = 0.01 * i, .y = i % 3 == 0 ? 1.0 : -0.5});
    const auto finding = found("no_better_than_guessing", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "There is no evidence that the network is better than predicting the mean.");
    EXPECT_EQ(finding->remedy.view, "training_curves");
}

TEST(LintNoBetterThanGuessing, ThePresetWithLearnedNoiseIsBetterThanTheMean)
{
    // At a rate of 0.01 it ended with noise of 40 times the spread of the targets.
    Study study          = preset("heteroscedastic");
    study.seed           = 2;
    study.training.steps = 2000;
    EXPECT_FALSE(found("no_better_than_guessing", case_of(study)));
}

TEST(LintNoBetterThanGuessing, IsSilentForANetworkThatLearnedAndOfFewRows)
{
    EXPECT_FALSE(found("no_better_than_guessing", case_of(course_study("point_estimate"))));
    EXPECT_FALSE(found("no_better_than_guessing", case_of(course_study("mean_field"))));
    EXPECT_FALSE(found("no_better_than_guessing", case_of(small_study("mean_field", ToyKind::cubic))));
}

TEST(LintCalibrationBins, FourRowsStateNothingOfTheCalibration)
{
    const auto finding = found("calibration_bins",
                               {.run = snapshot_of_outputs(outputs_npz::opened(outputs_npz::four_rows()))});
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr(" bins have fewer than 10 of the 4 rows"));
}

TEST(LintCalibrationBins, IsSilentForAHundredRowsOfTwoClasses)
{
    Study study      = course_study("mean_field");
    study.data.toy.n = 500;
    EXPECT_FALSE(found("calibration_bins", case_of(study)));
    EXPECT_FALSE(found("calibration_bins", case_of(small_study("mean_field", ToyKind::cubic))));
}

}   // namespace

}   // namespace credence
