// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"
#include "runs/archive.h"
#include "runs/changed_points.h"
#include "runs/run_with_checkpoints.h"
#include "unit/formats/table_file.h"

#include <gmock/gmock.h>

#include <string>

namespace credence {
namespace {

/// A run whose table has its input and its target moved by these offsets, after the training.
LintCase moved(double input, double target, bool standardised)
{
    Study study                     = small_study("point_estimate", ToyKind::cubic);
    study.split.standardise_inputs  = standardised;
    study.split.standardise_targets = standardised;
    auto run                        = case_of(study);
    auto experiment                 = std::make_shared<Experiment>(*run.run.experiment);
    auto data                       = std::make_shared<SplitData>(*experiment->data);
    for (double& x : data->training.inputs)
        x += input;
    for (double& y : data->training.targets)
        y += target;
    experiment->data = data;
    run.run          = {experiment, run.run.snapshot, run.run.history};
    return run;
}

TEST(LintLostDigits, UnixTimesThatAreNotStandardisedAreFound)
{
    const auto finding = found("lost_digits", moved(1.7e9, 0, false));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "float32 cannot resolve the values of x.");
    EXPECT_THAT(finding->evidence, testing::HasSubstr("whose spacing is 128 at these values"));
    EXPECT_EQ(finding->remedy.settings.front().first, "split.standardise_inputs");
    const auto of_target = found("lost_digits", moved(0, 1.7e9, false));
    ASSERT_TRUE(of_target);
    EXPECT_EQ(of_target->remedy.settings.front().first, "split.standardise_targets");
}

TEST(LintLostDigits, IsSilentForOrdinaryNumbersNorOfStandardisedOnes)
{
    EXPECT_FALSE(found("lost_digits", moved(0, 0, false)));
    EXPECT_FALSE(found("lost_digits", moved(100, 1000, false)));
    EXPECT_FALSE(found("lost_digits", moved(1.7e9, 1.7e9, true)));
}

using ::testing::HasSubstr;

TEST(LintTestRowsSeen, DuplicatedRowsAreSeenInTraining)
{
    const auto finding = found("test_rows_seen", case_of(study_of_points(10)));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::error);
    EXPECT_THAT(finding->evidence, HasSubstr("of 40 ("));
}

TEST(LintTestRowsSeen, ZeroAndMinusZeroAreOneNumber)
{
    Study study       = small_study("point_estimate");
    study.data.source = DataSource::drawn;
    for (int i = 0; i < 60; ++i)   // pairs of rows that differ in the sign of their zero alone
        study.data.points.push_back({.x = i % 2 ? 0.0 : -0.0, .y = 0.1 * (i / 2), .label = i / 2 % 2});
    EXPECT_TRUE(found("test_rows_seen", case_of(study)));
}

TEST(LintTestRowsSeen, WithoutTestRowsTheScoresAreThoseOfTheTraining)
{
    Study study               = small_study("point_estimate");
    study.split.test_fraction = 0;
    const auto finding        = found("test_rows_seen", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::warning);
    EXPECT_FALSE(found("test_rows_seen", case_of(with_remedy(study, finding->remedy))));
}

TEST(LintTestRowsSeen, IsSilentForRowsThatAreAllDifferent)
{
    EXPECT_FALSE(found("test_rows_seen", case_of(study_of_points(1))));
    EXPECT_FALSE(found("test_rows_seen", case_of(small_study("point_estimate", ToyKind::sine_gap))));
}

LintCase continued(const Study& study, const std::string& words)
{
    auto run = case_of(study);
    run.report->message += ' ' + words;
    return run;
}

TEST(LintTestRowsTrainedOn, ARunThatContinuedOnRowsThatWereSplitAnewIsWrongAndTheNumberOfRowsIsNamed)
{
    for (const auto& words :
         {std::string(continued_words) + "; Restart starts from scratch.",
          std::string("It began with the net that was trained before its points were drawn; Restart begins anew.")}) {
        const auto finding = found("test_rows_trained_on", continued(study_of_points(1), words));
        ASSERT_TRUE(finding);
        EXPECT_EQ(finding->severity, Severity::error);
        EXPECT_THAT(finding->evidence, HasSubstr("about 3 of its 4 test rows had been training rows; expected 0."));
    }
}

TEST(LintTestRowsTrainedOn, IsSilentForARunFromItsOwnStartAndOfOneThatKeptItsSplit)
{
    const std::string words(continued_words);
    const auto run = case_of(study_of_points(1));
    EXPECT_FALSE(found("test_rows_trained_on", run));
    const Study kept = with_points_from_start(study_of_points(1), *run.run.experiment->data);
    EXPECT_FALSE(found("test_rows_trained_on", continued(kept, words)));
    Study no_tests               = study_of_points(1);
    no_tests.split.test_fraction = 0;
    EXPECT_FALSE(found("test_rows_trained_on", continued(no_tests, words)));
}

