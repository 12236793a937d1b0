// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/finished_run.h"
#include "cli/program.h"
#include "runs/run_with_checkpoints.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>
#include <unistd.h>

// System limits and signals.
namespace {

using namespace credence;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

const std::string longRun = "run xor --set training.steps=1000000000 --no-figures --set prediction.samples=5 ";

TEST(Signals, ALostTerminalAndTheCpuTimeLimitSaveTheStateLikeSigterm)
{
    for (const int signal : {SIGTERM, SIGHUP, SIGXCPU}) {
        const auto folder   = freshFolder("signal_" + std::to_string(signal));
        const Answer answer = callAndSignalAt(longRun + "--checkpoint-every 0.05 --out " + quoted(folder), signal,
                                              folder / "run.credence-progress");
        EXPECT_EQ(answer.status, 130) << signal << answer.error;
        EXPECT_THAT(answer.out, HasSubstr("Run the same command again to continue")) << signal;
        ASSERT_TRUE(interrupted_run(folder)) << signal;
        EXPECT_GT(interrupted_run(folder)->step, 0) << signal;
        EXPECT_EQ(nlohmann::json::parse(contentOf(folder / "results.json")).at("stop"), "cancelled") << signal;
        fs::remove_all(folder);
    }
}

TEST(Signals, UnderNohupALostTerminalChangesNothing)
{
    const auto folder   = freshFolder("nohup");
    const Answer answer = callShell(
        "trap '' HUP; \"$CREDENCE\" run xor --set training.steps=20000 --no-figures "
        "--checkpoint-every 0.05 --out "
        + quoted(folder) + " & program=$!; until [ -e " + quoted(folder / "run.credence-progress")
        + " ] || ! kill -0 $program; do sleep 0.02; done; kill -HUP $program; wait $program");
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_EQ(nlohmann::json::parse(contentOf(folder / "results.json")).at("stop"), "steps_done");
}

TEST(Signals, TheCpuTimeLimitIsNoticedBeforeTheKill)
{
    const auto folder   = freshFolder("cpu");
    const Answer answer = callAfter("ulimit -t 3; ", longRun + "--threads 1 --out " + quoted(folder));
    EXPECT_EQ(answer.status, 130);
    EXPECT_THAT(answer.error, HasSubstr("The CPU time limit is nearly reached (ulimit -t)"));
    ASSERT_TRUE(interrupted_run(folder));
    EXPECT_GT(interrupted_run(folder)->step, 0);
}

TEST(Signals, AClosedPipeDoesNotEndASweep)
{
    const auto folder   = freshFolder("pipe");
    const Answer answer = callShell(
        "\"$CREDENCE\" sweep two_moons_dropout --quick --set training.steps=20 --no-figures --out " + quoted(folder)
        + " | head -1");
    EXPECT_THAT(answer.out, AllOf(HasSubstr("cell "), HasSubstr(" done.")));
    EXPECT_THAT(answer.error, HasSubstr("Standard output could not be written completely"));
    EXPECT_TRUE(fs::exists(folder / "summary.csv")) << "the sweep finished";
}

TEST(Limits, AFileThatGrowsTooLargeGivesAnErrorAndLeavesNoPart)
{
    const auto folder   = freshFolder("file_size");
    const Answer answer = callAfter("ulimit -f 8; ", "figure " + quoted(finishedRun()) + " --view decision_map --to "
                                                         + quoted(folder / "map.png"));
    EXPECT_EQ(answer.status, 1);
    EXPECT_THAT(answer.error, HasSubstr("map.png: the file cannot be written (File too large)."));
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST(Limits, TooFewThreadsGiveAnError)
{
    if (::geteuid() != 0)
        GTEST_SKIP() << "needs root, to become a user who has no other process";
    // Another user cannot enter a private temporary folder, nor perhaps the build folder.
    const fs::path folder = fs::path("/tmp") / ("credence_threads_" + std::to_string(::getpid()));
    fs::remove_all(folder);
    ASSERT_TRUE(fs::create_directory(folder));
    fs::permissions(folder, fs::perms::all);
    fs::copy_file(CREDENCE_PROGRAM, folder / "credence");
    const std::string user = std::to_string(61'200 + ::getpid() % 4'000);   // not that of a test that runs next to it
    const auto run         = [&](const std::string& processes, const std::string& threads) {
        return callShell("exec prlimit --nproc=" + processes + " setpriv --reuid=" + user + " --regid=" + user
                                 + " --clear-groups " + quoted(folder / "credence") + " run xor --threads " + threads
                                 + " --set training.steps=50 --no-figures --out "
                                 + quoted(folder / (processes + "_" + threads)));
    };
    for (const std::string processes : {"1", "2", "6"}) {
        const Answer answer = run(processes, "16");
        EXPECT_EQ(answer.status, 1) << answer.error;
        EXPECT_THAT(answer.error,
                    AllOf(HasSubstr("be started (Resource temporarily unavailable)"), HasSubstr("ulimit -u")))
            << processes;
    }
    const Answer enough = run("6", "2");
    EXPECT_EQ(enough.status, 0) << enough.error;
    fs::remove_all(folder);
}

TEST(Limits, TooFewFilesGiveAnError)
{
    const auto folder = freshFolder("files");
    for (const char* limit : {"5", "8"}) {   // with fewer the loader finds no library
        const Answer answer = callAfter("exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ulimit -n " + std::string(limit)
                                            + "; ",
                                        "run xor --set training.steps=50 --out " + quoted(folder / limit));
        EXPECT_EQ(answer.status, 1) << limit;
        EXPECT_THAT(answer.error, AllOf(HasSubstr("more files can be opened"), HasSubstr("ulimit -n"))) << limit;
        EXPECT_FALSE(fs::exists(folder / limit));
    }
    const Answer enough = callAfter("ulimit -n 24; ", "run xor --set training.steps=50 --out " + quoted(folder / "24"));
    EXPECT_EQ(enough.status, 0) << enough.error;
    EXPECT_TRUE(fs::exists(folder / "24" / "figures" / "decision_map.png"));
}

TEST(Limits, WithoutQtsPluginTheNumbersAreWrittenAndTheMissingFiguresAreNamed)
{
    const auto folder = freshFolder("plugin");
    fs::copy_file(CREDENCE_PROGRAM, folder / "credence");   // Qt looks for qt.conf next to the program
    std::ofstream(folder / "qt.conf") << "[Paths]\nPlugins=/nowhere\n";
    const Answer answer = callShell(quoted(folder / "credence") + " run xor --set training.steps=50 --out "
                                    + quoted(folder / "out"));
    EXPECT_EQ(answer.status, 1);
    EXPECT_THAT(answer.error, AllOf(HasSubstr("Figures cannot be drawn: Qt's platform plugin libqoffscreen.so"),
                                    HasSubstr("--no-figures")));
    EXPECT_THAT(answer.out, HasSubstr("Accuracy"));
    EXPECT_TRUE(fs::exists(folder / "out" / "data" / "decision_map.csv"));
    EXPECT_FALSE(fs::exists(folder / "out" / "figures" / "decision_map.png"));
}

TEST(Limits, ANameOfThreeHundredCharactersIsRejectedWithOneSentence)
{
    const std::string name(300, 'a');
    for (const std::string& arguments :
         {"list " + name, "figure " + name + " --view boxplots --to x.csv",
          "figure " + quoted(finishedRun()) + " --view boxplots --to " + name + ".csv", "run " + name,
          "run xor --out " + name, "sweep " + name, "open " + name, "bridge " + name, "bandit " + name}) {
        const Answer answer = call(arguments);
        EXPECT_EQ(answer.status, 2) << arguments;
        EXPECT_THAT(answer.error, AllOf(::testing::StartsWith("credence: "), HasSubstr(name.substr(0, 20)),
                                        Not(HasSubstr("filesystem error")), Not(HasSubstr("["))))
            << arguments;
    }
}

TEST(Limits, MoreThreadsThanALoopUsesAreReported)
{
    const std::string run = "run xor --set training.steps=5 --no-figures --out " + quoted(freshFolder("sixty_four"));
    EXPECT_THAT(call(run + " --threads 65").error,
                HasSubstr("--threads is 65, but one computation uses at most 64 threads; the others stay idle."));
    EXPECT_EQ(call(run + " --threads 64").error, "");
}

}   // namespace
