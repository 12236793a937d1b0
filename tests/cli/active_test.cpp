// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

// `credence active`.
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string shortActive = "active two_moons_mean_field --set data.n=60 --set network.hidden=6 --set "
                                "training.steps=20 --start 4 --per-round 3 --rounds 2 --repetitions 2 --samples 10 ";

TEST(ActiveCommand, WritesTheCurvesTheQueriesAndTheFigures)
{
    const auto folder   = freshFolder("active");
    const Answer answer = call(shortActive + "--function bald --function random --out " + quoted(folder));
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out,
                AllOf(HasSubstr("BALD"), HasSubstr("Random"), HasSubstr("2 repetitions"), HasSubstr("Written to ")));
    const std::string curves = contentOf(folder / "labelling.csv"), queries = contentOf(folder / "queries.csv");
    EXPECT_THAT(curves, HasSubstr("function,seed,labels,accuracy,nll"));
    EXPECT_EQ(std::count(curves.begin(), curves.end(), '\n'), 1 + 2 * 2 * 3);
    EXPECT_EQ(std::count(queries.begin(), queries.end(), '\n'), 1 + 2 * 2 * (4 + 3 * 3));
    for (const char* figure : {"active_learning", "active_learning_map_bald", "active_learning_map_random"})
        EXPECT_TRUE(std::filesystem::exists(folder / (std::string(figure) + ".csv"))) << figure;
}

TEST(ActiveCommand, GivesTheSameNumbersOnAnyNumberOfThreads)
{
    const auto one = freshFolder("active_one"), two = freshFolder("active_two");
    const std::string same = shortActive + "--no-figures --function margin ";
    ASSERT_EQ(call(same + "--threads 1 --out " + quoted(one)).status, 0);
    ASSERT_EQ(call(same + "--threads 2 --out " + quoted(two)).status, 0);
    EXPECT_EQ(contentOf(one / "labelling.csv"), contentOf(two / "labelling.csv"));
    EXPECT_EQ(contentOf(one / "queries.csv"), contentOf(two / "queries.csv"));
}

TEST(ActiveCommand, RefusesAFunctionThatDoesNotExistOrSuit)
{
    const auto folder = freshFolder("active_wrong");
    const Answer best = call(shortActive + "--function best --out " + quoted(folder));
    EXPECT_NE(best.status, 0);
    EXPECT_THAT(best.error, HasSubstr("expected one of bald, entropy, margin, variance, random"));
    const Answer variance = call(shortActive + "--function variance --out " + quoted(folder));
    EXPECT_NE(variance.status, 0);
    EXPECT_THAT(variance.error, HasSubstr("Variance needs a numeric target"));
}

}   // namespace