std::string rows_as_text(int rows)
{
    std::string text = "a,b,class\n";
    for (int i = 0; i < rows; ++i)
        text += std::to_string(i % 7) + ',' + std::to_string(i % 5) + (i % 2 == 0 ? ",no\n" : ",yes\n");
    return text;
}

/// A run on a table of 40 rows, saved and reopened when the table has this many rows.
LintCase read_again_with(int rows)
{
    const TableFile table(rows_as_text(40));
    const auto kept_file = table.path().parent_path() / "run.credence";
    Study study          = small_study("point_estimate");
    study.data.source    = DataSource::csv;
    study.data.file      = table.path().string();
    save_run(recorded_run(*prepare(study), {}, nullptr, {}), kept_file);
    std::ofstream(table.path()) << rows_as_text(rows);
    const SavedRun kept = load_run(kept_file);
    return {.run = last_snapshot_of(kept), .report = kept.report, .table = kept.table};
}

TEST(LintTableChanged, RowsAddedSinceAreFound)
{
    const auto finding = found("table_changed", read_again_with(45));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::error);
    EXPECT_THAT(finding->evidence, ::testing::ContainsRegex("has 347 bytes, hash [0-9a-f]+; .* had 310 bytes"));
}

TEST(LintTableChanged, IsSilentForTheSameFileAndOfDataThatAreMade)
{
    EXPECT_FALSE(found("table_changed", read_again_with(40)));
    auto made  = case_of(small_study("point_estimate"));
    made.table = "250 bytes, hash 0123456789abcdef";   // of what it never was
    EXPECT_FALSE(found("table_changed", made));
}

TEST(LintTableChanged, IsSilentIfTheEarlierStateIsUnknown)
{
    auto run = read_again_with(45);
    run.table.clear();
    EXPECT_FALSE(found("table_changed", run));
}

/// Forty rows with a column of `categories` different words.
LintCase with_words(int categories)
{
    std::string text = "x,who,class\n";
    for (int i = 0; i < 40; ++i)
        text += std::to_string(i) + ".5,p" + std::to_string(i % categories) + "," + (i % 2 ? "a" : "b") + "\n";
    const TableFile file(text);
    Study study          = small_study("mean_field");
    study.data.source    = DataSource::csv;
    study.data.file      = file.path().string();
    study.training.steps = 2;
    return case_of(study);
}

TEST(LintRareCategories, AColumnOfRowNamesIsFound)
{
    const auto finding = found("rare_categories", with_words(40));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("Column who is read as 40 categories, with 32 training rows"));
    EXPECT_TRUE(found("rare_categories", with_words(20)));
}

TEST(LintRareCategories, IsSilentForCategoriesThatRecur)
{
    EXPECT_FALSE(found("rare_categories", with_words(12)));
    EXPECT_FALSE(found("rare_categories", with_words(3)));
    EXPECT_FALSE(found("rare_categories", case_of(small_study("mean_field"))));
}

TEST(LintOodWithoutOwnRows, OodDataComparedWithTrainingRowsAreFound)
{
    Study study               = small_study("mean_field");
    study.split.test_fraction = 0;
    const auto finding        = found("ood_without_own_rows", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("use the 60 training rows instead"));
    EXPECT_FALSE(found("ood_without_own_rows", case_of(with_remedy(study, finding->remedy))));
}

TEST(LintOodWithoutOwnRows, IsSilentForNumbersToPredict)
{
    Study study               = small_study("mean_field", ToyKind::cubic);
    study.split.test_fraction = 0;
    EXPECT_FALSE(found("ood_without_own_rows", case_of(study)));
}

/// An untrained network on traffic signs of 32 × 32, with these OOD images.
LintCase signs_with(const std::string& other)
{
    Study study                       = small_study("point_estimate");
    study.data.source                 = DataSource::traffic_signs;
    study.data.images.training_images = 100;
    study.data.images.test_images     = 50;
    study.prediction.other_data       = other;
    const auto experiment             = prepare(study);
    auto snapshot                     = std::make_shared<Snapshot>();
    snapshot->posterior               = experiment->start;
    return {.run = {experiment, snapshot, std::make_shared<TrainingHistory>()}};
}

TEST(LintOodResampled, ImagesOfAnotherSizeAreFound)
{
    const auto finding = found("foreign_resampled", signs_with("stroke-letters"));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr(" are resized from 28 × 28"));
    EXPECT_EQ(with_remedy(signs_with("stroke-letters").run.experiment->study, finding->remedy).prediction.other_data,
              "");
}

TEST(LintOodResampled, IsSilentForTheUsualOodImagesAndOfTables)
{
    EXPECT_FALSE(found("foreign_resampled", signs_with("")));
    EXPECT_FALSE(found("foreign_resampled", case_of(small_study("point_estimate"))));
}

}   // namespace

}   // namespace credence
