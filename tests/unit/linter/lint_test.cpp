// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/lint.h"

#include "foundation/error.h"
#include "linter/rules.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(Lint, SaysInOneLineThatThereIsNothing) { EXPECT_EQ(findings_text({}), "The linter found nothing wrong.\n"); }

TEST(Lint, WritesAFindingWithEvidenceSourceReasonAndRemedy)
{
    const std::vector<Finding> findings{
        {.rule     = "kl_weight",
         .severity = Severity::wrong,
         .title    = "The KL divergence is not weighted by 1/N.",
         .evidence = "Found 0.5, expected 0.0025.",
         .source   = "Posch and Pilz 2021",
         .reason   = "The posterior stays at the prior.",
         .remedy   = {.label = "Set the KL weight to 1/N", .settings = {{"training.kl_weight", "1"}}}}};
    EXPECT_EQ(findings_text(findings), "Wrong: The KL divergence is not weighted by 1/N.\n"
                                       "  Found 0.5, expected 0.0025. (Posch and Pilz 2021)\n"
                                       "  The posterior stays at the prior.\n"
                                       "  --set training.kl_weight=1\n");
}

TEST(Lint, ARemedyGivesAStudyWithItsSettings)
{
    const Study mended = with_remedy({},
                                     {.label    = "Set the KL weight to 1",
                                      .settings = {{"training.kl_weight", "1"}, {"training.kl_weighting", "uniform"}}});
    EXPECT_EQ(mended.training.kl_weight, 1);
    EXPECT_EQ(mended.training.kl_weighting, KlWeighting::uniform);
}

TEST(Lint, RefusesARuleThatThereIsNot) { EXPECT_THROW(lint_rule("no_such_rule"), Error); }

}   // namespace
}   // namespace credence
