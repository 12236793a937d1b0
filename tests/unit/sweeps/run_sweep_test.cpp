// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/files.h"
#include "sweeps/run_sweep.h"
#include "unit/sweeps/small_sweep.h"

#include <nlohmann/json.hpp>

#include <map>

namespace credence {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

/// The tables of a sweep in a folder.
std::string tables_in(const Sweep& sweep, const SweepFolder& folder)
{
    const auto results = collect_sweep(sweep, cells_of(sweep), folder);
    return to_csv(cells_table(results)) + to_csv(summary_table(results));
}

TEST(RunSweep, RunsEachCellOnceWithTheSameResultForAnyNumberOfJobs)
{
    const FreshFolder one("one_job"), three("three_jobs");
    const Sweep sweep = small_sweep(R"({"posterior.family": ["mean_field", "layer_scale"], "seed": [1, 2]})");
    const auto cells  = cells_of(sweep);
    std::map<std::string, int> ended;
    SweepEvents events;
    events.changed = [&](const SweepCell& cell, const CellStatus& status) {
        ended[cell.hash] += status.state == CellState::done ? 1 : 0;
    };
    const SweepFolder folder(one.path);
    const auto report = run_sweep(sweep, cells, folder, {.jobs = 1, .threads = 1}, {}, events);
    EXPECT_EQ(report.done, 4u);
    EXPECT_EQ(report.done_before, 0u);
    EXPECT_FALSE(report.cancelled);
    EXPECT_THAT(report.failed, IsEmpty());
    for (const auto& cell : cells) {
        EXPECT_EQ(ended[cell.hash], 1);
        for (const char* file : {"study.json", "run.credence", "results.json"})
            EXPECT_TRUE(fs::exists(folder.cell(cell.hash) / file)) << file;
        EXPECT_FALSE(fs::exists(folder.cell(cell.hash) / "data"));
    }
    run_sweep(sweep, cells, SweepFolder(three.path), {.jobs = 3, .threads = 3});
    EXPECT_EQ(tables_in(sweep, SweepFolder(three.path)), tables_in(sweep, folder));
    EXPECT_EQ(read_file(folder.cell(cells[3].hash) / "run.credence", "a run"),
              read_file(SweepFolder(three.path).cell(cells[3].hash) / "run.credence", "a run"));

    // Finished cells stay unchanged, byte for byte, including their times.
    const auto before = read_file(folder.cell(cells[0].hash) / "results.json", "results");
    fs::remove(folder.cell(cells[1].hash) / "results.json");
    const auto again = run_sweep(sweep, cells, folder, {.jobs = 2});
    EXPECT_EQ(again.done_before, 3u);
    EXPECT_EQ(again.done, 1u);
    EXPECT_EQ(read_file(folder.cell(cells[0].hash) / "results.json", "results"), before);
}

TEST(RunSweep, KeepsOnlyTheRequestedFiles)
{
    const FreshFolder fresh("keep");
    Sweep sweep      = small_sweep(R"({"seed": [1]})");
    sweep.keep       = {.archive = false, .views = {"confusion", "regression_band"}};
    const auto cells = cells_of(sweep);
    const SweepFolder folder(fresh.path);
    run_sweep(sweep, cells, folder);
    const auto place = folder.cell(cells[0].hash);
    EXPECT_TRUE(fs::exists(place / "study.json"));
    EXPECT_FALSE(fs::exists(place / "run.credence"));
    EXPECT_TRUE(fs::exists(place / "data" / "confusion.csv"));
    EXPECT_THAT(read_file(place / "results.json", "results"), HasSubstr("\"left_out\""));   // classes have no band
    EXPECT_TRUE(load_study(place / "study.json") == cells[0].study);
}

TEST(RunSweep, MissingDataFilesAreRefusedBeforeAnyRun)
{
    const FreshFolder place("missing_files");
    const auto sentence = [&](const std::string& settings, const std::string& axes = R"({"seed": [1, 2]})") {
        const Sweep sweep = sweep_from_text(R"({"base": "xor", "set": {)" + settings + R"(}, "axes": )" + axes + "}",
                                            "missing.json", place.path);
        return sentence_thrown_by([&] { run_sweep(sweep, cells_of(sweep), SweepFolder(place.path / "out")); });
    };
    const auto at = [&](const char* name) { return (place.path / name).lexically_normal().string(); };
    EXPECT_THAT(sentence(R"("data.source": "csv", "data.file": "uci/yacht/data.txt")"),
                AllOf(HasSubstr(at("uci/yacht/data.txt") + " does not exist. Copy the folders in UCI_Datasets"),
                      HasSubstr("CREDENCE_DATA_DIR")));
    EXPECT_THAT(sentence(R"("data.source": "csv", "data.file": "mine.csv")"),
                HasSubstr(at("mine.csv") + " does not exist. Copy the table there"));
    write_whole(place.path / "mine.csv", "x,y\n1,2\n3,4\n5,6\n7,8\n");
    write_whole(place.path / "rows_0.txt", "1\n");
    EXPECT_THAT(sentence(R"("data.source": "csv", "data.file": "mine.csv", "split.kind": "file")",
                         R"({"split.test_rows": ["rows_0.txt", "rows_1.txt"]})"),
                HasSubstr(at("rows_1.txt") + " does not exist. Copy the file of row numbers there"));
    EXPECT_THAT(sentence(R"("data.source": "images", "data.set": "/nowhere/pictures")"),
                HasSubstr("There is no folder or .npz file “/nowhere/pictures”"));
    EXPECT_THAT(sentence(R"("data.source": "images", "data.set": "no-such-set")"),
                HasSubstr("There is no data set “no-such-set” installed"));
    EXPECT_FALSE(std::filesystem::exists(place.path / "out" / "sweep.json"));
}

TEST(RunSweep, FilesOfFinishedCellsCanBeMissing)
{
    const FreshFolder place("files_of_finished_cells");
    std::string rows = "x,y\n";
    for (int i = 0; i < 40; ++i)
        rows += std::to_string(i) + (i < 20 ? ",low\n" : ",high\n");
    write_whole(place.path / "mine.csv", rows);
    const Sweep sweep = small_sweep(R"({"data.source": ["csv"], "data.file": [")" + (place.path / "mine.csv").string()
                                    + R"("]})");
    const SweepFolder folder(place.path / "out");
    EXPECT_EQ(run_sweep(sweep, cells_of(sweep), folder).done, 1u);
    fs::remove(place.path / "mine.csv");
    EXPECT_EQ(run_sweep(sweep, cells_of(sweep), folder).done_before, 1u);
}

