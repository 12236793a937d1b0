// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/finished_run.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "runs/archive.h"
#include "study/presets.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace {

using namespace credence;
using testing::HasSubstr;
using testing::StartsWith;

TEST(RunCommand, WritesStudyResultsRunFiguresAndData)
{
    const auto folder = makeRun("");
    EXPECT_EQ(load_study(folder / "study.json").seed, 7u);
    EXPECT_EQ(load_study(folder / "study.json").training.steps, 200);
    const auto results = nlohmann::json::parse(contentOf(folder / "results.json"));
    EXPECT_EQ(results.at("stop"), "steps_done");
    EXPECT_EQ(results.at("steps"), 200);
    EXPECT_EQ(results.at("data").at("test_rows"), 40);
    EXPECT_FALSE(results.at("scores").empty());
    const SavedRun run = load_run(folder / "run.credence");
    EXPECT_EQ(run.snapshots.back()->point.step, 200);
    EXPECT_TRUE(run.history.back().test_error.has_value());
    for (const char* view : {"decision_map", "boxplots", "training_curves"}) {
        EXPECT_THAT(contentOf(folder / "data" / (std::string(view) + ".csv")), StartsWith("# credence-study begin"));
        EXPECT_THAT(contentOf(folder / "figures" / (std::string(view) + ".pdf")), StartsWith("%PDF"));
        EXPECT_THAT(contentOf(folder / "figures" / (std::string(view) + ".png")), StartsWith("\x89PNG"));
        EXPECT_THAT(contentOf(folder / "figures" / (std::string(view) + ".svg")), HasSubstr("<svg"));
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        EXPECT_THAT(entry.path().filename().string(), testing::Not(HasSubstr(".credence-part-")));
}

TEST(RunCommand, TestsOnTheRowsThatAFileNextToTheStudyLists)
{
    const auto folder = freshFolder("listed_rows");
    std::ofstream table(folder / "table.csv");
    table << "id,x,y\n";
    for (int i = 0; i < 20; ++i)
        table << i + 1 << ',' << i << ".5," << 2 * i << ".25\n";
    table.close();
    std::ofstream(folder / "index_test_0.txt") << "3\n17\n11\n";
    std::ofstream(folder / "study.json") << R"({"data": {"source": "csv", "file": "table.csv", "columns": "x"},
        "split": {"kind": "file", "test_rows": "index_test_0.txt"}, "training": {"steps": 5}})";
    const Answer answer = call("run " + quoted(folder / "study.json") + " --no-figures --out "
                               + quoted(folder / "out"));
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_EQ(nlohmann::json::parse(contentOf(folder / "out" / "results.json")).at("data").at("test_rows"), 3);
    const Answer rows = call("data describe " + quoted(folder / "table.csv"));
    ASSERT_EQ(rows.status, 0) << rows.error;
    EXPECT_THAT(rows.out,
                testing::AllOf(StartsWith("20 rows\n"), HasSubstr("numbers the rows"), HasSubstr("0.5 to 19.5")));
}

TEST(RunCommand, TrainsLeNetOnDigitsThatItDrawsItself)
{
    const auto folder   = freshFolder("strokes") / "run";
    const Answer answer = call(
        "run stroke_digits_lenet_tridiagonal --set data.training_images=340 --set data.validation_images=40 --set "
        "data.test_images=60 --set network.units=20 --set training.steps=30 "
        "--set training.learning_rate=0.001 --set prediction.samples=5 --no-figures --out "
        + quoted(folder));
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(
        answer.out,
        HasSubstr("Stroke digits, τ and correlation ρ: 300 training, 40 validation and 60 test images, seed 1\n"));
    EXPECT_THAT(answer.out, testing::AllOf(HasSubstr("Validation set"), HasSubstr("Test set")));
    const auto results = nlohmann::json::parse(contentOf(folder / "results.json"));
    EXPECT_EQ(results.at("scores").at(0), nlohmann::json({{"score", "Inputs"}, {"value", 60}, {"unit", ""}}));
    EXPECT_EQ(results.at("validation_scores").at(0).at("value"), 40);
    EXPECT_EQ(results.at("data").at("image"), nlohmann::json({1, 28, 28}));
    EXPECT_EQ(results.at("data").at("name"), "Stroke digits");
    EXPECT_EQ(results.at("layers").size(), 8u);
    EXPECT_EQ(results.at("layers").at(0).at("block"), "conv 1 weights");
    EXPECT_EQ(results.at("network").at("layers"), "conv 20 5, max 2, conv 50 5, max 2, dense 20, relu, dense 10");
    EXPECT_THAT(contentOf(folder / "data" / "confusion.csv"), HasSubstr("# credence-study begin"));
    const SavedRun run = load_run(folder / "run.credence");
    EXPECT_EQ(run.study.data.source, DataSource::strokes);
    EXPECT_EQ(run.snapshots.back()->posterior->layout().blocks.size(), 8u);
}

