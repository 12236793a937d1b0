// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <unistd.h>

// `credence sweep --slurm`: with fake programs that record their arguments, and with a real one-node Slurm.
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
namespace fs = std::filesystem;

constexpr auto quickSweep = "sweep toys_20 --quick --no-figures --out ";

void writeProgram(const fs::path& file, const std::string& lines)
{
    std::ofstream(file) << "#!/bin/sh\n" << lines << '\n';
    fs::permissions(file, fs::perms::owner_all);
}

/// A folder with the fake sbatch, squeue and scontrol of the test, and nothing else in PATH.
struct PretendedSlurm {
    explicit PretendedSlurm(const std::string& name) : folder(fs::canonical(freshFolder(name)))
    {
        writeProgram(folder / "sbatch",
                     "{ printf '[%s]' \"$@\"; echo; } >> " + quoted(folder / "calls") + "\necho '41;cluster'");
        writeProgram(folder / "squeue", ":");
        writeProgram(folder / "scontrol", "echo 'MaxArraySize            = 1001'");
    }
    ~PretendedSlurm() { fs::remove_all(folder); }
    PretendedSlurm(const PretendedSlurm&)            = delete;
    PretendedSlurm& operator=(const PretendedSlurm&) = delete;

    Answer sweep(const std::string& arguments) const
    {
        return callAfter("export PATH=" + quoted(folder) + "; ", arguments);
    }
    std::string calls() const { return contentOf(folder / "calls"); }
    fs::path folder;
};

TEST(SlurmSweep, SubmitsTheTasksAndThenTheTables)
{
    const PretendedSlurm slurm("slurm_calls");
    const auto out      = slurm.folder / "two words %A";
    const Answer answer = slurm.sweep(quickSweep + quoted(out)
                                      + " --slurm --threads 3 --jobs 4 --slurm-option --time=01:00:00"
                                      + " --slurm-option=--comment=\"a b\"");
    ASSERT_EQ(answer.status, 0) << answer.error;
    const std::string logs = (slurm.folder / "two words %%A" / "slurm").string(), script = (out / "slurm.sh").string();
    EXPECT_EQ(slurm.calls(),
              "[--parsable][--job-name=toys_20][--array=1-20%4][--output=" + logs
                  + "/%A_%a.log][--cpus-per-task=3][--time=01:00:00][--comment=a b][" + script
                  + "][20]\n[--parsable][--job-name=toys_20-tables][--dependency=afterany:41][--output=" + logs
                  + "/tables_%j.log][--cpus-per-task=3][--time=01:00:00][--comment=a b][" + script + "][collect]\n");
    EXPECT_THAT(answer.out,
                AllOf(StartsWith("Five methods on two moons: 20 cells: 0 done, 20 to run in 20 tasks\n"),
                      HasSubstr("Submitted as job 41; job 41 makes the tables when the tasks have ended.\n"),
                      HasSubstr("squeue --jobs=41,41\n"), HasSubstr("sweep '" + out.string() + "' --collect\n")));
    EXPECT_TRUE(fs::is_directory(out / "slurm"));
    EXPECT_THAT(contentOf(script), HasSubstr(" sweep '" + out.string() + "' --cells "));
    EXPECT_TRUE(fs::exists(out / "sweep.json"));
    EXPECT_FALSE(fs::exists(out / "cells.csv"));
}

