// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include "outputs/opened_outputs.h"
#include "unit/outputs/outputs_npz.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintCalibrationBins, FourRowsSayNothingOfTheCalibration)
{
    const auto finding = found("calibration_bins",
                               {.run = moment_of_outputs(outputs_npz::opened(outputs_npz::four_rows()))});
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
