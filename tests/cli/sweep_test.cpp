// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <random>

// `credence sweep`: after kills and with several processes per folder, the tables equal those of an undisturbed sweep.
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Twenty small cells, milliseconds each.
std::string twentyCells(const std::filesystem::path& folder)
{
    return "sweep toys_20 --set training.steps=60 --no-figures --out " + quoted(folder);
}

std::string tablesIn(const std::filesystem::path& folder)
{
    std::string all;
    for (const char* name : {"cells.csv", "summary.csv", "comparisons.csv", "summary.tex"})
        all += contentOf(folder / name);
    return all;
}

struct Undisturbed {
    std::filesystem::path folder = freshFolder("sweep_undisturbed") / "out";
    Answer answer;
    double seconds = 0;
};

const Undisturbed& undisturbed()
{
    static const Undisturbed made = [] {
        Undisturbed one;
        const auto begin = std::chrono::steady_clock::now();
        one.answer       = call(twentyCells(one.folder));
        one.seconds      = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return one;
    }();
    return made;
}

TEST(SweepCommand, RunsEveryCellAndWritesTheTables)
{
    const auto& whole = undisturbed();
    ASSERT_EQ(whole.answer.status, 0) << whole.answer.error;
    EXPECT_EQ(whole.answer.error, "");
    EXPECT_THAT(whole.answer.out, AllOf(HasSubstr("cell 20 of 20, point_estimate, noise 0.3, seed 2: done.\n"),
                                        HasSubstr("Five methods on two moons: 20 of 20 cells done\n"), HasSubstr(" ± "),
                                        HasSubstr("Written to " + whole.folder.string()), Not(HasSubstr("already "))));
    const std::string cells = contentOf(whole.folder / "cells.csv"), summary = contentOf(whole.folder / "summary.csv");
    EXPECT_EQ(std::count(cells.begin(), cells.end(), '\n'), 1 + 20);
    EXPECT_EQ(std::count(summary.begin(), summary.end(), '\n'), 1 + 10);
    EXPECT_THAT(cells, StartsWith("posterior.family,data.noise,seed,cell,steps,test Inputs,test Error,"));
    EXPECT_THAT(contentOf(whole.folder / "comparisons.csv"),
                HasSubstr("\r\nposterior.family,mean_field,layer_scale,0.1,test,"));

    const Answer again = call(twentyCells(whole.folder));
    EXPECT_EQ(again.status, 0) << again.error;
    EXPECT_THAT(again.out, AllOf(HasSubstr("20 of 20 cells were already done.\n"), Not(HasSubstr(": done.\n"))));
}

TEST(SweepCommand, KilledAtRandomMomentsAndCalledAgainGivesTheSameBits)
{
    const auto& whole = undisturbed();
    const auto folder = freshFolder("sweep_killed") / "out";
    std::mt19937 random(1);
    int killed = 0;
    for (int i = 0; i < 5; ++i) {
        const double share = std::uniform_real_distribution<>(0.1, 0.5)(random);
        killed += callAndKill(twentyCells(folder), share * whole.seconds).status == 1000 + 9 ? 1 : 0;
    }
    EXPECT_GE(killed, 1) << "none came in time";
    const Answer last = call(twentyCells(folder));
    ASSERT_EQ(last.status, 0) << last.error;
    EXPECT_EQ(tablesIn(folder), tablesIn(whole.folder));
}

TEST(SweepCommand, TwoProcessesShareAFolder)
{
    const auto& whole          = undisturbed();
    const auto folder          = freshFolder("sweep_shared") / "out";
    const auto [first, second] = callBoth(twentyCells(folder), twentyCells(folder) + " --jobs 1");
    EXPECT_EQ(first.status, 0) << first.error;
    EXPECT_EQ(second.status, 0) << second.error;
    EXPECT_EQ(tablesIn(folder), tablesIn(whole.folder));
}

TEST(SweepCommand, PartsAreCollected)
{
    const auto& whole = undisturbed();
    const auto folder = freshFolder("sweep_parts") / "out";
    const Answer one  = call(twentyCells(folder) + " --cells 1/2 --jobs 3 --threads 2");
    ASSERT_EQ(one.status, 0) << one.error;
    EXPECT_THAT(one.out, HasSubstr("10 of the 10 cells of part 1/2 are done"));
    EXPECT_FALSE(std::filesystem::exists(folder / "cells.csv"));
    const Answer half = call("sweep " + quoted(folder) + " --collect");   // it knows its settings
    ASSERT_EQ(half.status, 0) << half.error;
    EXPECT_THAT(half.out, AllOf(HasSubstr("10 of 20 cells done"),
                                HasSubstr("Not done: cell 2, mean_field, noise 0.1, seed 2 (waiting)\n")));
    const Answer rest = call(twentyCells(folder) + " --cells 2/2 --collect");
    ASSERT_EQ(rest.status, 0) << rest.error;
    EXPECT_THAT(rest.out, Not(HasSubstr("Not done")));
    EXPECT_EQ(tablesIn(folder), tablesIn(whole.folder));
}

TEST(SweepCommand, KeepsFinishedCellsWhenCancelled)
{
    const auto folder   = freshFolder("sweep_cancelled") / "out";
    const Answer answer = callAndInterruptAt("sweep toys_20 --set training.steps=1000000 --out " + quoted(folder),
                                             folder / "sweep.json");
    EXPECT_EQ(answer.status, 130);
    EXPECT_THAT(answer.error, HasSubstr("credence: Cancelled; the finished cells are in "));
}

TEST(SweepCommand, ReportsErrors)
{
    const auto refused = [](const std::string& arguments) {
        const Answer answer = call("sweep " + arguments);
        EXPECT_EQ(answer.status, 2);
        return answer.error;
    };
    EXPECT_THAT(refused("toys"), StartsWith("credence: There is no sweep \"toys\", expected a file or one of "));
    EXPECT_EQ(refused("toys_20 --cells 3/2"),
              "credence: --cells is \"3/2\", expected i/n with i from 1 to n, for example 2/8.\n");
    EXPECT_THAT(refused("toys_20 --set data.noise=1"), HasSubstr("data.noise is varied by the axis data.noise"));
    EXPECT_THAT(refused("toys_20 --set training.steps=0"), HasSubstr("training.steps is "));
    EXPECT_THAT(call("list --sweeps").out, AllOf(HasSubstr("toys_20"), HasSubstr("two_moons_dropout")));
}

}   // namespace
