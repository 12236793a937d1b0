// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/times_file.h"

#include "foundation/files.h"
#include "results/results.h"
#include "runs/archive.h"
#include "runs/run_with_checkpoints.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <set>
#include <unistd.h>

namespace credence {
namespace {

namespace fs = std::filesystem;

fs::path folder_named(const std::string& name)
{
    const auto folder = fs::path(::testing::TempDir()) / ("credence_times_" + name + "_" + std::to_string(::getpid()));
    fs::remove_all(folder);
    fs::create_directories(folder);
    return folder;
}

/// A trained run of a method whose bridge is timed, with all of its results.
void run_into(const fs::path& folder, const std::string& started)
{
    Study study;
    study.name               = "timed";
    study.data.toy.n         = 60;
    study.network.hidden     = {4};
    study.training.steps     = 20;
    study.prediction.samples = 10;
    const auto experiment    = prepare(study);
    SavedRun run             = recorded_run(*experiment);
    run.started              = started;
    const RunSnapshot end(experiment, run.snapshots.back(), std::make_shared<const TrainingHistory>(run.history));
    keep_run(run, folder);
    ASSERT_TRUE(write_results(run, end, folder).whole);
}

TEST(Times, OfTwoRunsOfOneStudyAreInASeparateFile)
{
    const auto first = folder_named("first"), second = folder_named("second");
    run_into(first, "2026-01-01T00:00:00+0000");
    run_into(second, "2026-01-02T00:00:00+0000");
    std::set<std::string> files, different;
    for (const auto& entry : fs::recursive_directory_iterator(first)) {
        if (!entry.is_regular_file())
            continue;
        const auto name = fs::relative(entry.path(), first).string();
        files.insert(name);
        if (read_file(first / name, "a file") != read_file(second / name, "a file"))
            different.insert(name);
    }
    EXPECT_THAT(files, ::testing::IsSupersetOf({"results.json", "run.credence", "study.json", "times.json",
                                                "data/scores.csv", "data/bridge_scores_table.csv"}));
    EXPECT_THAT(different, ::testing::ElementsAre("times.json"));
    const auto times = nlohmann::json::parse(read_file(first / "times.json", "times"));
    EXPECT_EQ(times.at("started"), "2026-01-01T00:00:00+0000");
    EXPECT_GT(times.at("seconds").get<double>(), 0);
    EXPECT_TRUE(times.at("tables").at("bridge_scores").at(0).contains("time for 10,000 inputs, ms"));
    EXPECT_EQ(read_times(first).started, "2026-01-01T00:00:00+0000");
    fs::remove_all(first);
    fs::remove_all(second);
}

TEST(Times, OfOlderRunsAreReadFromTheirResults)
{
    const auto folder = folder_named("old");
    EXPECT_EQ(read_times(folder).seconds, std::nullopt);
    write_whole(folder / "results.json", R"({"started": "2025-01-01T00:00:00+0000", "seconds": 3.5})");
    EXPECT_EQ(read_times(folder).started, "2025-01-01T00:00:00+0000");
    EXPECT_EQ(read_times(folder).seconds, 3.5);
    write_whole(folder / "times.json", R"({"started": "2026-01-01T00:00:00+0000", "seconds": 4.5})");
    EXPECT_EQ(read_times(folder).seconds, 4.5);
    write_whole(folder / "times.json", "no JSON");
    EXPECT_EQ(read_times(folder).seconds, 3.5);
    fs::remove_all(folder);
}

}   // namespace
}   // namespace credence
