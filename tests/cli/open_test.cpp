// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/npz_file.h"
#include "cli/program.h"
#include "unit/outputs/outputs_npz.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>

// `credence open` and `credence run --save-outputs`.
namespace {

using logits_npz::doubles;
using logits_npz::floats;
using logits_npz::integers;
using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

json resultsIn(const std::filesystem::path& folder) { return json::parse(contentOf(folder / "results.json")); }

double scoreIn(const json& results, const std::string& name)
{
    for (const auto& row : results.at("scores"))
        if (row.at("score") == name)
            return row.at("value").get<double>();
    ADD_FAILURE() << "no score " << name;
    return -1;
}

TEST(OpenCommand, PrintsScoresAndWritesResultsAndTables)
{
    const auto folder  = freshFolder("open");
    const auto file    = writtenArchive(folder / "own.npz", outputs_npz::four_rows(true));
    const auto ood     = writtenArchive(folder / "foreign.npz",
                                        {floats("probabilities", {2, 1, 3}, {0.4f, 0.3f, 0.3f, 0.3f, 0.4f, 0.3f})});
    const Answer alone = call("open " + quoted(file));
    EXPECT_EQ(alone.status, 0) << alone.error;
    EXPECT_THAT(alone.out, StartsWith("own.npz: probabilities, 2 samples of 4 rows, 3 classes\n\n"));
    EXPECT_THAT(alone.out, HasSubstr("NLL"));

    const auto out      = folder / "out";
    const Answer answer = call("open " + quoted(file) + " --other " + quoted(ood) + " --no-figures --out "
                               + quoted(out));
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("; out of distribution: foreign.npz, 1 rows\n"));
    const auto results = resultsIn(out);
    EXPECT_EQ(scoreIn(results, "Accuracy"), 0.5);
    EXPECT_EQ(results.at("outputs").at("draws"), 2);
    EXPECT_EQ(results.at("outputs").at("foreign").at("file"), "foreign.npz");
    for (const char* view : {"boxplots", "confusion", "roc", "out_of_distribution", "list_lengths"})
        EXPECT_TRUE(std::filesystem::exists(out / "data" / (std::string(view) + ".csv"))) << view;
    EXPECT_FALSE(std::filesystem::exists(out / "data" / "weights.csv"));
    EXPECT_THAT(contentOf(out / "data" / "confusion.csv"), StartsWith("# Imported predictions: own.npz ("));
}

/// The row of a table in results.json whose first column is `name`.
json rowOf(const json& table, const std::string& column, const std::string& name)
{
    for (const auto& row : table)
        if (row.at(column) == name)
            return row;
    ADD_FAILURE() << "no row " << name;
    return json::object();
}

TEST(OpenCommand, ResultsContainOodDataAndCompareSamplingWithTheBridge)   // Hobbhahn 2020, Tables 5.1, 7.1 and 7.2
{
    const auto folder = freshFolder("open_gaussians");
    const std::vector<double> ones(9, 1);
    const auto file         = writtenArchive(folder / "own.npz",
                                             {doubles("mean", {3, 3}, {4, 0, 0, 0, 3, 0, 0, 0, 5}),
                                              doubles("variance", {3, 3}, ones), integers("labels", {0, 1, 1})});
    const auto ood          = writtenArchive(folder / "foreign.npz", {doubles("mean", {2, 3}, {0.5, 0, 0, 0, 0.2, 0}),
                                                                      doubles("variance", {2, 3}, {9, 9, 9, 9, 9, 9})});
    const std::string files = quoted(file) + " --other " + quoted(ood);
    const Answer printed    = call("open " + files);
    ASSERT_EQ(printed.status, 0) << printed.error;
    EXPECT_THAT(printed.out, HasSubstr("\nOut of distribution\nMeasure"));
    EXPECT_THAT(printed.out, HasSubstr("\nMean confidence (MMC)  "));

    const Answer written = call("open " + files + " --no-figures --longest 1 --out " + quoted(folder / "out"));
    ASSERT_EQ(written.status, 0) << written.error;
    const auto results    = resultsIn(folder / "out");
    const auto confidence = rowOf(results.at("tables").at("out_of_distribution"), "measure", "Mean confidence (MMC)");
    EXPECT_EQ(confidence.at("auroc"), 1.0);
    EXPECT_NEAR(confidence.at("own.npz, test set").get<double>(), scoreIn(results, "Mean confidence (MMC)"), 1e-12);
    EXPECT_LT(confidence.at("foreign.npz").get<double>(), confidence.at("own.npz, test set").get<double>());
    const auto& ways = results.at("tables").at("bridge_scores");
    for (const char* way : {"Mean logits alone", "1,000 samples of the logits", "Laplace Bridge, projected"}) {
        const auto row = rowOf(ways, "method", way);
        EXPECT_GT(row.at("mmc, own.npz, test set").get<double>(), row.at("mmc, foreign.npz").get<double>()) << way;
        EXPECT_NEAR(row.at("accuracy").get<double>(), 2.0 / 3, 1e-12) << way;
        EXPECT_FALSE(row.contains("time for 10,000 inputs, ms")) << "wall times are in a separate file";
        const auto times = json::parse(contentOf(folder / "out" / "times.json"));
        EXPECT_GE(
            rowOf(times.at("tables").at("bridge_scores"), "method", way).at("time for 10,000 inputs, ms").get<double>(),
            0)
            << way;
    }
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / "data" / "bridge_scores_table.csv"));
    EXPECT_THAT(contentOf(folder / "out" / "data" / "list_lengths_table.csv"), HasSubstr("\r\n1,3,1\r\n"));
}

