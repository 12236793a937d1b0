// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

// credence predict: a saved run predicts new rows, without its table.

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
namespace fs = std::filesystem;

using Rows = std::vector<std::vector<std::string>>;

/// The cells of a CSV file without quotes, comments left out.
Rows rowsOfCsv(const std::string& text)
{
    Rows rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('#'))
            continue;
        while (!line.empty() && line.back() == '\r')
            line.pop_back();
        auto& cells = rows.emplace_back();
        std::istringstream parts(line + ",");
        for (std::string cell; std::getline(parts, cell, ',');)
            cells.push_back(cell);
    }
    return rows;
}

/// A run on a table that no longer exists, and the run's own predictions of its test rows.
struct RunWithoutTable {
    fs::path folder = freshFolder("predict"), run = folder / "run";
    std::string testRows;   ///< the view test_rows as CSV, without comments

    RunWithoutTable()
    {
        {
            std::ofstream table(folder / "train.csv");
            table << "id,length,kind,price\n";
            for (int i = 0; i < 90; ++i)
                table << "item " << i % 7 << ',' << 0.1 * i << ',' << (i % 3 == 0 ? "red" : "blue") << ','
                      << 3 + 0.2 * i + (i * 7 % 5) << '\n';
        }
        const Answer made = call("run two_moons_mean_field --set data.source=csv --set data.task=regression --set "
                                 "data.columns=length,kind --set data.file="
                                 + quoted(folder / "train.csv")
                                 + " --set split.calibration_fraction=0.3 --set split.standardise_targets=true --set "
                                   "training.steps=200 --set network.hidden=8 --set prediction.samples=20 "
                                   "--no-figures --out "
                                 + quoted(run));
        EXPECT_EQ(made.status, 0) << made.error;
        const Answer drawn = call("figure " + quoted(run) + " --view test_rows --to " + quoted(folder / "rows.csv"));
        EXPECT_EQ(drawn.status, 0) << drawn.error;
        std::istringstream lines(contentOf(folder / "rows.csv"));
        for (std::string line; std::getline(lines, line);)
            if (!line.starts_with('#'))
                testRows += line + '\n';
        std::ofstream(folder / "rows.csv") << testRows;
        fs::remove(folder / "train.csv");
    }
};
const RunWithoutTable& runWithoutTable()
{
    static const RunWithoutTable made;
    return made;
}

/// A table with the inputs of the test rows, under the names of the training table.
fs::path inputsOfTestRows(const RunWithoutTable& made)
{
    const auto rows   = rowsOfCsv(made.testRows);
    const auto& names = rows.front();
    const auto column = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    const auto file = made.folder / "inputs.csv";
    std::ofstream table(file);
    table << "kind,length,comment\n";
    for (std::size_t i = 1; i < rows.size(); ++i)
        table << rows[i].at(column("kind")) << ',' << rows[i].at(column("length")) << ",x\n";
    return file;
}

TEST(PredictCommand, GivesTheTestRowsExactlyTheNumbersOfTheRun)
{
    const auto& made    = runWithoutTable();
    const auto to       = made.folder / "predictions.csv";
    const Answer answer = call("predict " + quoted(made.run) + " " + quoted(inputsOfTestRows(made)) + " --to "
                               + quoted(to));
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("18 rows predicted"));
    EXPECT_THAT(answer.error, HasSubstr("Columns that the run does not use: “comment”."));
    const auto ours = rowsOfCsv(contentOf(to)), theirs = rowsOfCsv(made.testRows);
    EXPECT_THAT(ours.front(),
                ElementsAre("row", "mean", "sd", "sd_epistemic", "sd_aleatoric", "lower", "upper", "note"));
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t i = 1; i < ours.size(); ++i) {
        EXPECT_EQ(ours[i][0], theirs[i][0]);
        EXPECT_EQ(ours[i][1], theirs[i][2]) << "mean, all digits";
        EXPECT_EQ(ours[i][2], theirs[i][3]) << "sd, all digits";
    }
    // An existing file is not replaced.
    const Answer again = call("predict " + quoted(made.run) + " " + quoted(made.folder / "inputs.csv") + " --to "
                              + quoted(to));
    EXPECT_EQ(again.status, 2);
    EXPECT_THAT(again.error, HasSubstr("this file exists, expected a new name, or --overwrite to replace it."));
}

TEST(PredictCommand, ReadsStandardInputAndWritesStandardOutput)
{
    const auto& made    = runWithoutTable();
    const Answer answer = callShell("printf 'length,kind,price\\n1.5,red,4\\n1000,green,5\\n' | \"$CREDENCE\" predict "
                                    + quoted(made.run) + " - --to - --level 0.5 --conformal");
    ASSERT_EQ(answer.status, 0) << answer.error;
    const auto rows = rowsOfCsv(answer.out);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0][7], "observed");
    EXPECT_EQ(rows[1][7], "4");
    EXPECT_EQ(rows[1][8], "");
    EXPECT_THAT(rows[2][8], HasSubstr("length 1000 is outside the training range"));
    EXPECT_THAT(rows[2][8], HasSubstr("kind “green” is not a category of the training table"));
    EXPECT_THAT(answer.error, HasSubstr("2 rows predicted, 1 with a note."));
    EXPECT_THAT(answer.error, HasSubstr("Conformal: normalised residuals at 50 %, calibrated on 22 calibration rows."));
    EXPECT_THAT(answer.error, HasSubstr("RMSE"));
}

TEST(PredictCommand, WritesSamplesForNumPy)
{
    const auto& made    = runWithoutTable();
    const auto to       = made.folder / "samples.npz";
    const Answer answer = call("predict " + quoted(made.run) + " " + quoted(inputsOfTestRows(made))
                               + " --samples 7 --to " + quoted(to));
    ASSERT_EQ(answer.status, 0) << answer.error;
    const auto bytes = contentOf(to);
    EXPECT_THAT(bytes, StartsWith("PK"));
    EXPECT_THAT(bytes, HasSubstr("'shape': (7, 18, 2)"));
}

TEST(PredictCommand, ListsTheExpectedColumns)
{
    const Answer answer = call("predict " + quoted(runWithoutTable().run) + " --columns");
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("length"));
    EXPECT_THAT(answer.out, HasSubstr("“blue” and “red”"));
    EXPECT_THAT(answer.out, HasSubstr("target, optional"));
    EXPECT_THAT(answer.error, IsEmpty());
}

TEST(PredictCommand, ErrorsAreOneSentence)
{
    const auto& made   = runWithoutTable();
    const auto refused = [&](const std::string& arguments, const std::string& sentence) {
        const Answer answer = call("predict " + quoted(made.run) + " " + arguments);
        EXPECT_EQ(answer.status, 2) << arguments;
        EXPECT_THAT(answer.error, HasSubstr(sentence));
    };
    const auto table = quoted(inputsOfTestRows(made));
    std::ofstream(made.folder / "short.csv") << "kind\nred\n";
    refused("", "TABLE is missing");
    refused(table, "--to is missing");
    refused(table + " --to out.pdf", "--to is “out.pdf”, expected FILE.csv, FILE.npz or - for standard output.");
    refused(quoted(made.folder / "short.csv") + " --to -",
            "short.csv: found no column “length”, expected all 2 inputs of the run.");
    refused(quoted(made.folder / "none.csv") + " --to -", "none.csv");
}

}   // namespace
