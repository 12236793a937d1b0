// SPDX-License-Identifier: GPL-3.0-or-later
// The presets with one mistake each: the linter reports it, and the fix removes the finding.
#include "lint_runs.h"

#include "study/presets.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(BadPresets, AnUndividedKlIsReportedFirstAndFixed)
{
    const Study& study  = preset("bad_kl_weight");
    const auto findings = lint(case_of(study)).value().findings;
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings.front().rule, "kl_weight");
    EXPECT_THAT(findings.front().title, HasSubstr("the prior counts 400 times"));
    const Study mended = with_remedy(study, findings.front().remedy);
    EXPECT_EQ(mended.training.kl_weighting, KlWeighting::uniform);
    EXPECT_EQ(mended.training.kl_weight, 1);
}

TEST(BadPresets, ARateAtWhichTauNeverSettlesIsReportedAndFixed)
{
    const Study& study = preset("bad_learning_rate");
    const auto finding = found("tau_still_moves", case_of(study));
    ASSERT_TRUE(finding);
    const Study mended = with_remedy(study, finding->remedy);
    EXPECT_EQ(mended.training.schedule.kind, ScheduleKind::cosine);
    EXPECT_FALSE(found("tau_still_moves", case_of(mended)));
}

TEST(BadPresets, SpreadsStuckAtTheirInitialValueAreReportedAndAdamFixesThem)
{
    Study study        = preset("bad_still_spreads");
    const auto finding = found("posterior_at_start", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->title, HasSubstr("The spread of dense 1 weights"));
    EXPECT_EQ(finding->remedy.view, "layers_over_training");
    study.training.steps                  = 300;
    study.training.optimizer.kind         = OptimizerKind::adam;
    study.training.schedule.learning_rate = 0.01;
    EXPECT_FALSE(found("posterior_at_start", case_of(study)));
}

}   // namespace
}   // namespace credence