TEST(RunSweep, AFailedCellDoesNotAffectOthersAndIsRetried)
{
    const FreshFolder fresh("fails");
    const Sweep sweep = small_sweep(R"({"prediction.points": ["", ")" + (fresh.path / "points.csv").string()
                                    + R"("]})");
    const auto cells  = cells_of(sweep);
    const SweepFolder folder(fresh.path / "out");
    const auto report = run_sweep(sweep, cells, folder, {.jobs = 2});
    EXPECT_EQ(report.done, 1u);
    ASSERT_EQ(report.failed.size(), 1u);
    EXPECT_EQ(report.failed[0].first, 1u);
    EXPECT_THAT(report.failed[0].second, HasSubstr("points.csv"));
    EXPECT_FALSE(report.cancelled);
    EXPECT_EQ(folder.status(cells[1].hash).state, CellState::failed);
    EXPECT_EQ(folder.status(cells[1].hash).sentence, report.failed[0].second);

    write_whole(fresh.path / "points.csv", "x1,x2\n0,0\n");
    const auto again = run_sweep(sweep, cells, folder);
    EXPECT_EQ(again.done, 1u);
    EXPECT_THAT(again.failed, IsEmpty());
    EXPECT_EQ(folder.status(cells[1].hash).state, CellState::done);
    EXPECT_FALSE(fs::exists(folder.cell(cells[1].hash) / "failed.json"));
}

