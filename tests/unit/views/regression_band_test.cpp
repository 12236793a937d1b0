// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/views.h"

#include "prediction/regression.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

namespace {}   // namespace

TEST(RegressionBandView, IsInTheUnitsOfTheTarget)
{
    auto study                      = small_study("mean_field", ToyKind::cubic);
    study.split.standardise_targets = true;
    const auto moment               = moment_of(study);
    const auto chart                = drawn("regression_band", moment, coarse());
    const Line* median              = nullptr;
    for (const auto& series : chart.panels.at(0).series)
        if (const auto* line = std::get_if<Line>(&series); line && line->name == "Median of f")
            median = line;
    ASSERT_NE(median, nullptr);
    std::vector<float> x{static_cast<float>(median->x[100])};
    moment.experiment->data->inputs.apply(x);
    const PosteriorPredictive predictive(moment.experiment->model, moment.snapshot->posterior, 30, study.seed);
    const auto samples = regression_samples(view_of(predictive.sample_outputs(x, 1)),
                                            moment.experiment->data->target_mean, moment.experiment->data->target_sd);
    EXPECT_NEAR(median->y[100], function_quantiles(samples, std::vector<double>{0.5})[0][0],
                1e-4 * std::fabs(moment.experiment->data->target_sd));
}

TEST(RegressionBandView, ShowsTheRangeOfTheToyUnlessARegionIsGiven)
{
    const auto moment = moment_of(small_study("mean_field", ToyKind::blundell_curve));
    auto options      = coarse();
    EXPECT_EQ(drawn("regression_band", moment, options).panels.at(0).x.range, Range(-0.2, 1.2));
    options.region   = {{0, 0.5}, {-1, 2}};
    const auto chart = drawn("regression_band", moment, options);
    EXPECT_EQ(chart.panels.at(0).x.range, Range(0, 0.5));
    EXPECT_EQ(chart.panels.at(0).y.range, Range(-1, 2));
}
