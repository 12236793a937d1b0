// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"
#include "study/presets.h"

#include <gmock/gmock.h>

#include <vector>

// The presets with one mistake each: the linter reports it, and the fix removes the finding.
// Presets with a deliberate mistake: the cause is reported first. Also with seeds 2 and 3, so that
// nothing depends on the last digit.

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
    const Study fixed = with_remedy(study, findings.front().remedy);
    EXPECT_EQ(fixed.training.kl_weighting, KlWeighting::uniform);
    EXPECT_EQ(fixed.training.kl_weight, 1);
}

TEST(BadPresets, ARateAtWhichTauNeverSettlesIsReportedAndFixed)
{
    const Study& study = preset("bad_learning_rate");
    const auto finding = found("tau_still_moves", case_of(study));
    ASSERT_TRUE(finding);
    const Study fixed = with_remedy(study, finding->remedy);
    EXPECT_EQ(fixed.training.schedule.kind, ScheduleKind::cosine);
    EXPECT_FALSE(found("tau_still_moves", case_of(fixed)));
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

struct BadRun {
    const char *rule, *preset;
    std::vector<const char*> settings;
};

const std::vector<BadRun>& bad_runs()
{
    static const std::vector<BadRun> runs{
        {"kl_weight",
         "two_moons_mean_field",
         {"training.kl_weighting=constant", "training.kl_weight=1", "training.steps=600"}},
        {"kl_weight", "two_moons_layer_scale", {"training.kl_weight=0.0001", "training.steps=600"}},
        {"kl_weight",
         "blundell_mean_field",
         {"training.kl_weighting=constant", "training.kl_weight=1", "training.steps=600"}},
        {"not_finite",
         "cubic",
         {"split.standardise_inputs=false", "training.optimizer=sgd", "training.learning_rate=10"}},
        {"not_finite", "two_moons_point_estimate", {"training.optimizer=momentum", "training.learning_rate=3"}},
        {"not_finite", "two_moons_sgld", {"training.learning_rate=100", "training.steps=2000"}},
        {"draws_alike",
         "two_moons_mean_field",
         {"posterior.initial_sd=1e-7", "training.optimizer=sgd", "training.learning_rate=0.01", "training.steps=600"}},
        {"draws_alike", "two_moons_sgld", {"training.learning_rate=1e-14", "training.steps=1000"}},
        {"posterior_at_prior", "bad_narrow_prior", {}},
        {"posterior_at_prior", "two_moons_mean_field", {"data.n=40", "training.steps=1500"}},
        {"posterior_at_start", "bad_still_spreads", {}},
        {"posterior_at_start", "two_moons_point_estimate", {"training.learning_rate=1e-9", "training.steps=300"}},
        {"tau_still_moves", "bad_learning_rate", {}},
        {"divergences",
         "cubic",
         {"posterior.family=nuts", "posterior.target_acceptance=0.5", "posterior.warmup=50", "posterior.draws=50"}},
        {"ess", "two_moons_nuts", {"posterior.depth_limit=2", "posterior.warmup=200", "posterior.draws=100"}},
        {"interval_level", "two_moons_mean_field", {"prediction.samples=8", "training.steps=1000"}},
        {"interval_level", "two_moons_layer_scale", {"prediction.level=0.999", "training.steps=1000"}},
        {"evidence_precision",
         "two_moons_laplace",
         {"posterior.laplace_structure=diagonal", "posterior.laplace_predictive=weights"}},
        {"class_imbalance", "two_moons_mean_field", {"data.class_ratio=0.95", "training.steps=20"}},
        {"no_better_than_guessing",
         "four_gaussians_laplace",
         {"data.noise=1.5", "posterior.laplace_structure=diagonal", "posterior.laplace_precision_from=hand",
          "posterior.laplace_precision=1e-6"}},
        {"test_rows_seen", "two_moons_mean_field", {"split.test_fraction=0", "training.steps=1000"}},
    };
    return runs;
}

class BadRuns : public ::testing::TestWithParam<std::size_t> {};

TEST_P(BadRuns, TheCauseIsReportedFirst)
{
    const BadRun& run = bad_runs()[GetParam()];
    Study study       = preset(run.preset);
    for (const char* setting : run.settings)
        set_field(study, setting);
    const auto result = lint(case_of(study)).value();
    ASSERT_FALSE(result.findings.empty()) << run.preset << ", expected " << run.rule;
    EXPECT_EQ(result.findings.front().rule, run.rule) << run.preset << ":\n" << findings_text(result);
}

INSTANTIATE_TEST_SUITE_P(Of, BadRuns, ::testing::Range<std::size_t>(0, bad_runs().size()));

}   // namespace

}   // namespace credence
