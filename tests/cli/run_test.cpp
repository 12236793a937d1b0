// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"
#include "foundation/error.h"
#include "foundation/output_folder.h"
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
using testing::IsEmpty;
using testing::StartsWith;

/// A short run, made once for all tests that look at one.
const std::filesystem::path& finishedRun()
{
    static const auto folder = [] {
        const auto made     = freshFolder("finished") / "run";
        const Answer answer = call("run xor --set training.steps=200 --set prediction.samples=20 --seed 7 --out '"
                                   + made.string() + "'");
        EXPECT_EQ(answer.status, 0) << answer.error;
        EXPECT_THAT(answer.error, IsEmpty()) << "quiet without a terminal";
        EXPECT_THAT(answer.out, HasSubstr("XOR: 160 training and 40 test rows, seed 7\n"));
        EXPECT_THAT(answer.out, HasSubstr("200 steps in "));
        EXPECT_THAT(answer.out, HasSubstr("Accuracy"));
        return made;
    }();
    return folder;
}

TEST(RunCommand, LeavesStudyResultsRunFiguresAndData)
{
    const auto& folder = finishedRun();
    EXPECT_EQ(load_study(folder / "study.json").seed, 7u);
    EXPECT_EQ(load_study(folder / "study.json").training.steps, 200);
    const auto results = nlohmann::json::parse(contentOf(folder / "results.json"));
    EXPECT_EQ(results.at("stop"), "steps_done");
    EXPECT_EQ(results.at("steps"), 200);
    EXPECT_EQ(results.at("data").at("test_rows"), 40);
    EXPECT_FALSE(results.at("scores").empty());
    const KeptRun run = load_run(folder / "run.credence");
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

TEST(RunCommand, TrainsLeNetOnDigitsThatItDrawsItself)
{
    const auto folder   = freshFolder("strokes") / "run";
    const Answer answer = call(
        "run stroke_digits_lenet_tridiagonal --set data.training_images=300 --set data.test_images=60 --set network.units=20 --set training.steps=30 "
        "--set training.learning_rate=0.001 --set prediction.samples=5 --out "
        + quoted(folder));
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("Stroke digits, τ and correlation ρ: 300 training and 60 test images, seed 1\n"));
    const auto results = nlohmann::json::parse(contentOf(folder / "results.json"));
    EXPECT_EQ(results.at("data").at("image"), nlohmann::json({1, 28, 28}));
    EXPECT_EQ(results.at("data").at("name"), "Stroke digits");
    EXPECT_EQ(results.at("layers").size(), 8u);
    EXPECT_EQ(results.at("layers").at(0).at("block"), "conv 1 weights");
    EXPECT_EQ(results.at("network").at("layers"), "conv 20 5, max 2, conv 50 5, max 2, dense 20, relu, dense 10");
    EXPECT_THAT(contentOf(folder / "figures" / "confusion.svg"), HasSubstr("<svg"));
    const KeptRun run = load_run(folder / "run.credence");
    EXPECT_EQ(run.study.data.source, DataSource::strokes);
    EXPECT_EQ(run.snapshots.back()->posterior->layout().blocks.size(), 8u);
}

TEST(RunCommand, SaysHowToGetADataSetThatIsMissing)
{
    const Answer answer = call("run mnist_lenet_point --set data.set=no-such-set --out "
                               + quoted(freshFolder("missing") / "run"));
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(
        answer.error,
        testing::AllOf(
            HasSubstr("There is no data set “no-such-set” at hand, expected one of stroke-digits, stroke-letters"),
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
    const Answer answer = callAndInterrupt(
        "run xor --set training.steps=1000000000 --no-figures --out " + quoted(folder), 1.5);
    EXPECT_EQ(answer.status, 130) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("cancelled"));
    EXPECT_EQ(nlohmann::json::parse(contentOf(folder / "results.json")).at("stop"), "cancelled");
    const KeptRun run = load_run(folder / "run.credence");
    EXPECT_GT(run.snapshots.back()->point.step, 0);
}

/// Tables of so many draws take longer than anybody waits; the rest of the run is short.
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

TEST(RunCommand, TwoRunsOfOneStudyLeaveTheSameBytes)
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

TEST(RunCommand, AFolderIsTestedBeforeTheTraining)
{
    const auto folder = freshFolder("tested");
    std::ofstream(folder / "file") << "mine";
    const std::string endless = "run xor --set training.steps=1000000000 --no-figures --out ";
    Answer answer             = call(endless + quoted(folder / "file"));
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.error, HasSubstr("file: the folder cannot be made (Not a directory)."));
    const OutputFolder taken(folder / "taken");
    answer = call(endless + quoted(taken.path()));
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.error,
                HasSubstr("taken: another run of Credence is writing there, expected a folder of its own."));
}

