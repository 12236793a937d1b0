// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/changed_points.h"

#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

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
        EXPECT_EQ(finding->severity, Severity::wrong);
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

}   // namespace
}   // namespace credence
