// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"
#include "unit/outputs/outputs_npz.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>

// `credence open` and `credence run --save-outputs`.
namespace {

using logits_npz::floats;
using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

std::filesystem::path archive(const std::filesystem::path& file, const std::vector<ZipMember>& members)
{
    const Bytes bytes = zip_of(members);
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return file;
}

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
    const auto file    = archive(folder / "own.npz", outputs_npz::four_rows(true));
    const auto foreign = archive(folder / "foreign.npz",
                                 {floats("probabilities", {2, 1, 3}, {0.4f, 0.3f, 0.3f, 0.3f, 0.4f, 0.3f})});
    const Answer alone = call("open " + quoted(file));
    EXPECT_EQ(alone.status, 0) << alone.error;
    EXPECT_THAT(alone.out, StartsWith("own.npz: probabilities, 2 draws of 4 rows, 3 classes\n\n"));
    EXPECT_THAT(alone.out, HasSubstr("NLL"));

    const auto out      = folder / "out";
    const Answer answer = call("open " + quoted(file) + " --other " + quoted(foreign) + " --no-figures --out "
                               + quoted(out));
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("; foreign: foreign.npz, 1 rows\n"));
    const auto results = resultsIn(out);
    EXPECT_EQ(scoreIn(results, "Accuracy"), 0.5);
    EXPECT_EQ(results.at("outputs").at("draws"), 2);
    EXPECT_EQ(results.at("outputs").at("foreign").at("file"), "foreign.npz");
    for (const char* view : {"boxplots", "confusion", "roc", "out_of_distribution", "list_lengths"})
        EXPECT_TRUE(std::filesystem::exists(out / "data" / (std::string(view) + ".csv"))) << view;
    EXPECT_FALSE(std::filesystem::exists(out / "data" / "weights.csv"));
    EXPECT_THAT(contentOf(out / "data" / "confusion.csv"), StartsWith("# Outputs from elsewhere: own.npz ("));
}

TEST(OpenCommand, RefusesInOneSentenceAndWritesNothing)
{
    const auto folder = freshFolder("open_bad");
    const auto file   = archive(folder / "bad.npz", {floats("probabilities", {1, 1, 2}, {0.5f, 0.6f})});
    const Answer bad  = call("open " + quoted(file) + " --out " + quoted(folder / "out"));
    EXPECT_EQ(bad.status, 2);
    EXPECT_EQ(bad.error,
              "credence: bad.npz: probabilities of draw 0, row 0 add up to 1.1, expected 1 to within 0.001.\n");
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
    EXPECT_EQ(call("open " + quoted(folder / "none.npz")).status, 2);
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
    EXPECT_EQ(resultsIn(folder / "opened").at("scores"), resultsIn(folder / "run").at("scores"));
    const Answer number = call("run cubic --save-outputs --out " + quoted(folder / "number"));
    EXPECT_EQ(number.status, 2);   // before it is trained
    EXPECT_THAT(number.error, HasSubstr("Outputs are saved of classes"));
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