TEST(FigureCommand, DrawsAViewOfImportedPredictions)
{
    const auto folder = freshFolder("figure_of_outputs");
    const auto file   = writtenArchive(folder / "own.npz", outputs_npz::four_rows());
    const auto draw   = [&](const std::string& view, const std::string& name) {
        return call("figure " + quoted(file) + " --view " + view + " --to " + quoted(folder / name));
    };
    const Answer boxes = draw("boxplots --row 2", "boxes.csv");
    EXPECT_EQ(boxes.status, 0) << boxes.error;
    EXPECT_THAT(contentOf(folder / "boxes.csv"), StartsWith("# Imported predictions: own.npz ("));
    EXPECT_EQ(draw("confusion", "confusion.pdf").status, 0);
    EXPECT_THAT(contentOf(folder / "confusion.pdf"), StartsWith("%PDF"));
    const Answer weights = draw("weights", "weights.pdf");
    EXPECT_EQ(weights.status, 2);
    EXPECT_THAT(weights.error, HasSubstr("This view needs the weights: own.npz contains predictions only."));
    EXPECT_FALSE(std::filesystem::exists(folder / "weights.pdf"));
}

TEST(OpenCommand, RejectsWithOneSentenceAndWritesNothing)
{
    const auto folder = freshFolder("open_bad");
    const auto file   = writtenArchive(folder / "bad.npz", {floats("probabilities", {1, 1, 2}, {0.5f, 0.6f})});
    const Answer bad  = call("open " + quoted(file) + " --out " + quoted(folder / "out"));
    EXPECT_EQ(bad.status, 2);
    EXPECT_EQ(bad.error,
              "credence: bad.npz: probabilities of sample 0, row 0 add up to 1.1, expected 1 to within 0.001. The "
              "array was read as 1 sample × 1 rows × 2 classes. One column of sigmoid outputs p becomes two: 1 − p and "
              "p; scores before the softmax are saved as “logits”.\n");
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
    EXPECT_EQ(call("open " + quoted(folder / "none.npz")).status, 2);
}

