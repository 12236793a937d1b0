// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

// The findings of `credence run`, and `credence linter`.
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(LinterCommand, AnUnweightedKlIsReportedAfterTheScoresAndInTheResults)
{
    const auto folder   = freshFolder("linted");
    const Answer answer = call(
        "run xor --set training.kl_weighting=constant --set training.kl_weight=1 --set training.steps=20 "
        "--no-figures --out "
        + quoted(folder));
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out,
                AllOf(HasSubstr("\nError: The KL divergence is not weighted by 1/N: the prior counts 160 times.\n"),
                      HasSubstr("  --set training.kl_weighting=uniform\n  --set training.kl_weight=1\n")));
    EXPECT_LT(answer.out.find("Accuracy"), answer.out.find("Error: "));
    const auto found = nlohmann::json::parse(contentOf(folder / "results.json")).at("findings");
    EXPECT_TRUE(
        std::any_of(found.begin(), found.end(), [](const auto& finding) { return finding.at("rule") == "kl_weight"; }));

    const auto fixed = call("run xor --set training.steps=20 --no-figures --out " + quoted(folder));
    EXPECT_THAT(fixed.out, Not(HasSubstr("KL divergence")));
}

TEST(LinterCommand, ListsItsRulesAndWritesTheirPage)
{
    const Answer rules = call("linter");
    EXPECT_EQ(rules.status, 0);
    EXPECT_THAT(rules.out, AllOf(StartsWith("rule"), HasSubstr("kl_weight"), HasSubstr("KL not weighted by 1/N")));
    const auto page = freshFolder("linter") / "linter.md";
    ASSERT_EQ(call("linter --write " + quoted(page)).status, 0);
    EXPECT_THAT(contentOf(page), AllOf(StartsWith("# The linter\n"), HasSubstr("\n## KL not weighted by 1/N\n")));
    EXPECT_EQ(call("linter --write " + quoted(page)).status, 0) << "an earlier page is replaced";
    std::ofstream(page) << "notes\n";
    EXPECT_EQ(call("linter --write " + quoted(page)).status, 2);
    EXPECT_EQ(contentOf(page), "notes\n");
}

}   // namespace
