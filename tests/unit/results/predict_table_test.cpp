// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/predict_table.h"

#include "formats/npy.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "unit/refusal.h"
#include "unit/runs/short_run.h"
#include "views/scored_predictions.h"
#include "views/scores.h"
#include "views/views.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

// Predictions at the rows of a new table.

namespace credence {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

/// A trained run, and a folder for tables.
struct TableCase {
    explicit TableCase(const std::string& family, ToyKind kind = ToyKind::heteroscedastic, int rows = 60,
                       double calibration = 0)
    {
        fs::create_directories(folder);
        Study study                      = small_study(family, kind);
        study.data.toy.n                 = rows;
        study.split.test_fraction        = 0.5;
        study.prediction.samples         = 6;
        study.split.calibration_fraction = calibration;
        run                              = snapshot_of(study);
    }
    ~TableCase() { fs::remove_all(folder); }

    fs::path written(const std::string& text) const
    {
        std::ofstream(folder / "new.csv") << text;
        return folder / "new.csv";
    }
    /// The test rows with all digits, and a column that the run does not use.
    fs::path test_rows(bool with_target) const
    {
        const Dataset& test = run.experiment->data->test;
        std::string text    = "id";
        for (const auto& name : test.feature_names)
            text += "," + name;
        text += with_target ? "," + test.target_name + "\n" : "\n";
        for (std::size_t i = 0; i < test.n_rows; ++i) {
            text += "row " + std::to_string(i);
            for (const double x : test.row(i))
                text += "," + number_text(x);
            if (with_target)
                text += ","
                        + (test.task == Task::regression ? number_text(test.targets[i])
                                                         : test.class_names[static_cast<std::size_t>(test.labels[i])]);
            text += "\n";
        }
        return written(text);
    }
    NewRows read(const fs::path& file) const { return read_new_rows(*run.experiment, file); }
    std::string refusal(const std::string& text) const
    {
        return sentence_of_error([&] { read(written(text)); });
    }

