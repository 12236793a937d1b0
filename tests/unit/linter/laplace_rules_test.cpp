// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"
#include "outputs/outputs_file.h"
#include "runs/laplace_fit.h"
#include "unit/outputs/outputs_npz.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using logits_npz::doubles;
using ::testing::HasSubstr;

/// Two rows of three classes.
RunSnapshot of_gaussians(const std::vector<double>& mean, double variance)
{
    return snapshot_of_outputs(outputs_npz::opened(
        {doubles("mean", {2, 3}, mean), doubles("variance", {2, 3}, std::vector<double>(6, variance))},
        "gaussians.npz"));
}

TEST(LintBridgeRegion, EqualLogitsFulfilPropositionOneForNoClass)
{
    const auto finding = found("bridge_region", {.run = of_gaussians({0, 0, 0, 1, 1, 1}, 1)});
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::warning);
    EXPECT_THAT(finding->evidence, HasSubstr("Proposition 1 fails for 100 % of 2 rows"));
}

TEST(LintBridgeRegion, IsSilentForClearLogits)
{
    EXPECT_FALSE(found("bridge_region", {.run = of_gaussians({6, 0, 0, 0, 0, 6}, 0.1)}));
    EXPECT_FALSE(found("bridge_region", case_of(course_study("laplace"))));
    EXPECT_FALSE(found("bridge_region", case_of(small_study("mean_field"))));
}

/// A Laplace approximation whose Gaussian is far too wide for the net.
LintCase wide_laplace()
{
    Study study                            = course_study("laplace");
    study.data.toy.kind                    = ToyKind::four_gaussians;
    study.data.toy.n                       = 1000;
    study.training.steps                   = 400;
    study.posterior.laplace.precision_from = PrecisionFrom::hand;
    study.posterior.laplace.precision      = 1e-5;
    return case_of(study);
}

/// The same run with its precision chosen by the evidence.
LintCase by_evidence(LintCase run)
{
    Study study                            = run.run.experiment->study;
    study.posterior.laplace.precision_from = PrecisionFrom::evidence;
    run.run = {with_study(*run.run.experiment, study), run.run.snapshot, run.run.history};
    return run;
}

TEST(LintEvidencePrecision, DrawsMuchWorseThanTheTrainedWeightsAreFound)
{
    const auto finding = found("evidence_precision", by_evidence(wide_laplace()));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("Of 200 rows, the trained weights predict "));
    EXPECT_EQ(finding->remedy.settings.front().second, "linearised");
}

TEST(LintEvidencePrecision, IsSilentIfLambdaIsByHandAndWhereNothingIsLost)
{
    EXPECT_FALSE(found("evidence_precision", wide_laplace()));
    Study study                        = course_study("laplace");
    study.posterior.laplace.predictive = LaplacePredictive::linearised;
    EXPECT_FALSE(found("evidence_precision", case_of(study)));
}

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
