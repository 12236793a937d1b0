// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

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

}   // namespace
}   // namespace credence
