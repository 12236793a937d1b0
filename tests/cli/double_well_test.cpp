// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

// `credence double-well`.
namespace {

using testing::HasSubstr;

TEST(DoubleWellCommand, PrintsNumbersAndWritesFiguresAndStates)
{
    const auto folder   = freshFolder("double_well");
    const Answer answer = call("double-well --steps 10 --step-size 0.2 --start 0.1 --temperature 0 --out "
                               + quoted(folder));
    EXPECT_EQ(answer.status, 0) << answer.error;
    for (const char* text : {"Variance", "4.684", "Share on the right", "1.579", "after 10 steps", "Written to"})
        EXPECT_THAT(answer.out, HasSubstr(text));
    for (const char* id : {"walkers", "density", "ratio", "trace", "numbers"})
        for (const char* suffix : {"csv", "tex", "pdf", "svg", "png"}) {
            const std::string name = std::string("double_well_") + id + '.' + suffix;
            EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
        }
    const std::string states = contentOf(folder / "states.csv");
    EXPECT_THAT(states, HasSubstr("step,theta,mu,s\r\n0,0.1"));
    EXPECT_EQ(std::count(states.begin(), states.end(), '\n'), 12) << "a head, the start and ten steps";
}

TEST(DoubleWellCommand, PrintsQuartilesOverSeveralSeeds)
{
    const auto folder   = freshFolder("double_well_seeds");
    const Answer answer = call("double-well --steps 10 --seeds 2 --out " + quoted(folder));
    EXPECT_EQ(answer.status, 0) << answer.error;
    for (const char* text :
         {"KLIEP ratio at 0", "Larger share on one side", "Upper quartile", "Seeds 1 to 2, 10 steps"})
        EXPECT_THAT(answer.out, HasSubstr(text));
    EXPECT_TRUE(std::filesystem::exists(folder / "double_well_seeds.csv"));
    EXPECT_EQ(call("double-well --seeds 0").status, 2);
}

TEST(DoubleWellCommand, RejectsInvalidStepSizes)
{
    const Answer answer = call("double-well --momentum 1");
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.error, HasSubstr("Double well: the momentum is 1, expected a number from 0 to below 1."));
    const Answer large = call("double-well --step-size 1 --start 3");
    EXPECT_EQ(large.status, 2);
    EXPECT_THAT(large.error, HasSubstr("the step size 1 is too large"));
}

}   // namespace