TEST(RunCommand, AFullDiskExitsOneAndLeavesNoPartOfAFile)
{
    const auto folder   = freshFolder("full");
    const Answer answer = callWithSmallFiles("run xor --set training.steps=500 --no-figures --out " + quoted(folder),
                                             8192);
    EXPECT_EQ(answer.status, 1);
    EXPECT_THAT(answer.error,
                testing::ContainsRegex("^credence: .*run.credence: the run cannot be written \\(.*\\)\\.\n$"));
    std::vector<std::string> left;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        left.push_back(entry.path().filename());
    EXPECT_THAT(left, testing::ElementsAre("study.json"));
}

TEST(FigureCommand, AFullDiskExitsOneAndLeavesNoPartOfAFile)
{
    const auto folder = freshFolder("full_figure");
    for (const char* name : {"map.pdf", "map.svg", "map.png", "map.csv"}) {
        const Answer answer = callWithSmallFiles(
            "figure " + quoted(finishedRun()) + " --view decision_map --to " + quoted(folder / name), 4096);
        EXPECT_EQ(answer.status, 1);
        EXPECT_THAT(answer.error, HasSubstr(std::string(name) + ": the file cannot be written ("));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(CommandLine, AStandardOutputThatTakesNothingIsAFailure)
{
    EXPECT_EQ(call("list > /dev/full 2> /dev/null; true").status, 1);   // the program replaces the shell
    EXPECT_EQ(call("--help > /dev/full 2> /dev/null; true").status, 1);
}

TEST(CommandLine, ASentenceIsOneLine)
{
    for (const char* arguments : {"run \"$(printf 'no\\nsuch')\"", "run xor --set \"$(printf 'a\\nb=1')\"",
                                  "run xor --no-\"$(printf 'such\\noption')\"", "run /dev/full"}) {
        const std::string error = call(arguments).error;
        EXPECT_THAT(error, StartsWith("credence: "));
        EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
    }
}

TEST(RunCommand, ALossThatIsNotFiniteExitsOneAndSaysWhere)
{
    const auto folder   = freshFolder("exploding");
    const Answer answer = call(
        "run cubic --set training.optimizer=sgd --set training.learning_rate=1000 --set training.schedule=constant --no-figures --out "
        + quoted(folder));
    EXPECT_EQ(answer.status, 1);
    EXPECT_THAT(answer.error, StartsWith("credence: "));
    EXPECT_THAT(answer.error, HasSubstr("step"));
    EXPECT_EQ(nlohmann::json::parse(contentOf(folder / "results.json")).at("stop"), "not_finite");
}

TEST(RunCommand, AFolderThatCannotBeMadeIsNamed)
{
    const auto folder = freshFolder("blocked");
    ASSERT_EQ(call("run xor --set training.steps=5 --no-figures --out " + quoted(folder / "a")).status, 0);
    const Answer answer = call("run xor --set training.steps=5 --no-figures --out " + quoted(folder / "a/study.json"));
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.error, HasSubstr("the folder cannot be made"));
}

TEST(ListCommand, NamesTheRunsInAFolderWithTheirTimes)
{
    const auto results = nlohmann::json::parse(contentOf(finishedRun() / "results.json"));
    EXPECT_THAT(call("list " + quoted(finishedRun().parent_path())).out,
                testing::ContainsRegex("run  XOR +" + results.at("started").get<std::string>().substr(0, 19)));
}

TEST(FigureCommand, DrawsAViewOfAKeptRunByItsSuffix)
{
    const auto folder = freshFolder("figures");
    for (const auto& [suffix, begin] : {std::pair{"pdf", "%PDF"},
                                        {"png", "\x89PNG"},
                                        {"svg", "<?xml"},
                                        {"csv", "# credence-study begin"},
                                        {"tex", "% credence-study begin"}}) {
        const auto file     = folder / (std::string("map.") + suffix);
        const Answer answer = call("figure " + quoted(finishedRun()) + " --view decision_map --to " + quoted(file));
        EXPECT_EQ(answer.status, 0) << answer.error;
        EXPECT_THAT(contentOf(file), StartsWith(begin)) << suffix;
    }
}

TEST(FigureCommand, TakesTheChosenInput)
{
    const auto folder = freshFolder("inputs");
    const auto draw   = [&](const std::string& input, const std::string& name) {
        EXPECT_EQ(call("figure " + quoted(finishedRun() / "run.credence") + " --view boxplots --input " + input
                         + " --to " + quoted(folder / name))
                        .status,
                    0);
        return contentOf(folder / name);
    };
    EXPECT_NE(draw("0.9,0.9", "a.csv"), draw("-0.9,0.9", "b.csv"));
    EXPECT_EQ(call("figure " + quoted(finishedRun()) + " --view boxplots --input 1,2,3 --to x.csv").status, 2);
}

TEST(FigureCommand, ComparesTheMapsOfSeveralRunsAndRefusesToMixOtherViews)
{
    const auto folder = freshFolder("compare");
    const auto runs   = quoted(finishedRun()) + " " + quoted(finishedRun() / "run.credence");
    EXPECT_EQ(call("figure " + runs + " --view decision_map --to " + quoted(folder / "maps.csv")).status, 0);
    EXPECT_EQ(
        call("figure " + quoted(finishedRun()) + " --view decision_map --to " + quoted(folder / "map.csv")).status, 0);
    EXPECT_GT(contentOf(folder / "maps.csv").size(), contentOf(folder / "map.csv").size());
    const Answer answer = call("figure " + runs + " --view boxplots --to x.csv");
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(
        answer.error,
        HasSubstr(
            "The view boxplots draws one run, found 2; several are drawn by decision_map, weights, pruning_curve, training_curves, out_of_distribution, attack_curve, compare_truth, truth_boxplots."));
}

TEST(FigureCommand, PrunesTheWeightsBeforeAViewIsMade)
{
    const auto folder = freshFolder("pruned");
    const auto draw   = [&](const std::string& view, const std::string& options) {
        const Answer answer = call("figure " + quoted(finishedRun()) + " --view " + view + " " + options + " --to "
                                     + quoted(folder / "figure.tex"));
        EXPECT_EQ(answer.status, 0) << answer.error;
        return contentOf(folder / "figure.tex");
    };
    EXPECT_EQ(draw("boxplots", "--prune 0"), draw("boxplots", ""));
    const auto pruned = draw("boxplots", "--prune 0.5 --prune-by magnitude --prune-each-layer --prune-keep-biases");
    EXPECT_NE(pruned, draw("boxplots", ""));
    EXPECT_THAT(pruned, HasSubstr("of weights removed by"));
    EXPECT_THAT(draw("pruning_curve", ""), testing::Not(HasSubstr("Pruned:")));
    const Answer whole = call("figure " + quoted(finishedRun()) + " --view training_curves --prune 0.5 --to x.csv");
    EXPECT_EQ(whole.status, 2);
    EXPECT_THAT(whole.error, HasSubstr("The view training_curves is of the whole posterior"));
    const Answer order = call("figure " + quoted(finishedRun())
                              + " --view boxplots --prune 0.5 --prune-by snr --to x.csv");
    EXPECT_EQ(order.status, 2);
    EXPECT_THAT(order.error, HasSubstr("expected signal_to_noise, magnitude or spread"));
    EXPECT_EQ(call("figure " + quoted(finishedRun()) + " --view boxplots --prune 95 --to x.csv").status, 2);
}

TEST(FigureCommand, DrawsTheStatedQuantity)
{
    const auto folder = freshFolder("quantities");
    const auto draw   = [&](const std::string& quantity) {
        EXPECT_EQ(call("figure " + quoted(finishedRun()) + " --view decision_map --quantity " + quantity + " --to "
                         + quoted(folder / "map.csv"))
                        .status,
                    0);
        return contentOf(folder / "map.csv");
    };
    EXPECT_NE(draw("epistemic"), draw("aleatoric"));
    EXPECT_THAT(
        call("figure " + quoted(finishedRun()) + " --view decision_map --quantity doubt --to x.csv").error,
        HasSubstr(
            "--quantity is \"doubt\", expected one of class_probability, predictive_entropy, aleatoric, epistemic, certainty."));
}

TEST(FigureCommand, AttacksAsStated)
{
    const auto folder = freshFolder("attacks");
    const auto draw   = [&](const std::string& words) {
        EXPECT_EQ(call("figure " + quoted(finishedRun()) + " --view attack_input " + words + " --to "
                         + quoted(folder / "attack.csv"))
                        .status,
                    0);
        return contentOf(folder / "attack.csv");
    };
    const std::string usual = draw("--row 1");
    EXPECT_EQ(draw("--row 1 --attack fast_gradient_sign --gradient mean_predictive --epsilon 0.1"), usual);
    EXPECT_NE(draw("--row 1 --attack random_signs"), usual);
    EXPECT_NE(draw("--row 1 --epsilon 0.9"), usual);   // the curve goes so far
    EXPECT_THAT(
        call("figure " + quoted(finishedRun()) + " --view attack_curve --attack kick --to x.csv").error,
        HasSubstr("The attack is \"kick\", expected one of fast_gradient_sign, projected_gradient, random_signs."));
    EXPECT_THAT(
        call("figure " + quoted(finishedRun()) + " --view attack_curve --gradient none --to x.csv").error,
        HasSubstr("The gradient of the attack is \"none\", expected one of one_draw, mean_loss, mean_predictive."));
}

TEST(FigureCommand, DrawsTheLawByTheStatedBridgeAndLogits)
{
    const auto folder = freshFolder("laws");
    const auto draw   = [&](const std::string& options) {
        EXPECT_EQ(call("figure " + quoted(finishedRun()) + " --view beta_marginals" + options + " --to "
                         + quoted(folder / "law.csv"))
                        .status,
                    0)
            << options;
        return contentOf(folder / "law.csv");
    };
    const std::string usual = draw("");
    EXPECT_EQ(draw(" --variant projected --logits draws"), usual);
    EXPECT_NE(draw(" --variant plain"), usual);
    EXPECT_NE(draw(" --logits linearisation"), usual);
    EXPECT_THAT(call("figure " + quoted(finishedRun()) + " --view simplex --variant best --to x.csv").error,
                HasSubstr("The variant of the bridge is \"best\", expected one of plain, conditioned, "));
    EXPECT_THAT(call("figure " + quoted(finishedRun()) + " --view simplex --logits both --to x.csv").error,
                HasSubstr("The way to the logits is \"both\", expected linearisation or draws."));
}

TEST(FigureCommand, DrawsInTheStatedSize)
{
    const auto file = freshFolder("sizes") / "map.png";
    EXPECT_EQ(
        call("figure " + quoted(finishedRun()) + " --view decision_map --size 50.8x25.4 --dpi 100 --to " + quoted(file))
            .status,
        0);
    const std::string png = contentOf(file);   // IHDR: width and height at bytes 16 and 20, big-endian
    ASSERT_GT(png.size(), 24u);
    const auto number_at = [&](std::size_t at) {
        return static_cast<unsigned char>(png[at + 2]) * 256 + static_cast<unsigned char>(png[at + 3]);
    };
    EXPECT_EQ(number_at(16), 200);
    EXPECT_EQ(number_at(20), 100);
    EXPECT_EQ(call("figure " + quoted(finishedRun()) + " --view decision_map --size 5x5 --to x.png").status, 2);
}

TEST(FigureCommand, RefusesAnUnknownSuffixAndAViewThatDoesNotApply)
{
    EXPECT_THAT(call("figure " + quoted(finishedRun()) + " --view boxplots --to x.xyz").error,
                HasSubstr("the suffix is \".xyz\", expected .pdf"));
    const Answer answer = call("figure " + quoted(finishedRun()) + " --view regression_band --to x.pdf");
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.error, HasSubstr("does not apply"));
}

/// UCI Mushroom through the command line, as docs/examples says: a mean-field MLP reaches 99.5 % on a held-out fifth.
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
    FAIL() << "results.json holds no accuracy";
}

}   // namespace