TEST(SlurmSweep, SkipsFinishedAndQueuedCells)
{
    const PretendedSlurm slurm("slurm_again");
    const auto out = slurm.folder / "out";
    ASSERT_EQ(call(quickSweep + quoted(out) + " --cells 1/7").status, 0);   // the cells 0, 7 and 14
    writeProgram(slurm.folder / "scontrol", "echo 'MaxArraySize = 8'");     // seven tasks of three cells
    writeProgram(slurm.folder / "squeue",
                 "echo \"12 2 " + (out / "slurm.sh").string() + " 7\"\necho \"13 3 /elsewhere/slurm.sh 7\"");
    const Answer answer = slurm.sweep("sweep " + quoted(out) + " --slurm");
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr(": 20 cells: 3 done, 3 in the queue, 14 to run in 5 tasks\n"));
    EXPECT_THAT(slurm.calls(), AllOf(HasSubstr("[--array=3-7]"), HasSubstr("slurm.sh][7]\n"),
                                     HasSubstr("[--dependency=afterany:12:41]")));

    fs::remove(slurm.folder / "calls");
    writeProgram(slurm.folder / "squeue", "exit 1");
    const Answer fewer = slurm.sweep("sweep " + quoted(out) + " --slurm --slurm-tasks 4");
    EXPECT_THAT(fewer.error, HasSubstr("squeue does not respond"));
    EXPECT_THAT(slurm.calls(), AllOf(HasSubstr("[--array=1-4]"), HasSubstr("slurm.sh][4]\n")));

    fs::remove(slurm.folder / "calls");
    ASSERT_EQ(call("sweep " + quoted(out) + " --no-figures").status, 0);
    const Answer nothing = slurm.sweep("sweep " + quoted(out) + " --slurm");
    EXPECT_EQ(nothing.status, 0);
    EXPECT_THAT(nothing.out,
                AllOf(HasSubstr(": 20 cells: 20 done, 0 to run\nAll cells are done or queued; nothing to submit."),
                      EndsWith(" --collect\n")));
    EXPECT_EQ(slurm.calls(), "");
}

TEST(SlurmSweep, WritesTheScriptWithoutSlurm)
{
    const auto folder   = fs::canonical(freshFolder("slurm_written"));
    const Answer answer = callAfter("export PATH=/nowhere; ", quickSweep + quoted(folder / "a b")
                                                                  + " --slurm --write-only --slurm-option -pfast");
    ASSERT_EQ(answer.status, 0) << answer.error;
    const std::string script = "'" + (folder / "a b" / "slurm.sh").string() + "'";
    EXPECT_THAT(answer.out, AllOf(HasSubstr("nothing was submitted"),
                                  HasSubstr("\n  sbatch --parsable --job-name=toys_20 --array=1-20 '--output="),
                                  HasSubstr(" --cpus-per-task=1 -pfast " + script + " 20\n"),
                                  HasSubstr(" --dependency=afterany:JOB "), EndsWith(script + " collect\n")));
    EXPECT_THAT(contentOf(folder / "a b" / "slurm.sh"), StartsWith("#!/bin/sh\n"));
    fs::remove_all(folder);
}

TEST(SlurmSweep, ReplacesOnlyScriptsOfCredence)
{
    const auto folder       = freshFolder("slurm_own_script");
    const std::string sweep = quickSweep + quoted(folder) + " --slurm --write-only";
    std::ofstream(folder / "slurm.sh") << "#!/bin/sh\nmy own jobs\n";
    const Answer refused = callAfter("export PATH=/nowhere; ", sweep);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.error, HasSubstr("slurm.sh: Credence did not write this file."));
    EXPECT_EQ(contentOf(folder / "slurm.sh"), "#!/bin/sh\nmy own jobs\n");
    EXPECT_EQ(callAfter("export PATH=/nowhere; ", sweep + " --overwrite").status, 0);
    EXPECT_EQ(callAfter("export PATH=/nowhere; ", sweep).status, 0) << "its own script is replaced";
    std::ofstream(folder / "sweep.json") << "{\"mine\": 1}";
    fs::remove(folder / "cells");
    EXPECT_THAT(callAfter("export PATH=/nowhere; ", sweep).error,
                HasSubstr("sweep.json: Credence did not write this file."));
}

