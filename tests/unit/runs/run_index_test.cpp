// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/archive.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace credence {
namespace {

namespace fs = std::filesystem;
using namespace testing;

/// An empty folder of runs and the file of its index.
class RunIndex : public Test {
protected:
    RunIndex() { fs::create_directories(folder); }
    ~RunIndex() override { fs::remove_all(root); }

    fs::path save(const std::string& name, double accuracy = 0.5)
    {
        SavedRun run;
        run.name           = name;
        run.started        = "2026-01-01T10:00:00";
        run.study.note     = "of " + name;
        run.report.stop    = StopReason::steps_done;
        run.report.message = "Done.";
        run.report.steps   = 7;
        run.report.seconds = 2.5;
        run.score          = FinalScore{FinalScore::Metric::accuracy, accuracy};
        const auto file    = folder / (name + ".credence");
        save_run(run, file);
        return file;
    }
    std::vector<ListedRun> listed()
    {
        std::vector<ListedRun> all;
        refused.clear();
        list_runs(folder, index,
                  {.found      = [&](std::vector<ListedRun> some) { std::ranges::move(some, std::back_inserter(all)); },
                   .unreadable = [&](const std::string& sentence) { refused.push_back(sentence); }});
        return all;
    }
    std::vector<std::string> names()
    {
        std::vector<std::string> all;
        for (const auto& run : listed())
            all.push_back(run.summary.name);
        return all;
    }
    /// Damages a file without changing its size and time: only reading it reveals this.
    static void breakInSilence(const fs::path& file)
    {
        const auto time = fs::last_write_time(file);
        {
            std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
            bytes << "no database at all";
        }
        fs::last_write_time(file, time);
    }

    const fs::path root   = fs::path(TempDir()) / ("credence_run_index_" + std::to_string(::getpid()));
    const fs::path folder = root / "runs", index = root / "cache" / "runs.sqlite";
    std::vector<std::string> refused;
};

}   // namespace

TEST_F(RunIndex, ListsAllRunsTheNewestNamesFirst)
{
    for (const char* name : {"a", "c", "b"})
        save(name);
    std::ofstream(folder / "notes.txt") << "no run";
    EXPECT_THAT(names(), ElementsAre("c", "b", "a"));
    EXPECT_THAT(names(), ElementsAre("c", "b", "a")) << "from the index";
}

TEST_F(RunIndex, DescribesEachRunByItsFile)
{
    const auto file = save("a", 0.875);
    for (int time = 0; time < 2; ++time) {   // from the file, then from the index
        const auto all = listed();
        ASSERT_EQ(all.size(), 1U);
        const auto expected = load_run_summary(file);
        EXPECT_EQ(all[0].file, file);
        EXPECT_EQ(all[0].bytes, fs::file_size(file));
        EXPECT_EQ(all[0].summary.name, expected.name);
        EXPECT_EQ(all[0].summary.started, expected.started);
        EXPECT_TRUE(all[0].summary.study == expected.study);
        EXPECT_EQ(all[0].summary.report.stop, expected.report.stop);
        EXPECT_EQ(all[0].summary.report.message, expected.report.message);
        EXPECT_EQ(all[0].summary.report.steps, expected.report.steps);
        EXPECT_EQ(all[0].summary.report.seconds, expected.report.seconds);
        EXPECT_EQ(all[0].summary.score, expected.score);
    }
}

TEST_F(RunIndex, ReadsAFileOnceAndAgainWhenItHasChanged)
{
    const auto file = save("a");
    EXPECT_THAT(names(), ElementsAre("a"));
    breakInSilence(file);
    EXPECT_THAT(names(), ElementsAre("a")) << "the file is not read";
    add_score(save("a"), {FinalScore::Metric::rmse, 3});
    const auto all = listed();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].summary.score, (FinalScore{FinalScore::Metric::rmse, 3}));
}

TEST_F(RunIndex, FilesAreAddedAndRemoved)
{
    const auto a = save("a");
    save("b");
    EXPECT_THAT(names(), ElementsAre("b", "a"));
    fs::remove(a);
    save("c");
    EXPECT_THAT(names(), ElementsAre("c", "b"));
}

TEST_F(RunIndex, AFileThatIsNotARunIsReportedAndTheOthersAreListed)
{
    save("a");
    std::ofstream(folder / "broken.credence") << "text";
    EXPECT_THAT(names(), ElementsAre("a"));
    EXPECT_THAT(refused, ElementsAre(HasSubstr("broken.credence: expected a saved Credence run")));
}

TEST_F(RunIndex, WithoutAnIndexAllIsReadFromTheRuns)
{
    save("a");
    fs::create_directories(index);   // a folder in the place of the file
    EXPECT_THAT(names(), ElementsAre("a"));
    fs::remove_all(index.parent_path());
    std::ofstream(index.parent_path()) << "a file instead of the folder";
    EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(RunIndex, ADamagedIndexIsIgnored)
{
    save("a");
    EXPECT_THAT(names(), ElementsAre("a"));
    {
        std::ofstream(index, std::ios::binary) << std::string(5000, 'x');
    }
    EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(RunIndex, StoppedListingReportsNothingMore)
{
    save("a");
    std::stop_source stop;
    stop.request_stop();
    int found = 0;
    list_runs(folder, index, {.stop = stop.get_token(), .found = [&](const std::vector<ListedRun>&) { ++found; }});
    EXPECT_EQ(found, 0);
    EXPECT_THAT(names(), ElementsAre("a"));
}

}   // namespace credence
