// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/test_rows.h"

#include "views/scores_table.h"

#include <cmath>
#include <gmock/gmock.h>

using namespace credence;

namespace {

RunMoment run_of(ToyKind kind)
{
    Study study;
    study.data.toy.kind      = kind;
    study.data.toy.n         = 60;
    study.network.hidden     = {8};
    study.training.steps     = 40;
    study.prediction.samples = 20;
    const auto experiment    = prepare(study);
    return {experiment, experiment->make_trainer()->run().last, nullptr};
}

double score(const RunMoment& run, const std::string& name)
{
    for (const auto& row : scores(run).rows)
        if (std::get<std::string>(row[0]) == name)
            return std::get<double>(row[1]);
    return NAN;
}

}   // namespace

TEST(TestRows, ItsRightRowsMakeTheAccuracyOfTheRun)
{
    const auto run   = run_of(ToyKind::two_moons);
    const auto table = test_rows(run, {})->table.value();
    ASSERT_EQ(table.rows.size(), run.experiment->data->test.n_rows);
    double right = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto& cells = table.rows[i];
        EXPECT_EQ(std::get<long>(cells[test_row::row]), static_cast<long>(i));
        EXPECT_EQ(std::get<long>(cells[test_row::right]) == 1, cells[test_row::truth] == cells[test_row::predicted]);
        right += static_cast<double>(std::get<long>(cells[test_row::right]));
    }
    EXPECT_DOUBLE_EQ(right / static_cast<double>(table.rows.size()), score(run, "Accuracy"));
}

TEST(TestRows, ItsErrorsMakeTheRmseOfARegression)
{
    const auto run   = run_of(ToyKind::cubic);
    const auto table = test_rows(run, {})->table.value();
    double square    = 0;
    for (const auto& cells : table.rows)
        square += std::pow(std::get<double>(cells[test_row::error]), 2);
    EXPECT_NEAR(std::sqrt(square / static_cast<double>(table.rows.size())), score(run, "RMSE"),
                1e-6 * score(run, "RMSE"));
}

TEST(TestRows, AStoppedTableIsEmpty)
{
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(test_rows(run_of(ToyKind::two_moons), {}, stop.get_token()));
}
