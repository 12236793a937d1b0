// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/psis_loo.h"

#include "prediction/regression.h"
#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"
#include "views/view_support.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

const RunSnapshot& loo_cubic()
{
    static const auto run = [] {
        Study study              = small_study("mean_field", ToyKind::cubic);
        study.prediction.samples = 60;
        return snapshot_of(study);
    }();
    return run;
}

std::size_t number_of_points(const Panel& panel)
{
    std::size_t n = 0;
    for (const auto& points : series_of<Points>(panel))
        n += points.x.size();
    return n;
}

}   // namespace

TEST(LooView, HasAPointForEachTrainingRowAndListsThoseOverTheLimit)
{
    const auto chart = drawn("loo", loo_cubic());
    const auto n     = loo_cubic().experiment->data->training.n_rows;
    EXPECT_EQ(number_of_points(chart.panels.at(0)), n);
    EXPECT_EQ(series_of<Rule>(chart.panels[0]).size(), 2u);
    std::size_t over = 0;
    for (const auto& points : series_of<Points>(chart.panels[0])) {
        ASSERT_EQ(points.data_rows.size(), points.x.size());   // a click selects the row
        for (std::size_t i = 0; i < points.x.size(); ++i) {
            EXPECT_EQ(points.data_rows[i].row, static_cast<std::uint32_t>(points.x[i]));
            EXPECT_EQ(points.data_rows[i].part, DataRow::Part::training);
            over += points.y[i] > 0.7 ? 1 : 0;
        }
    }
    const auto& rows = chart.table->rows;
    EXPECT_EQ(rows.size(), over > 0 ? over : 10);
    for (std::size_t i = 1; i < rows.size(); ++i)
        EXPECT_GE(std::get<double>(rows[i - 1][1]), std::get<double>(rows[i][1]));
    EXPECT_EQ(std::get<double>(rows[0].back()),
              loo_cubic().experiment->data->training.row(static_cast<std::size_t>(std::get<long>(rows[0][0])))[0]);
}

TEST(LooView, RowsAreThoseOfPsisOnTheSampledDensities)
{
    const auto& run       = loo_cubic();
    const auto& data      = *run.experiment->data;
    const auto predictive = view_support::unrecalibrated_predictive_of(run, {});
    const auto n          = static_cast<int>(data.training.n_rows);
    const auto outputs    = predictive.sample_outputs(data.training_inputs, n);
    const auto samples    = regression_samples(view_of(outputs), run.experiment->model.likelihood, data.target_mean,
                                               data.target_sd);
    const auto row        = drawn("loo", run).table->rows.at(0);
    const auto i          = static_cast<std::size_t>(std::get<long>(row[0]));
    std::vector<double> f, s, values(static_cast<std::size_t>(samples.n_samples));
    for (int k = 0; k < samples.n_samples; ++k) {
        f.push_back(samples.f_of(k)[i]);
        s.push_back(samples.s[static_cast<std::size_t>(k * n) + i]);
    }
    samples.noise->log_densities(f, s, data.training.targets[i], values);
    const auto expected = psis_loo(values);
    EXPECT_NEAR(std::get<double>(row[1]), expected.pareto_k, 1e-6);
    EXPECT_NEAR(std::get<double>(row[2]), expected.elpd, 1e-6 * std::abs(expected.elpd));
    EXPECT_LE(expected.elpd, expected.lpd);
}

TEST(LooView, NamesTheHeldOutScoreAndWhatTheSamplesAre)
{
    const auto variational = drawn("loo", moons());
    EXPECT_THAT(variational.caption, HasSubstr("elpd_loo"));
    EXPECT_THAT(variational.caption, HasSubstr("come from an approximation but are treated as samples"));
    EXPECT_EQ(variational.panels.at(1).x.categories.size(), 2u);
    EXPECT_EQ(variational.table->columns.size(), 7u);   // two features
}

TEST(LooView, ComparesRunsByDifferencesPairedByRow)
{
    auto other       = loo_cubic();
    Study study      = other.experiment->study;
    study.seed       = 2;   // other samples of the same posterior
    other.experiment = with_study(*other.experiment, study);
    const auto chart = view("loo").compare(std::vector{loo_cubic(), other}, {}, {}).value();
    const auto& rows = chart.table->rows;
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(std::get<double>(rows[0][3]), 0);
    EXPECT_EQ(std::get<double>(rows[0][4]), 0);
    EXPECT_NEAR(std::get<double>(rows[1][3]), std::get<double>(rows[1][1]) - std::get<double>(rows[0][1]),
                1e-9 * std::abs(std::get<double>(rows[0][1])));
    EXPECT_LE(std::get<double>(rows[1][3]), 0);
}

TEST(LooView, IsRefusedForPointEstimatesAndWithFewSamples)
{
    const auto point = prepare(small_study("point_estimate"));
    EXPECT_THAT(*view("loo").why_not(*point), HasSubstr("have no spread"));
    ViewOptions options;
    options.samples = 20;
    EXPECT_THAT(drawn("loo", loo_cubic(), options).message, HasSubstr("expected at least 25"));
}