TEST(RunSweep, CellsOfAnotherBuildAreMixedOnlyOnRequest)
{
    const FreshFolder fresh("builds");
    const Sweep sweep = small_sweep(R"({"seed": [1, 2, 3]})");
    const auto cells  = cells_of(sweep);
    const SweepFolder folder(fresh.path);
    set_commit("aaaaaaaaaaaa");
    run_sweep(sweep, std::span(cells).first(2), folder);
    set_commit("");
    EXPECT_EQ(run_sweep(sweep, std::span(cells).first(2), folder).done_before, 2u) << "nothing is left to mix";
    EXPECT_THAT(sentence_thrown_by([&] { run_sweep(sweep, cells, folder); }),
                ::testing::AllOf(HasSubstr("contains 2 of 3 cells by another build, Credence "),
                                 HasSubstr("commit aaaaaaaaaaaa"), HasSubstr("--mix-builds")));
    EXPECT_FALSE(fs::exists(folder.cell(cells[2].hash) / "results.json"));

    const auto report = run_sweep(sweep, cells, folder, {.mix_builds = true});
    EXPECT_EQ(report.done_before, 2u);
    EXPECT_EQ(report.done, 1u);
    write_sweep_results(collect_sweep(sweep, cells, folder), fresh.path);
    const auto builds = nlohmann::json::parse(read_file(fresh.path / "provenance.json", "builds")).at("builds");
    ASSERT_EQ(builds.size(), 2u);
    EXPECT_EQ(builds.at(0).at("commit"), "aaaaaaaaaaaa");
    EXPECT_EQ(builds.at(0).at("cells"), 2);
    EXPECT_FALSE(builds.at(1).contains("commit"));
    EXPECT_EQ(builds.at(1).at("cells"), 1);
}

TEST(RunSweep, ResultsWithoutABuildAreComputedAgain)
{
    const FreshFolder fresh("old");
    const Sweep sweep = small_sweep(R"({"seed": [1]})");
    const auto cells  = cells_of(sweep);
    const SweepFolder folder(fresh.path);
    run_sweep(sweep, cells, folder);
    const auto file  = folder.cell(cells[0].hash) / "results.json";
    auto json        = nlohmann::json::parse(read_file(file, "results"));
    const auto whole = json;
    json.erase("provenance");
    write_whole(file, json.dump());
    EXPECT_EQ(run_sweep(sweep, cells, folder).done, 1u);
    EXPECT_EQ(nlohmann::json::parse(read_file(file, "results")), whole) << "the same numbers, and no wall time";
}

TEST(RunSweep, StopsAndContinues)
{
    const FreshFolder fresh("stops");
    Sweep sweep      = small_sweep(R"({"seed": [1, 2, 3]})");
    const auto cells = cells_of(sweep);
    const SweepFolder folder(fresh.path);
    std::stop_source source;
    SweepEvents events;
    events.changed = [&](const SweepCell& cell, const CellStatus& status) {
        if (cell.index == 0 && status.state == CellState::done)
            source.request_stop();
    };
    const auto report = run_sweep(sweep, cells, folder, {.jobs = 1}, source.get_token(), events);
    EXPECT_TRUE(report.cancelled);
    EXPECT_EQ(report.done, 1u);
    EXPECT_EQ(folder.status(cells[2].hash).state, CellState::waiting);
    EXPECT_EQ(run_sweep(sweep, cells, folder).done, 2u);
}

TEST(RunSweep, WaitsForACellOfAnotherProcessAndTakesItOverWhenThatEnds)
{
    const FreshFolder fresh("waits");
    const Sweep sweep = small_sweep(R"({"seed": [1, 2]})");
    const auto cells  = cells_of(sweep);
    const SweepFolder folder(fresh.path);
    auto claim = folder.claim(cells[0].hash);
    ASSERT_NE(claim, nullptr);
    SweepEvents events;
    events.changed =
        [&](const SweepCell& cell, const CellStatus& status) {   // the other process dies when everything else is done
        if (cell.index == 1 && status.state == CellState::done)
            claim.reset();
    };
    const auto report = run_sweep(sweep, cells, folder, {.jobs = 1}, {}, events);
    EXPECT_EQ(report.done, 2u);
    EXPECT_EQ(folder.status(cells[0].hash).state, CellState::done);
}

TEST(RunSweep, StopsWhileItWaitsForAnother)
{
    const FreshFolder fresh("stops_waiting");
    const Sweep sweep = small_sweep(R"({"seed": [1]})");
    const auto cells  = cells_of(sweep);
    const SweepFolder folder(fresh.path);
    const auto claim = folder.claim(cells[0].hash);
    std::stop_source source;
    SweepEvents events;
    int reported   = 0;
    events.changed = [&](const SweepCell&, const CellStatus& status) {
        reported += status.state == CellState::running ? 1 : 0;   // as it was found, and when a job wanted it
        if (reported == 2)
            source.request_stop();
    };
    EXPECT_TRUE(run_sweep(sweep, cells, folder, {}, source.get_token(), events).cancelled);
    EXPECT_EQ(reported, 2);
}

}   // namespace
}   // namespace credence
