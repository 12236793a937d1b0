// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include "foundation/error.h"
#include "foundation/files.h"

#include <gmock/gmock.h>

#include <set>

namespace credence {
namespace {

/// A network that has learned two moons.
Study healthy_study()
{
    Study study              = course_study("mean_field");
    study.data.toy.n         = 500;
    study.training.steps     = 400;
    study.prediction.samples = 200;
    return study;
}

TEST(Lint, IsSilentOnHealthyRuns)
{
    for (const char* family : {"mean_field", "layer_scale", "tridiagonal", "point_estimate", "bernoulli_dropout",
                               "laplace", "deep_ensemble", "swag", "sgld", "sghmc"}) {
        Study study                        = healthy_study();
        study.posterior.family             = family;
        study.posterior.laplace.predictive = LaplacePredictive::linearised;
        const auto findings                = lint(case_of(study));
        ASSERT_TRUE(findings) << family;
        EXPECT_EQ(findings_text(*findings), findings_text(LintResult())) << family;
    }
}

TEST(Lint, ReportsErrorsBeforeWarnings)
{
    Study study                 = healthy_study();
    study.split.test_fraction   = 0;   // warning
    study.training.kl_weighting = KlWeighting::constant;
    study.training.kl_weight    = 1;   // wrong
    const auto findings         = lint(case_of(study)).value().findings;
    ASSERT_GE(findings.size(), 2u);
    EXPECT_EQ(findings.front().rule, "kl_weight");
    EXPECT_EQ(findings.front().severity, Severity::error);
    EXPECT_EQ(findings.back().severity, Severity::warning);
    std::set<std::string> rules;
    for (const auto& finding : findings) {
        EXPECT_TRUE(rules.insert(finding.rule).second) << finding.rule;
        if (!finding.remedy.view.empty()) {
            EXPECT_NO_THROW(view(finding.remedy.view)) << finding.rule;
        }
        EXPECT_NO_THROW(with_remedy(study, finding.remedy)) << finding.rule;
        EXPECT_FALSE(finding.evidence.empty() || finding.reason.empty() || finding.remedy.label.empty())
            << finding.rule;
    }
}

TEST(Lint, IsEmptyWhenItWasStopped)
{
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(lint(case_of(small_study("mean_field")), stop.get_token()));
}

TEST(Lint, ReportsNothingFoundInOneLine)
{
    EXPECT_EQ(findings_text(LintResult()), "The linter found nothing wrong.\n");
}

TEST(Lint, ARuleThatCouldNotBeCheckedIsListedInsteadOfNothingFound)
{
    // three samples a chain are too few for R̂
    const auto result = lint(chains_case({.n_chains = 4, .n_draws = 3})).value();
    const auto lines  = not_judged_lines(result);
    ASSERT_EQ(lines.size(), 1u) << "all for the same reason";
    EXPECT_TRUE(lines.front().starts_with("step_size, divergences, r_hat, ess, e_bfmi, depth_limit, funnel_unseen: "))
        << lines.front();
    const auto text = findings_text({.not_judged = result.not_judged});
    EXPECT_EQ(text, "Could not be checked: " + lines.front() + "\n");
}

TEST(Lint, WritesAFindingWithEvidenceReasonOriginAndRemedy)
{
    const LintResult result{
        .findings = {{.rule      = "kl_weight",
                      .severity  = Severity::error,
                      .title     = "The KL divergence is not weighted by 1/N.",
                      .evidence  = "Found 0.5, expected 0.0025.",
                      .idea      = "Posch and Pilz 2021",
                      .threshold = "chosen for Credence: 3/N",
                      .reason    = "The posterior stays at the prior.",
                      .remedy    = {.label = "Set the KL weight to 1/N", .settings = {{"training.kl_weight", "1"}}}}}};
    EXPECT_EQ(findings_text(result), "Error: The KL divergence is not weighted by 1/N.\n"
                                     "  Found 0.5, expected 0.0025.\n"
                                     "  The posterior stays at the prior.\n"
                                     "  Idea: Posch and Pilz 2021. Threshold: chosen for Credence: 3/N.\n"
                                     "  --set training.kl_weight=1\n");
}

TEST(Lint, ARemedyGivesAStudyWithItsSettings)
{
    const Study fixed = with_remedy({},
                                    {.label    = "Set the KL weight to 1",
                                     .settings = {{"training.kl_weight", "1"}, {"training.kl_weighting", "uniform"}}});
    EXPECT_EQ(fixed.training.kl_weight, 1);
    EXPECT_EQ(fixed.training.kl_weighting, KlWeighting::uniform);
}

TEST(LintRules, HaveUniqueIdsTitlesAndTexts)
{
    std::set<std::string> ids, titles;
    for (const auto& rule : lint_rules()) {
        EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
        EXPECT_TRUE(titles.insert(rule.title).second) << rule.title;
        EXPECT_TRUE(rule.what.ends_with('.')) << rule.id;
        EXPECT_FALSE(rule.threshold.empty() || rule.threshold.ends_with('.') || rule.idea.ends_with('.')) << rule.id;
        EXPECT_TRUE(rule.check) << rule.id;
    }
    EXPECT_GE(ids.size(), 24u);
    EXPECT_THROW(lint_rule("no_such_rule"), Error);
}

TEST(LintRules, AreDescribedOnTheirPage)
{
    const auto page           = std::filesystem::path(CREDENCE_SOURCE_DIR) / "docs" / "linter.md";
    const std::string written = read_file(page, "the page of the linter");
    EXPECT_TRUE(written == linter_document())
        << "docs and rules differ: build/release/credence linter --write, with the page in docs";
}

}   // namespace
}   // namespace credence