TEST(SlurmSweep, ReportsErrors)
{
    const PretendedSlurm slurm("slurm_wrong");
    const auto out     = slurm.folder / "out";
    const auto refused = [&](const std::string& more) {
        const Answer answer = slurm.sweep(quickSweep + quoted(out) + " " + more);
        EXPECT_EQ(answer.status, 2) << more;
        return answer.error;
    };
    EXPECT_EQ(
        refused("--slurm --slurm-option=--array=1-3"),
        "credence: --slurm-option is \"--array=1-3\", but credence decides --array itself, expected another option "
        "of sbatch.\n");
    EXPECT_THAT(refused("--slurm --slurm-option -a1"), HasSubstr("credence decides -a itself"));
    EXPECT_EQ(refused("--slurm --slurm-option time=1"),
              "credence: --slurm-option is \"time=1\", expected one option of sbatch as one word, for example "
              "--time=01:00:00.\n");
    EXPECT_THAT(refused("--write-only"), HasSubstr("--slurm"));
    EXPECT_THAT(refused("--slurm --cells 1/2"), HasSubstr("--cells"));
    EXPECT_THAT(slurm.sweep("sweep toys_20 --slurm --out " + quoted(slurm.folder / "a\\b")).error,
                HasSubstr("a\\b: Slurm cannot use this path, expected a folder without backslashes"));
    EXPECT_FALSE(fs::exists(out));

    const Answer without = callAfter("export PATH=/nowhere; ", quickSweep + quoted(out) + " --slurm");
    EXPECT_EQ(without.status, 2);
    EXPECT_THAT(without.error, StartsWith("credence: sbatch is not in PATH, expected "));
    EXPECT_FALSE(fs::exists(out));

    writeProgram(slurm.folder / "sbatch", "echo 'sbatch: error: Invalid account' >&2; exit 3");
    const Answer failed = slurm.sweep(quickSweep + quoted(out) + " --slurm");
    EXPECT_EQ(failed.status, 1);
    EXPECT_THAT(failed.error, AllOf(StartsWith("sbatch: error: Invalid account\n"),
                                    HasSubstr("credence: sbatch ended with status 3 "), HasSubstr("--array=1-20")));
    writeProgram(slurm.folder / "sbatch", "case $* in *collect) exit 1;; *) echo 41;; esac");
    const Answer half = slurm.sweep(quickSweep + quoted(out) + " --slurm");
    EXPECT_EQ(half.status, 1);
    EXPECT_EQ(half.out.substr(half.out.find('\n') + 1), "Submitted as job 41.\n");
    EXPECT_THAT(half.error, HasSubstr("The tasks are submitted, but the job that makes the tables is not."));
    writeProgram(slurm.folder / "sbatch", "echo 'Submitted!'");
    EXPECT_THAT(slurm.sweep(quickSweep + quoted(out) + " --slurm").error, HasSubstr("sbatch printed \"Submitted!"));
}

/// What a shell prints for a line, and the line's exit status.
Answer printedByShell(const std::string& line)
{
    Answer answer;
    if (FILE* pipe = ::popen(line.c_str(), "re")) {
        for (int c = 0; (c = std::fgetc(pipe)) != EOF;)
            answer.out += static_cast<char>(c);
        answer.status = ::pclose(pipe);
    }
    return answer;
}