TEST(OpenCommand, RejectsNonFiniteNumbersAlsoWithAnOutputFolder)
{
    const auto folder    = freshFolder("open_nan");
    const auto file      = writtenArchive(folder / "nan.npz", {doubles("mean", {2, 3}, {1, 0, 2, NAN, 0, 1}),
                                                               doubles("variance", {2, 3}, std::vector<double>(6, 1)),
                                                               integers("labels", {0, 1})});
    const Answer alone   = call("open " + quoted(file)),
                 written = call("open " + quoted(file) + " --no-figures --out " + quoted(folder / "out"));
    EXPECT_EQ(alone.status, 2);
    EXPECT_EQ(written.status, 2);
    EXPECT_EQ(written.error, alone.error);
    EXPECT_THAT(written.error, HasSubstr("nan.npz"));
    EXPECT_THAT(written.out, testing::Not(HasSubstr("nothing wrong")));
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(OpenCommand, AnOverconfidentWrongRowCostsItsLogitGapAndAZeroProbabilityIsCounted)
{
    const auto folder = freshFolder("open_sure");
    const auto logits = writtenArchive(folder / "logits.npz",
                                       {floats("logits", {2, 3}, {150, 0, 0, 0, 900, 0}), integers("labels", {1, 1})});
    const Answer gap  = call("open " + quoted(logits) + " --no-figures --out " + quoted(folder / "gap"));
    ASSERT_EQ(gap.status, 0) << gap.error;
    EXPECT_NEAR(scoreIn(resultsIn(folder / "gap"), "NLL"), 75, 1e-9);
    const auto zero = writtenArchive(
        folder / "zero.npz",
        {doubles("probabilities", {2, 2}, {1.0000054, -2e-17, 0.5, 0.5}), integers("labels", {1, 1})});
    const Answer impossible = call("open " + quoted(zero) + " --no-figures --out " + quoted(folder / "zero"));
    ASSERT_EQ(impossible.status, 0) << impossible.error;
    EXPECT_THAT(
        impossible.out,
        HasSubstr("zero.npz: 2 probabilities outside 0 to 1 by rounding (smallest -2e-17, largest 1.0000054) were "
                  "clipped.\n"));
    EXPECT_EQ(scoreIn(resultsIn(folder / "zero"), "Rows whose true class has probability 0 (NLL is infinite)"), 1);
    EXPECT_THAT(impossible.out, testing::ContainsRegex("NLL +inf"));
}

TEST(OpenCommand, ScoresOfSavedOutputsAreThoseOfTheRunBitForBit)
{
    const auto folder = freshFolder("open_saved");
    const Answer run  = call(
         "run two_moons_mean_field --set training.steps=20 --no-figures --save-outputs --save-weights --out "
         + quoted(folder / "run"));
    ASSERT_EQ(run.status, 0) << run.error;
    EXPECT_TRUE(std::filesystem::exists(folder / "run" / "weights.npz"));
    const Answer opened = call("open " + quoted(folder / "run" / "outputs.npz") + " --no-figures --out "
                               + quoted(folder / "opened"));
    ASSERT_EQ(opened.status, 0) << opened.error;
    // Without the baselines: they need training rows, which an opened file does not have.
    auto own        = json::array();
    const auto rows = resultsIn(folder / "run").at("scores");
    for (const auto& row : rows)
        if (!row.at("score").get<std::string>().starts_with("Baseline"))
            own.push_back(row);
    EXPECT_GT(own.size(), 5u);
    EXPECT_EQ(json(resultsIn(folder / "opened").at("scores")), own);
    const Answer number = call("run cubic --save-outputs --out " + quoted(folder / "number"));
    EXPECT_EQ(number.status, 2);   // before it is trained
    EXPECT_THAT(number.error, HasSubstr("Outputs can only be saved for classification"));
}

TEST(OpenCommand, ReadsWhatNumPyWrites)
{
    if (std::system("python3 -c 'import numpy' > /dev/null 2>&1") != 0)
        GTEST_SKIP() << "python3 has no module numpy here";
    const auto folder = freshFolder("open_numpy");
    ASSERT_EQ(std::system(("python3 " CREDENCE_MAKE_OUTPUTS " " + quoted(folder)).c_str()), 0);
    const auto expected = json::parse(contentOf(folder / "scores.json"));
    for (const char* name : {"c.npz", "f.npz", "h.npz", "logits.npz", "v2", "v3"}) {
        const auto out      = folder / (std::string("out_") + name);
        const Answer answer = call("open " + quoted(folder / name) + " --no-figures --out " + quoted(out));
        ASSERT_EQ(answer.status, 0) << name << ": " << answer.error;
        const bool rounded = std::string(name) == "h.npz";
        EXPECT_NEAR(scoreIn(resultsIn(out), "NLL"), expected.at("nll").get<double>(), rounded ? 1e-3 : 1e-6) << name;
        EXPECT_NEAR(scoreIn(resultsIn(out), "Error"), expected.at("error").get<double>(), rounded ? 0.01 : 1e-12)
            << name;
    }
}

}   // namespace
