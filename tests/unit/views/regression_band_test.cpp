// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "prediction/regression.h"
#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"
#include "views/intervals.h"
#include "views/views.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

RegressionSamples five_draws()
{
    RegressionSamples samples{.n_samples = 5, .n_inputs = 2, .f = {}, .s = {}};
    for (int s = 0; s < 5; ++s)
        for (int i = 0; i < 2; ++i) {
            samples.f.push_back(s * s + 10 * i);
            samples.s.push_back(0.5);
        }
    return samples;
}

}   // namespace

TEST(RegressionBand, ConsistsOfTheQuantilesOfTheDrawsAtEachPoint)
{
    const auto band = regression_band({0, 1}, five_draws(), 0.9, 3);
    const std::vector<double> draws{10, 11, 14, 19, 26};
    EXPECT_DOUBLE_EQ(band.median[1], quantile(draws, 0.5));
    EXPECT_DOUBLE_EQ(band.lower_quartile[1], quantile(draws, 0.25));
    EXPECT_DOUBLE_EQ(band.upper_quartile[1], quantile(draws, 0.75));
    EXPECT_DOUBLE_EQ(band.lower[1], quantile(draws, 0.05));
    EXPECT_NEAR(band.upper[1], quantile(draws, 0.95), 1e-12);
    const std::vector<double> noise(5, 0.5);
    EXPECT_NEAR(band.predictive_upper[1], mixture_quantile(*normal_noise(), draws, noise, 0.95), 1e-12);
}

TEST(RegressionBand, HasAsManyFunctionsAsAskedForButNoMoreThanSamples)
{
    EXPECT_EQ(regression_band({0, 1}, five_draws(), 0.9, 3).functions.size(), 3u);
    EXPECT_EQ(regression_band({0, 1}, five_draws(), 0.9, 50).functions.size(), 5u);
    EXPECT_THAT(regression_band({0, 1}, five_draws(), 0.9, 3).functions[2], testing::ElementsAre(4, 14));
}

TEST(RegressionBand, ChartDrawsBandsThenLinesThenData)
{
    auto band         = regression_band({0, 1}, five_draws(), 0.9, 2);
    band.data_x       = {0.5};
    band.data_y       = {3};
    band.noise_free   = {0, 1};
    const auto chart  = to_chart(band);
    const auto& panel = chart.panels.at(0);
    const auto bands  = series_of<Band>(panel);
    ASSERT_EQ(bands.size(), 2u);
    EXPECT_EQ(bands[0].name, "90 % credible interval of f");
    EXPECT_EQ(bands[0].lower, band.lower);
    EXPECT_EQ(bands[1].upper, band.upper_quartile);
    const auto lines = series_of<Line>(panel);
    EXPECT_EQ(lines.size(), 2u + 2u + 1u + 1u);   // functions, predictive bounds, noise-free curve, median
    EXPECT_EQ(lines[2].style, LineStyle::dashed);
    EXPECT_EQ(lines.back().y, band.median);
    EXPECT_EQ(series_of<Points>(panel).at(0).name, "Training data");
}

TEST(RegressionBand, OfOneSampleIsThatFunction)
{
    const auto band = regression_band({0}, {1, 1, {3}, {0.1}}, 0.95, 20);
    EXPECT_EQ(band.lower[0], 3);
    EXPECT_EQ(band.upper[0], 3);
    EXPECT_EQ(band.functions.size(), 1u);
    EXPECT_EQ(to_chart(band).message, "");
}

/// Data of height 4, −2 to 2, and a credible interval that diverges at both ends of 101 points like x³.
RegressionBand band_with_tails(double steepness)
{
    RegressionBand band;
    band.data_x = {-0.5, 0.5};
    band.data_y = {-2, 2};
    for (int i = -50; i <= 50; ++i) {
        band.x.push_back(i / 50.0);
        band.median.push_back(0);
        band.upper.push_back(1 + steepness * std::fabs(std::pow(i / 50.0, 3)));
        band.lower.push_back(-band.upper.back());
    }
    return band;
}

TEST(RegressionBand, TheDataUseAQuarterOfThePictureHoweverSteepTheTails)
{
    for (const double steepness : {10.0, 1e3, 1e9}) {
        const auto range = height_of(band_with_tails(steepness)).value();
        EXPECT_LE(range.second - range.first, 4 * 4 + 1e-9) << steepness;
        EXPECT_LT(range.first, -2);
        EXPECT_GT(range.second, 2);
    }
    EXPECT_EQ(to_chart(band_with_tails(1e9)).panels[0].y.range, Range(-8, 8));
}

TEST(RegressionBand, NineTenthsOfAGentleBandAreShown)
{
    const auto band  = band_with_tails(6);
    const auto range = height_of(band).value();
    const auto shown = std::count_if(band.upper.begin(), band.upper.end(), [&](double y) { return y <= range.second; });
    EXPECT_NEAR(static_cast<double>(shown) / 101, 0.9, 0.02);
    EXPECT_EQ(height_of(band_with_tails(0)).value(), Range(-2.4, 2.4)) << "some space around the data";
}

TEST(RegressionBand, WithoutDataTheHeightFitsTheBand)
{
    auto band   = band_with_tails(6);
    band.data_y = {};
    EXPECT_FALSE(height_of(band).has_value());
    band.data_y = {1, 1};
    EXPECT_FALSE(height_of(band).has_value());
}

TEST(RegressionBand, WithoutPointsStatesThis)
{
    EXPECT_EQ(to_chart(RegressionBand{}).message,
              "There is no point to predict at. The region must have a positive length.");
}

TEST(RegressionBand, RejectsInconsistentPoints)
{
    EXPECT_THAT([] { regression_band({0}, five_draws(), 0.9, 1); },
                testing::ThrowsMessage<Error>("Regression band: 1 points for predictions at 2."));
}

namespace {}   // namespace

TEST(RegressionBandView, IsInTheUnitsOfTheTarget)
{
    auto study                      = small_study("mean_field", ToyKind::cubic);
    study.split.standardise_targets = true;
    const auto run                  = snapshot_of(study);
    const auto chart                = drawn("regression_band", run, coarse());
    const Line* median              = nullptr;
    for (const auto& series : chart.panels.at(0).series)
        if (const auto* line = std::get_if<Line>(&series); line && line->name == "Median of f")
            median = line;
    ASSERT_NE(median, nullptr);
    std::vector<float> x{static_cast<float>(median->x[100])};
    run.experiment->data->inputs.apply(x);
    const PosteriorPredictive predictive(run.experiment->model, run.snapshot->posterior, 30, study.seed);
    const auto samples = regression_samples(view_of(predictive.sample_outputs(x, 1)), run.experiment->model.likelihood,
                                            run.experiment->data->target_mean, run.experiment->data->target_sd);
    EXPECT_NEAR(median->y[100], function_quantiles(samples, std::vector<double>{0.5})[0][0],
                1e-4 * std::fabs(run.experiment->data->target_sd));
}

TEST(RegressionBandView, ShowsTheRangeOfTheToyUnlessARegionIsGiven)
{
    const auto run = snapshot_of(small_study("mean_field", ToyKind::blundell_curve));
    auto options   = coarse();
    EXPECT_EQ(drawn("regression_band", run, options).panels.at(0).x.range, Range(-0.2, 1.2));
    options.map.region = {{0, 0.5}, {-1, 2}};
    const auto chart   = drawn("regression_band", run, options);
    EXPECT_EQ(chart.panels.at(0).x.range, Range(0, 0.5));
    EXPECT_EQ(chart.panels.at(0).y.range, Range(-1, 2));
}
