// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// An untrained net on traffic signs of 32 × 32, with these OOD images.
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

TEST(LintForeignResampled, ImagesOfAnotherSizeAreFound)
{
    const auto finding = found("foreign_resampled", signs_with("stroke-letters"));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr(" are resized from 28 × 28"));
    EXPECT_EQ(with_remedy(signs_with("stroke-letters").run.experiment->study, finding->remedy).prediction.other_data,
              "");
}

TEST(LintForeignResampled, IsSilentForTheUsualOodImagesAndOfTables)
{
    EXPECT_FALSE(found("foreign_resampled", signs_with("")));
    EXPECT_FALSE(found("foreign_resampled", case_of(small_study("point_estimate"))));
}

}   // namespace
}   // namespace credence
