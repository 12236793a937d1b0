// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep_folder.h"

#include "foundation/files.h"
#include "unit/sweeps/small_sweep.h"

#include <gmock/gmock.h>

#include <cstdio>

namespace credence {
namespace {

using Tasks = std::vector<std::size_t>;

/// What a shell prints for a line.
std::string printed_by_shell(const std::string& line)
{
    std::string text;
    if (FILE* pipe = ::popen(line.c_str(), "r")) {
        for (int c = 0; (c = std::fgetc(pipe)) != EOF;)
            text += static_cast<char>(c);
        ::pclose(pipe);
    }
    return text;
}

TEST(SlurmArray, WordsAreQuotedForTheShell)
{
    for (const std::string text : {"plain/path-1.sh", "two words", "it's", "", "'", "\"$HOME\" `id` \\ * ; & # ~ !",
                                   "two\nlines", "τ = 0.4", "--array=1-3%2", "''\\''"})
        EXPECT_EQ(printed_by_shell("printf '<%s>' " + shell_word(text)), "<" + text + ">") << shell_word(text);
    EXPECT_EQ(shell_word("/out/a-1"), "/out/a-1");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
}

TEST(SlurmArray, TasksAreSingleCellsIfTheClusterAllowsIt)
{
    EXPECT_EQ(slurm_task_count(20, 1000), 20u);
    EXPECT_EQ(slurm_task_count(20, 20), 20u);
    EXPECT_EQ(slurm_task_count(20, 19), 10u);        // two each, not one of two and eighteen of one
    EXPECT_EQ(slurm_task_count(2500, 1000), 834u);   // three each
    EXPECT_EQ(slurm_task_count(10'000, 1), 1u);
    for (std::size_t cells = 1; cells < 60; ++cells)
        for (std::size_t most = 1; most < 70; ++most) {
            const auto tasks = slurm_task_count(cells, most);
            EXPECT_TRUE(tasks >= 1 && tasks <= most && tasks <= cells) << cells << " cells, " << most;
        }
}

TEST(SlurmArray, NumbersInARowAreWrittenAsARange)
{
    EXPECT_EQ(slurm_array_text({1}), "1");
    EXPECT_EQ(slurm_array_text({1, 2, 3, 7, 9, 10}), "1-3,7,9-10");
    EXPECT_EQ(slurm_array_text({2, 4}, 1), "2,4%1");
}

TEST(SlurmArray, ReadsTheLimitOfTheCluster)
{
    EXPECT_EQ(most_slurm_tasks("MaxArraySize            = 1001\n"), 1000u);
    EXPECT_EQ(most_slurm_tasks("Configuration data\nLogLevel = 3\nMaxArraySize            = 20001\nMaxJobCount = 5\n"),
              20000u);
    for (const char* nothing : {"", "MaxJobCount = 5", "MaxArraySize", "MaxArraySize = ", "MaxArraySize = many"})
        EXPECT_EQ(most_slurm_tasks(nothing), 1000u) << nothing;
}

TEST(SlurmArray, FindsItsOwnTasksInTheQueue)
{
    const std::string listing = "22 1 /out/a b/slurm.sh 20\n"
                                "22 7 /out/a b/slurm.sh 20\n"
                                "23 N/A /out/a b/slurm.sh collect\n"
                                "24 1 /out/a b/slurm.sh collect\n"
                                "25 3 /out/other/slurm.sh 20\n"
                                "26 3 /out/a b/slurm.sh2 20\n"
                                "27 0 /out/a b/slurm.sh 20\n"
                                "28 21 /out/a b/slurm.sh 20\n"
                                "29 2\n\n"
                                "30 2 /out/a b/slurm.sh 5";
    EXPECT_EQ(slurm_tasks_in(listing, "/out/a b/slurm.sh"),
              (std::vector<SlurmTask>{{"22", 1, 20}, {"22", 7, 20}, {"30", 2, 5}}));
    EXPECT_TRUE(slurm_tasks_in("", "/out/slurm.sh").empty());
}

TEST(SlurmArray, SubmitsMissingCellsWithoutAUser)
{
    using enum CellState;
    const auto plan = slurm_plan({waiting, done, failed, running, waiting, running}, {{"8", 5, 6}, {"8", 6, 6}}, 1000);
    EXPECT_EQ(plan.tasks, 6u);
    EXPECT_EQ(plan.submit, (Tasks{1, 3}));
    EXPECT_EQ(plan.jobs, std::vector<std::string>{"8"});
    EXPECT_EQ(plan.done, 1u);
    EXPECT_EQ(plan.queued, 2u);   // of which one is running
    EXPECT_EQ(plan.running, 1u);
    EXPECT_EQ(plan.to_run, 2u);

    const auto none = slurm_plan({done, done}, {}, 1000);
    EXPECT_TRUE(none.submit.empty());
    EXPECT_EQ(none.done, 2u);
}

/// Tasks with several cells each, and of another size than those in the queue.
TEST(SlurmArray, EveryMissingCellIsInATask)
{
    const std::vector<CellState> states(20, CellState::waiting);
    const auto plan = slurm_plan(states, {{"8", 2, 7}}, 5);   // the cells 1, 8 and 15 are queued
    EXPECT_EQ(plan.tasks, 5u);
    EXPECT_EQ(plan.queued, 3u);
    EXPECT_EQ(plan.to_run, 17u);
    EXPECT_EQ(plan.submit, (Tasks{1, 2, 3, 4, 5}));

    std::vector<CellState> some(20, CellState::done);
    some[3] = some[13] = some[7] = CellState::failed;
    EXPECT_EQ(slurm_plan(some, {}, 5).submit, (Tasks{3, 4}));   // 7 mod 5, then 3 and 13 mod 5
}

/// Run by a shell, with names that a shell could split.
TEST(SlurmArray, TheScriptCallsTheProgramWithItsPart)
{
    const FreshFolder fresh("slurm it's \"$(exit)\" `x` %A");
    const auto program = fresh.path / "credence's", script = fresh.path / "slurm.sh", out = fresh.path / "out put";
    write_whole(program, "#!/bin/sh\nprintf '[%s]' \"$@\"\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    write_whole(script, slurm_script(program, out, {"--no-figures", "a b"}));
    const std::string call = "sh " + shell_word(script.string()), folder = "[sweep][" + out.string() + "]";
    EXPECT_EQ(printed_by_shell("SLURM_ARRAY_TASK_ID=3 SLURM_CPUS_PER_TASK=4 " + call + " 20"),
              folder + "[--cells][3/20][--jobs][1][--threads][4]");
    EXPECT_EQ(printed_by_shell("unset SLURM_CPUS_PER_TASK; SLURM_ARRAY_TASK_ID=20 " + call + " 20"),
              folder + "[--cells][20/20][--jobs][1][--threads][1]");
    EXPECT_EQ(printed_by_shell("SLURM_CPUS_PER_TASK=2 " + call + " collect"),
              folder + "[--collect][--threads][2][--no-figures][a b]");
    EXPECT_THAT(printed_by_shell("unset SLURM_ARRAY_TASK_ID; " + call + " 20 2>&1"),
                ::testing::HasSubstr("SLURM_ARRAY_TASK_ID: is not set, expected a task of a job array"));
}

}   // namespace
}   // namespace credence