template <class Condition>
bool comesTrue(Condition condition, std::chrono::seconds within)
{
    const auto end = std::chrono::steady_clock::now() + within;
    while (std::chrono::steady_clock::now() < end) {
        if (condition())
            return true;
        ::usleep(100'000);
    }
    return condition();
}

/// A Slurm on this machine, see one_node_slurm.sh. It ends with this object, also when the process
/// is killed, because its standard input closes.
class OneNodeSlurm {
public:
    OneNodeSlurm()
        : m_folder(freshFolder("slurm_node")),
          m_standard_input(::popen(
              ("exec bash " + quoted(CREDENCE_ONE_NODE_SLURM) + " " + quoted(m_folder) + " > /dev/null 2>&1").c_str(),
              "we"))
    {
        if (!comesTrue([&] { return fs::exists(m_folder / "state"); }, std::chrono::seconds(25)))
            m_state = "installed, perhaps, but did not start within 25 seconds";
        else
            m_state = contentOf(m_folder / "state");
        m_state.erase(m_state.find_last_not_of('\n') + 1);
    }
    ~OneNodeSlurm()
    {
        if (m_standard_input)
            ::pclose(m_standard_input);
        fs::remove_all(m_folder);
    }
    OneNodeSlurm(const OneNodeSlurm&)            = delete;
    OneNodeSlurm& operator=(const OneNodeSlurm&) = delete;

    const std::string& state() const { return m_state; }   ///< "ready", or why it is not
    std::string exported() const { return "export SLURM_CONF=" + quoted(m_folder / "slurm.conf") + "; "; }
    Answer sweep(const std::string& arguments) const { return callAfter(exported(), arguments); }
    Answer control(const std::string& words) const
    {
        return printedByShell(exported() + "scontrol " + words + " 2>&1");
    }
    /// Waits until all jobs have ended.
    bool emptied() const
    {
        const auto isEmpty = [&] {
            const Answer queue = printedByShell(exported() + "squeue --noheader 2>&1");
            return queue.status == 0 && queue.out.empty();
        };
        return comesTrue(isEmpty, std::chrono::seconds(25));
    }

private:
    fs::path m_folder;
    FILE* m_standard_input;
    std::string m_state;
};

std::string slurmLogs(const fs::path& folder)
{
    std::string all;
    for (const auto& entry : fs::directory_iterator(folder / "slurm"))
        all += entry.path().filename().string() + ":\n" + contentOf(entry.path());
    return all;
}

TEST(SlurmSweep, ARealSlurmMakesTheSameBits)
{
    const OneNodeSlurm slurm;
    if (slurm.state() != "ready")
        GTEST_SKIP() << "Slurm is " << slurm.state();
    const auto folder = freshFolder("slurm_sweep"), alone = folder / "alone", out = folder / "two words %A";
    ASSERT_EQ(call(quickSweep + quoted(alone)).status, 0);
    ASSERT_EQ(call(quickSweep + quoted(out) + " --cells 1/7").status, 0);   // three of twenty are done

    ASSERT_EQ(slurm.control("update PartitionName=all State=DOWN").status, 0);   // jobs wait
    const Answer first = slurm.sweep(quickSweep + quoted(out) + " --slurm");
    ASSERT_EQ(first.status, 0) << first.error;
    EXPECT_THAT(first.out, HasSubstr(": 20 cells: 3 done, 17 to run in 17 tasks\nSubmitted as job "));
    const Answer twice = slurm.sweep("sweep " + quoted(out) + " --slurm");
    EXPECT_THAT(
        twice.out,
        HasSubstr(": 20 cells: 3 done, 17 in the queue, 0 to run\nAll cells are done or queued; nothing to submit."));
    ASSERT_EQ(slurm.control("update PartitionName=all State=UP").status, 0);
    ASSERT_TRUE(slurm.emptied());
    for (const char* table : {"cells.csv", "summary.csv", "comparisons.csv"})
        EXPECT_EQ(contentOf(out / table), contentOf(alone / table)) << table << '\n' << slurmLogs(out);

    // Two cells are lost; the tables must be written again.
    int lost = 0;
    for (const auto& cell : fs::directory_iterator(out / "cells"))
        lost += lost < 2 && fs::remove(cell.path() / "results.json") ? 1 : 0;
    ASSERT_EQ(lost, 2);
    fs::remove(out / "cells.csv");
    fs::remove(out / "summary.csv");
    const Answer again = slurm.sweep("sweep " + quoted(out) + " --slurm --no-figures --slurm-option --time=00:05:00");
    ASSERT_EQ(again.status, 0) << again.error;
    EXPECT_THAT(again.out, HasSubstr(": 20 cells: 18 done, 2 to run in 2 tasks\n"));
    ASSERT_TRUE(slurm.emptied());
    for (const char* table : {"cells.csv", "summary.csv"})
        EXPECT_EQ(contentOf(out / table), contentOf(alone / table)) << table << '\n' << slurmLogs(out);
    fs::remove_all(folder);
}

}   // namespace