TEST(RunCommand, StatesHowToGetAMissingDataSet)
{
    const Answer answer = call("run mnist_lenet_point --set data.set=no-such-set --out "
                               + quoted(freshFolder("missing") / "run"));
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(
        answer.error,
        testing::AllOf(
            HasSubstr("There is no data set “no-such-set” installed, expected one of stroke-digits, stroke-letters"),
            HasSubstr("“credence data list”")));
}

TEST(RunCommand, TheNumbersDoNotDependOnTheThreads)
{
    const auto folder = freshFolder("threads");
    for (const char* threads : {"1", "2", "7"})
        ASSERT_EQ(call("run xor --set training.steps=100 --no-figures --threads " + std::string(threads) + " --out "
                       + quoted(folder / threads))
                      .status,
                  0);
    const auto parameters = [&](const char* threads) {
        const auto run  = load_run(folder / threads / "run.credence");
        const auto last = run.snapshots.back()->posterior->numbers();
        return std::vector<float>(last.begin(), last.end());
    };
    EXPECT_TRUE(parameters("2") == parameters("1"));
    EXPECT_TRUE(parameters("7") == parameters("1"));
    EXPECT_EQ(contentOf(folder / "7/data/decision_map.csv"), contentOf(folder / "1/data/decision_map.csv"));
    EXPECT_FALSE(std::filesystem::exists(folder / "1/figures"));
}

TEST(RunCommand, CtrlCKeepsTheLastSnapshotAndExits130)
{
    const auto folder   = freshFolder("interrupted");
    const Answer answer = callAndInterruptAt(
        "run xor --set training.steps=1000000000 --no-figures --checkpoint-every 0.05 --out " + quoted(folder),
        folder / "run.credence-progress");
    EXPECT_EQ(answer.status, 130) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("stopped"));
    EXPECT_EQ(nlohmann::json::parse(contentOf(folder / "results.json")).at("stop"), "cancelled");
    const SavedRun run = load_run(folder / "run.credence");
    EXPECT_GT(run.snapshots.back()->point.step, 0);
}

/// Tables of this many draws take very long; the rest of the run is short.
TEST(RunCommand, TheFirstCtrlCEndsTablesAndFiguresToo)
{
    const auto folder   = freshFolder("interrupted_writing");
    const Answer answer = callAndInterruptAt("run xor --set training.steps=5 --set prediction.samples=100000 --out "
                                                 + quoted(folder),
                                             folder / "run.credence");
    EXPECT_EQ(answer.status, 130) << answer.error;
    EXPECT_THAT(answer.error, HasSubstr("Cancelled"));
    EXPECT_EQ(load_run(folder / "run.credence").report.steps, 5);
    EXPECT_FALSE(std::filesystem::exists(folder / "figures" / "boxplots.pdf"));
}

TEST(RunCommand, TwoRunsOfOneStudyWriteTheSameBytes)
{
    const auto folder = freshFolder("twice");
    const auto bytes  = [&](const char* name) {
        EXPECT_EQ(call("run xor --set training.steps=3000 --no-figures --out " + quoted(folder / name)).status, 0);
        return contentOf(folder / name / "run.credence");
    };
    const std::string first = bytes("first");
    EXPECT_GT(first.size(), 10'000u);
    EXPECT_TRUE(bytes("second") == first);
    EXPECT_GT(load_run(folder / "first" / "run.credence").snapshots.size(), 100u);
}

TEST(RunCommand, AFolderIsCheckedBeforeTraining)
{
    const auto folder = freshFolder("tested");
    std::ofstream(folder / "file") << "mine";
    const std::string endless = "run xor --set training.steps=1000000000 --no-figures --out ";
    Answer answer             = call(endless + quoted(folder / "file"));
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.error, HasSubstr("file: the folder cannot be created (Not a directory)."));
    const OutputFolder taken(folder / "taken");
    answer = call(endless + quoted(taken.path()));
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.error,
                HasSubstr("taken: another run of Credence is writing there, expected a separate folder."));
}