    fs::path folder = fs::path(testing::TempDir()) / ("credence_predict_table_" + std::to_string(::getpid()));
    RunSnapshot run;
};

struct AllPredicted {
    Table table;
    std::vector<std::size_t> firsts;
    Table scores;
};
AllPredicted all_predicted(const RunSnapshot& run, const NewRows& rows, const PredictOptions& options = {})
{
    AllPredicted all;
    all.scores = predict_rows(
                     run, rows, options, {},
                     [&](const PredictedRows& block) {
        all.firsts.push_back(block.first);
        all.table.columns = block.table.columns;
        all.table.rows.insert(all.table.rows.end(), block.table.rows.begin(), block.table.rows.end());
                     })
        .value()
        .scores;
    return all;
}

std::vector<std::string> names_of_predicted(const Table& table)
{
    std::vector<std::string> names;
    for (const auto& column : table.columns)
        names.push_back(column.name);
    return names;
}
Cell score_called(const Table& scores, const std::string& name)
{
    for (const auto& row : scores.rows)
        if (row[0] == Cell(name))
            return row[1];
    return name + " is missing";
}

class PredictedNumbers : public testing::TestWithParam<std::string> {};

TEST_P(PredictedNumbers, OfTheTestRowsAreThoseOfTheRunToTheLastBit)
{
    const TableCase known(GetParam(), ToyKind::heteroscedastic, 2400);   // the test rows are two blocks
    const auto view_of_rows = *view("test_rows").make(known.run, {}, {})->table;
    const auto predicted    = all_predicted(known.run, known.read(known.test_rows(true)));
    EXPECT_THAT(names_of_predicted(predicted.table),
                ElementsAre("row", "mean", "sd", "sd_epistemic", "sd_aleatoric", "lower", "upper", "observed", "note"));
    EXPECT_THAT(predicted.firsts, ElementsAre(0, rows_of_numbers_at_once));
    ASSERT_EQ(predicted.table.rows.size(), view_of_rows.rows.size());
    for (std::size_t i = 0; i < view_of_rows.rows.size(); ++i) {
        const auto &ours = predicted.table.rows[i], &theirs = view_of_rows.rows[i];
        EXPECT_EQ(ours[0], theirs[test_row::row]);
        EXPECT_EQ(ours[1], theirs[test_row::predicted]);
        EXPECT_EQ(ours[2], theirs[test_row::sd]);
        EXPECT_EQ(ours[3], theirs[test_row::function_sd]);
    }
    EXPECT_EQ(score_called(predicted.scores, "Rows"), Cell(1200L));
    if (GetParam() == "bernoulli_dropout")
        return;   // scores of the run use larger blocks, whose masks differ
    const auto own = scores(known.run);
    for (const char* score : {"RMSE", "NLL", "CRPS"}) {
        const double expected = std::get<double>(score_called(own, score));
        EXPECT_NEAR(std::get<double>(score_called(predicted.scores, score)), expected, 1e-5 * std::abs(expected))
            << score;
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, PredictedNumbers, testing::Values("mean_field", "bernoulli_dropout"));

TEST(PredictedClasses, OfTheTestRowsAreThoseOfTheRunToTheLastBit)
{
    const TableCase known("mean_field", ToyKind::two_moons);
    const auto view_of_rows = *view("test_rows").make(known.run, {}, {})->table;
    const auto predicted    = all_predicted(known.run, known.read(known.test_rows(true)));
    EXPECT_THAT(names_of_predicted(predicted.table),
                ElementsAre("row", "predicted", "p_class 0", "p_class 1", "entropy", "epistemic", "aleatoric",
                            "observed", "note"));
    ASSERT_EQ(predicted.table.rows.size(), view_of_rows.rows.size());
    for (std::size_t i = 0; i < view_of_rows.rows.size(); ++i) {
        const auto &ours = predicted.table.rows[i], &theirs = view_of_rows.rows[i];
        EXPECT_EQ(ours[1], theirs[test_row::predicted]);
        EXPECT_EQ(std::max(std::get<double>(ours[2]), std::get<double>(ours[3])),
                  std::get<double>(theirs[test_row::confidence]));
        EXPECT_EQ(ours[4], theirs[test_row::entropy]);
        EXPECT_EQ(ours[5], theirs[test_row::epistemic]);
        EXPECT_EQ(ours[7], theirs[test_row::truth]);
    }
    const auto own = scores(known.run);
    for (const char* score : {"Accuracy", "NLL"})
        EXPECT_EQ(score_called(predicted.scores, score), score_called(own, score)) << score;
}

TEST(NewRows, AreMatchedByNameWithNotes)
{
    const TableCase known("mean_field", ToyKind::two_moons);
    const auto& names = known.run.experiment->data->training.feature_names;
    const auto rows   = known.read(
          known.written("comment," + names[1] + "," + names[0] + "\nfine,0.25,0.5\nfar,0,1000\n"));
    EXPECT_EQ(rows.n, 2u);
    EXPECT_THAT(rows.inputs, ElementsAre(0.5, 0.25, 1000, 0));
    EXPECT_THAT(rows.ignored, ElementsAre("comment"));
    EXPECT_EQ(rows.notes[0], "");
    EXPECT_THAT(rows.notes[1], HasSubstr(names[0] + " 1000 is outside the training range"));
    EXPECT_EQ(rows.n_notes(), 1u);
    EXPECT_FALSE(rows.observed());
    EXPECT_EQ(rows.first(1).inputs, (std::vector<double>{0.5, 0.25}));
    EXPECT_THAT(known.refusal("comment," + names[1] + "\na,1\n"),
                HasSubstr("new.csv: found no column “" + names[0] + "”, expected all 2 inputs of the run."));
    EXPECT_THAT(known.refusal(names[0] + " [mm]," + names[1] + "\n1,1\n"),
                HasSubstr("of the run. The table has “" + names[0]
                          + " [mm]”: convert the values to the unit of the run, and rename the column."));
    EXPECT_THAT(known.refusal(names[0] + "," + names[1] + "\n"), HasSubstr("found no rows"));
}

TEST(PredictedRows, FollowTheOptions)
{
    const TableCase known("mean_field");
    const auto rows    = known.read(known.test_rows(false));
    const auto usual   = all_predicted(known.run, rows);
    const auto narrow  = all_predicted(known.run, rows, {.level = 0.5});
    const auto sampled = all_predicted(known.run, rows, {.samples = 5});
    EXPECT_TRUE(usual.scores.rows.empty());
    const auto number = [](const AllPredicted& all, std::size_t column) {
        return std::get<double>(all.table.rows[0][column]);
    };
    EXPECT_EQ(number(narrow, 1), number(usual, 1));
    EXPECT_GT(number(narrow, 5), number(usual, 5));
    EXPECT_LT(number(narrow, 6), number(usual, 6));
    EXPECT_NE(number(sampled, 1), number(usual, 1));
    EXPECT_THROW(all_predicted(known.run, rows, {.level = 1.0}), Error);
}

TEST(ConformalPredictions, OfNumbersAreAsManyStandardDeviationsWideForEveryRow)
{
    const TableCase known("mean_field", ToyKind::heteroscedastic, 400, 0.4);
    const auto rows      = known.read(known.test_rows(true));
    const auto predicted = all_predicted(known.run, rows, {.level = 0.8, .conformal = true}).table;
    const auto number  = [&](std::size_t i, std::size_t column) { return std::get<double>(predicted.rows[i][column]); };
    const double width = (number(0, 6) - number(0, 1)) / number(0, 2);
    EXPECT_GT(width, 0);
    long inside = 0;
    for (std::size_t i = 0; i < rows.n; ++i) {
        EXPECT_NEAR((number(i, 6) - number(i, 1)) / number(i, 2), width, 1e-9);
        EXPECT_NEAR((number(i, 1) - number(i, 5)) / number(i, 2), width, 1e-9);
        inside += number(i, 5) <= rows.targets[i] && rows.targets[i] <= number(i, 6) ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(inside) / static_cast<double>(rows.n), 0.8,
                0.12);   // 80 calibration, 200 test rows
}

TEST(ConformalPredictions, OfClassesHaveASet)
{
    const TableCase known("mean_field", ToyKind::two_moons, 200, 0.4);
    const auto rows       = known.read(known.test_rows(true));
    const auto all        = all_predicted(known.run, rows, {.conformal = true});
    const auto& predicted = all.table;
    EXPECT_EQ(predicted.columns[7].name, "set");
    double covered = 0;
    for (const auto& row : predicted.rows) {
        const auto set = std::get<std::string>(row[7]);
        EXPECT_TRUE(set == "{}" || set == "{class 0}" || set == "{class 1}" || set == "{class 0, class 1}") << set;
        covered += set.find(std::get<std::string>(row[8])) == std::string::npos ? 0 : 1;   // the observed class
    }
    const auto& scores = all.scores.rows;
    EXPECT_EQ(scores[scores.size() - 2][0], Cell(std::string("Coverage of the 95 % conformal sets")));
    EXPECT_EQ(scores[scores.size() - 2][1], Cell(covered / static_cast<double>(predicted.rows.size())));
    const TableCase without("mean_field", ToyKind::two_moons);
    EXPECT_THROW(all_predicted(without.run, without.read(without.test_rows(false)), {.conformal = true}), Error);
}

TEST(PredictedRows, AreWrittenAsTextAndAsSamples)
{
    const TableCase known("mean_field");
    const auto rows = known.read(known.test_rows(true));
    ASSERT_TRUE(write_predictions(known.run, rows, {}, known.folder / "out.csv", {}));
    std::ifstream csv(known.folder / "out.csv", std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(csv), {});
    EXPECT_EQ(text, to_csv(all_predicted(known.run, rows).table));

    ASSERT_TRUE(write_predictions(known.run, rows, {}, known.folder / "out.npz", {}));
    const NpzFile npz(known.folder / "out.npz");
    const auto samples = npz.read("samples");
    EXPECT_THAT(samples.shape, ElementsAre(6, rows.n, 2));
    double mean = 0;
    for (std::size_t s = 0; s < 6; ++s)
        mean += samples.at(s * rows.n * 2) / 6;
    // In double: a float32 of a Julian date is only exact to hours.
    EXPECT_NEAR(mean, std::get<double>(all_predicted(known.run, rows).table.rows[0][1]), 1e-13);
    EXPECT_EQ(npz.read("observed").at(0), rows.targets[0]);

    std::stop_source stopped;
    stopped.request_stop();
    for (const char* name : {"stopped.csv", "stopped.npz"}) {
        EXPECT_FALSE(write_predictions(known.run, rows, {}, known.folder / name, stopped.get_token()));
        EXPECT_FALSE(fs::exists(known.folder / name));
    }
}

TEST(PredictionColumns, ListInputsAndTarget)
{
    const TableCase known("mean_field", ToyKind::two_moons);
    const auto table = prediction_columns(prediction_schema(*known.run.experiment));
    ASSERT_EQ(table.rows.size(), 3u);
    EXPECT_EQ(table.rows[0][2], Cell(std::string("number")));
    EXPECT_THAT(std::get<std::string>(table.rows[0][3]), HasSubstr(" to "));
    EXPECT_EQ(table.rows[2][1], Cell(std::string("target, optional")));
    EXPECT_EQ(table.rows[2][3], Cell(std::string("“class 0” and “class 1”")));
}

}   // namespace
}   // namespace credence
