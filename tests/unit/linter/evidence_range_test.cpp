// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include "runs/laplace_fit.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// A Laplace approximation of a network whose weights have decayed to 0: the evidence grows with λ without limit.
LintCase decayed()
{
    Study study                            = small_study("laplace");
    study.posterior.laplace.precision_from = PrecisionFrom::evidence;
    LintCase out                           = case_of(study);
    const auto fitted                      = laplace_of(*out.run.snapshot);
    EXPECT_TRUE(fitted) << "no Laplace approximation";
    CurvatureData data = fitted->curvature()->data();
    std::fill(data.map.begin(), data.map.end(), 0.0);
    const auto curvature = std::make_shared<const Curvature>(std::move(data));
    auto snapshot        = std::make_shared<Snapshot>(*out.run.snapshot);
    const auto chosen    = choose_precision(*out.run.experiment, curvature, study.posterior.laplace);
    EXPECT_THAT(chosen->note,
                HasSubstr("The evidence has no maximum between λ = 1e-06 and 1e+08; it still grows at λ = 1e+08"));
    snapshot->posterior = std::make_shared<LaplaceGaussian<float>>(curvature, chosen->value);
    out.run.snapshot    = snapshot;
    return out;
}

TEST(LintEvidenceRange, AnEvidenceThatGrowsToTheEndOfTheRangeIsFound)
{
    const auto finding = found("evidence_range", decayed());
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "The evidence has no maximum within the range of λ.");
    EXPECT_THAT(finding->reason, HasSubstr("almost no width"));
    EXPECT_EQ(finding->remedy.view, "laplace_evidence");
}

TEST(LintEvidenceRange, IsSilentForAMaximumInsideAndOfOtherMethods)
{
    Study study                            = course_study("laplace");
    study.posterior.laplace.precision_from = PrecisionFrom::evidence;
    EXPECT_FALSE(found("evidence_range", case_of(study)));
    study.posterior.laplace.precision_from = PrecisionFrom::hand;
    study.posterior.laplace.precision      = 1e8;
    EXPECT_FALSE(found("evidence_range", case_of(study))) << "chosen by hand";
    EXPECT_FALSE(found("evidence_range", case_of(small_study("mean_field"))));
}

}   // namespace
}   // namespace credence
