// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scored_predictions.h"

#include "views/scores.h"

#include "unit/formats/table_file.h"
#include "unit/views/drawn.h"

#include <cmath>
#include <gmock/gmock.h>

using namespace credence;
using testing::HasSubstr;

namespace {

const RunSnapshot& cubic()
{
    static const auto snapshot = snapshot_of(small_study("mean_field", ToyKind::cubic));
    return snapshot;
}

Table rows_of(const RunSnapshot& run, const ViewOptions& options = {})
{
    return drawn("test_rows", run, options).table.value();
}

double score(const RunSnapshot& run, const std::string& name)
{
    for (const auto& row : scores(run).rows)
        if (std::get<std::string>(row[0]) == name)
            return std::get<double>(row[1]);
    return NAN;
}

double number_in(const Table& table, std::size_t row, int column)
{
    return std::get<double>(table.rows.at(row).at(static_cast<std::size_t>(column)));
}

}   // namespace

TEST(TestRows, ItsRightRowsMakeTheAccuracyOfTheRun)
{
    const auto table = rows_of(moons());
    ASSERT_EQ(table.rows.size(), moons().experiment->data->test.n_rows);
    EXPECT_TRUE(test_row::of_classes(table));
    double right = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto& cells = table.rows[i];
        EXPECT_EQ(std::get<long>(cells[test_row::row]), static_cast<long>(i));
        EXPECT_EQ(std::get<long>(cells[test_row::right]) == 1, cells[test_row::truth] == cells[test_row::predicted]);
        EXPECT_LE(number_in(table, i, test_row::epistemic), number_in(table, i, test_row::entropy) + 1e-6);
        right += static_cast<double>(std::get<long>(cells[test_row::right]));
    }
    EXPECT_NEAR(right / static_cast<double>(table.rows.size()), score(moons(), "Accuracy"), 1e-12);
}

TEST(TestRows, HaveTheValuesOfTheirFeaturesInTheUnitsOfTheData)
{
    const auto& data  = *moons().experiment->data;
    const auto table  = rows_of(moons());
    const int feature = test_row::first_feature(table);
    ASSERT_EQ(table.columns.size(), static_cast<std::size_t>(feature) + 2);
    for (int j = 0; j < 2; ++j) {
        EXPECT_EQ(table.columns[static_cast<std::size_t>(feature + j)].name, data.test.feature_names[j]);
        for (std::size_t i = 0; i < table.rows.size(); ++i)
            EXPECT_EQ(static_cast<float>(number_in(table, i, feature + j)), data.test.row(i)[j]);
    }
}

TEST(TestRows, OfATableHaveItsDatesCategoriesAndMissingCells)
{
    std::string text = "day,colour,x,y\n";
    for (int i = 0; i < 60; ++i)
        text += "2024-01-" + std::to_string(10 + i % 20) + (i % 3 == 0 ? ",red," : ",blue,")
                + (i % 4 == 0 ? std::string() : std::to_string(i) + ".5") + "," + std::to_string(i * 37 % 41) + ".25\n";
    const TableFile file(text);
    Study study            = small_study("mean_field");
    study.data.source      = DataSource::csv;
    study.data.file        = file.path().string();
    study.data.csv.task    = Task::regression;
    study.data.csv.missing = MissingValues::impute;
    const auto run         = snapshot_of(study);
    const auto& test       = run.experiment->data->test;
    const auto table       = rows_of(run);
    const auto at          = static_cast<std::size_t>(test_row::first_feature(table));
    ASSERT_EQ(table.columns.size(), at + 3) << "one for each column of the table";
    EXPECT_EQ(table.columns[at + 1].name, "colour");
    constexpr double new_year = 19723;   // 2024-01-01
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto& cells = table.rows[i];
        const auto inputs = test.row(i);   // day, blue, red, x, x missing
        EXPECT_EQ(std::get<std::string>(cells[at]),
                  "2024-01-" + std::to_string(static_cast<int>(inputs[0] - new_year) + 1));
        EXPECT_EQ(std::get<std::string>(cells[at + 1]), inputs[1] == 1 ? "blue" : "red");
        if (inputs[4] == 1)
            EXPECT_EQ(std::get<std::string>(cells[at + 2]), "missing");
        else
            EXPECT_EQ(number_in(table, i, static_cast<int>(at) + 2), inputs[3]);
    }
}

TEST(TestRows, ItsResidualsMakeTheRmseOfARegressionAndItsSpreadHasTheNoise)
{
    const auto table = rows_of(cubic());
    EXPECT_FALSE(test_row::of_classes(table));
    ASSERT_EQ(table.columns.size(), 8u);
    EXPECT_EQ(table.columns[static_cast<std::size_t>(test_row::first_feature(table))].name,
              cubic().experiment->data->test.feature_names[0]);
    double square = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const double sd = number_in(table, i, test_row::sd), residual = number_in(table, i, test_row::residual);
        EXPECT_GT(sd, number_in(table, i, test_row::function_sd));
        EXPECT_NEAR(std::abs(number_in(table, i, test_row::standardised)), residual / sd, 1e-5 * (1 + residual / sd));
        EXPECT_NEAR(std::abs(number_in(table, i, test_row::truth) - number_in(table, i, test_row::predicted)), residual,
                    1e-4 * (1 + residual));
        square += std::pow(residual, 2);
    }
    EXPECT_NEAR(std::sqrt(square / static_cast<double>(table.rows.size())), score(cubic(), "RMSE"),
                1e-6 * score(cubic(), "RMSE"));
}

TEST(TestRows, SomeOfThemAreEvenlyOverAll)
{
    ViewOptions some;
    some.rows = 4;
    for (const auto* run : {&moons(), &cubic()}) {
        const auto all = rows_of(*run), few = rows_of(*run, some);
        ASSERT_EQ(few.rows.size(), 4u);
        for (std::size_t i = 0; i < 4; ++i) {
            const auto row = i * all.rows.size() / 4;
            EXPECT_EQ(few.rows[i][test_row::row], Cell(static_cast<long>(row)));
            EXPECT_EQ(few.rows[i][test_row::truth], all.rows[row][test_row::truth]);
        }
    }
}

TEST(TestRows, BelongToARunAndAreNotWrittenByEveryRun)
{
    EXPECT_THAT(drawn("test_rows", moons()).caption, HasSubstr("Rows: the test set."));
    auto study                = small_study("mean_field");
    study.split.test_fraction = 0;
    const auto all            = snapshot_of(study);
    EXPECT_EQ(rows_of(all).rows.size(), 60u);
    EXPECT_FALSE(view("test_rows").with_results);
}

TEST(TestRows, AStoppedTableIsEmpty)
{
    std::stop_source stop;
    stop.request_stop();
    ViewOptions options;
    options.rows = 7;   // no other test has cached these predictions
    EXPECT_FALSE(view("test_rows").make(moons(), options, stop.get_token()));
    EXPECT_FALSE(view("test_rows").make(cubic(), options, stop.get_token()));
}