TEST(RunCommand, AFullDiskExitsOneAndLeavesNoPartOfAFile)
{
    const auto folder   = freshFolder("full");
    const auto data     = freshFolder("full_data");
    const Answer answer = callAfter("export XDG_DATA_HOME=" + quoted(data) + "; ulimit -f 16; ",
                                    "run xor --set training.steps=500 --no-figures --out " + quoted(folder));
    EXPECT_EQ(answer.status, 1);
    EXPECT_THAT(answer.error,
                testing::ContainsRegex("^credence: .*run.credence: the run cannot be written \\(.*\\)\\.\n"));
    EXPECT_THAT(answer.error, HasSubstr("only the scores above remain"));
    EXPECT_THAT(answer.out, HasSubstr("Accuracy"));
    EXPECT_TRUE(std::filesystem::is_empty(data / "credence" / "rescued"));
    std::vector<std::string> left;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        left.push_back(entry.path().filename());
    EXPECT_THAT(left, testing::IsEmpty()) << "the same command succeeds once there is space again";
}

TEST(CommandLine, AnUnwritableStandardOutputIsAFailure)
{
    EXPECT_EQ(call("list > /dev/full 2> /dev/null; true").status, 1);   // the program replaces the shell
    EXPECT_EQ(call("--help > /dev/full 2> /dev/null; true").status, 1);
}

TEST(CommandLine, AnErrorIsOneLine)
{
    for (const char* arguments : {"run \"$(printf 'no\\nsuch')\"", "run xor --set \"$(printf 'a\\nb=1')\"",
                                  "run xor --no-\"$(printf 'such\\noption')\"", "run /dev/full"}) {
        const std::string error = call(arguments).error;
        EXPECT_THAT(error, StartsWith("credence: "));
        EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
    }
}

TEST(RunCommand, ANonFiniteLossExitsOneAndStatesWhere)
{
    const auto folder   = freshFolder("exploding");
    const Answer answer = call(
        "run cubic --set training.optimizer=sgd --set training.learning_rate=1000 --set training.schedule=constant "
        "--no-figures --out "
        + quoted(folder));
    EXPECT_EQ(answer.status, 1);
    EXPECT_THAT(answer.error, StartsWith("credence: "));
    EXPECT_THAT(answer.error, HasSubstr("step"));
    EXPECT_EQ(nlohmann::json::parse(contentOf(folder / "results.json")).at("stop"), "not_finite");
}

TEST(RunCommand, AFolderThatCannotBeCreatedIsReported)
{
    const auto folder = freshFolder("blocked");
    ASSERT_EQ(call("run xor --set training.steps=5 --no-figures --out " + quoted(folder / "a")).status, 0);
    const Answer answer = call("run xor --set training.steps=5 --no-figures --out " + quoted(folder / "a/study.json"));
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.error, HasSubstr("the folder cannot be created"));
}

TEST(ListCommand, NamesTheRunsInAFolderWithTheirTimes)
{
    const auto times = nlohmann::json::parse(contentOf(finishedRun() / "times.json"));
    EXPECT_THAT(call("list " + quoted(finishedRun().parent_path())).out,
                testing::ContainsRegex("run  XOR +" + times.at("started").get<std::string>().substr(0, 19)));
}

TEST(RunCommand, Mushrooms)
{
    const char* data = std::getenv("CREDENCE_DATA_DIR");
    const auto file  = std::filesystem::path(data ? data : "") / "mushroom/agaricus-lepiota.data";
    if (!data || !std::filesystem::exists(file))
        GTEST_SKIP() << "mushroom/agaricus-lepiota.data: set CREDENCE_DATA_DIR to the folder that holds it";
    const auto folder   = freshFolder("mushrooms");
    const Answer answer = call("run " CREDENCE_EXAMPLES "/mushrooms.json --set data.file=" + quoted(file)
                               + " --no-figures --out " + quoted(folder));
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("6499 training and 1625 test rows"));
    const auto results = nlohmann::json::parse(contentOf(folder / "results.json"));
    for (const auto& row : results.at("scores"))
        if (row.at("score") == "Accuracy") {
            EXPECT_GE(row.at("value").get<double>(), 0.995);
            return;
        }
    FAIL() << "results.json contains no accuracy";
}

}   // namespace
