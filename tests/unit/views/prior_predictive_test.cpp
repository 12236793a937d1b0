// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

namespace credence {
namespace {

using ::testing::HasSubstr;

const RunSnapshot& curve_run()
{
    static const auto run = snapshot_of(small_study("mean_field", ToyKind::blundell_curve));
    return run;
}

TEST(PriorPredictiveView, OfALinearNetworkHasTheQuantilesOfItsGaussian)
{
    auto study            = small_study("mean_field", ToyKind::cubic);
    study.network.hidden  = {};
    study.prior.weight_sd = {0.7};
    study.prior.bias_sd   = {1.5};
    study.training.steps  = 2;
    const auto run        = snapshot_of(study);
    const auto& data      = *run.experiment->data;
    ViewOptions options   = coarse();
    options.samples       = 4000;
    const auto chart      = drawn("prior_predictive", run, options);
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_EQ(chart.panels[0].title, "Prior");
    const auto band = series_of<Band>(chart.panels[0]).at(0);
    for (const std::size_t i : {0, 70, 100, 200}) {
        const double z  = data.inputs.standardised(std::vector<double>{band.x[i]}).at(0);
        const double sd = data.target_sd * std::hypot(0.7 * z, 1.5);
        // a tail quantile of 4,000 samples has a standard error of 0.042 sd
        EXPECT_NEAR(band.upper[i], data.target_mean + 1.959964 * sd, 0.2 * sd) << band.x[i];
        EXPECT_NEAR(band.lower[i], data.target_mean - 1.959964 * sd, 0.2 * sd) << band.x[i];
    }
}

TEST(PriorPredictiveView, DrawsBothSidesOnOneScaleWithTheData)
{
    const auto chart = drawn("prior_predictive", curve_run());
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_EQ(chart.panels[1].title, "Posterior");
    EXPECT_EQ(chart.panels[0].y.range, chart.panels[1].y.range);
    EXPECT_EQ(chart.panels[0].x.range, chart.panels[1].x.range);
    EXPECT_EQ(series_of<Line>(chart.panels[0]).size(), 8u + 1u);
    EXPECT_EQ(series_of<Points>(chart.panels[0]).at(0).x.size(), curve_run().experiment->data->training.n_rows);
    EXPECT_EQ(series_of<Band>(chart.panels[1]).at(0).tone.kind, Tone::Kind::posterior);
    EXPECT_THAT(chart.caption, HasSubstr("30 samples of the weights from the prior (left) and 30 from the posterior"));
}

TEST(PriorPredictiveView, IsTheSameInEachCallAndAnotherSetChangesThePriorOnly)
{
    ViewOptions other;
    other.map.prior_set = 1;
    const auto first    = drawn("prior_predictive", curve_run());
    const auto again    = drawn("prior_predictive", curve_run());
    const auto second   = drawn("prior_predictive", curve_run(), other);
    const auto band = [](const Chart& chart, int side) { return series_of<Band>(chart.panels.at(side)).at(0).upper; };
    EXPECT_EQ(to_csv(data_table(first)), to_csv(data_table(again)));
    EXPECT_NE(band(first, 0), band(second, 0));
    EXPECT_EQ(band(first, 1), band(second, 1));
    EXPECT_THAT(second.caption, HasSubstr("Set 2 of samples from the prior."));
}

TEST(PriorPredictiveView, PairsTheMapsOfPriorAndPosteriorForTwoInputs)
{
    const auto chart = drawn("prior_predictive", moons(), coarse());
    ASSERT_EQ(chart.panels.size(), 4u);
    EXPECT_EQ(chart.columns, 2);
    const char* titles[] = {"Prior, mean", "Posterior, mean", "Prior, one sample", "Posterior, one sample"};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(chart.panels[i].title, titles[i]);
        EXPECT_EQ(map_of(chart.panels[i]).z_range, Range(0, 1));
        EXPECT_EQ(map_of(chart.panels[i]).z.size(), 36u);
    }
    const auto posterior = drawn("decision_map", moons(), [] {
        auto options         = coarse();
        options.map.quantity = MapQuantity::class_probability;
        return options;
    }());
    for (std::size_t i = 0; i < 36; ++i)
        EXPECT_NEAR(map_of(chart.panels[1]).z[i], map_of(posterior.panels[0]).z[i], 1e-6);
}

TEST(PriorPredictiveView, OfAPointEstimateIsNotAvailable)
{
    EXPECT_THAT(refusal_of("prior_predictive", snapshot_of(small_study("point_estimate"))),
                HasSubstr("no prior to sample from"));
}

TEST(PriorPredictiveView, OfManyInputsIsADistributionOverRowsAndSamples)
{
    Study study;
    study.training.steps     = 2;
    study.prediction.samples = 3;
    for (const char* assignment : {"data.source=strokes", "data.training_images=60", "data.test_images=24",
                                   "network.hidden=8", "posterior.family=mean_field"})
        set_field(study, assignment);
    const auto chart = drawn("prior_predictive", snapshot_of(study));
    ASSERT_EQ(chart.panels.size(), 2u);
    for (const auto& panel : chart.panels) {
        const auto bars = series_of<Bars>(panel).at(0);
        EXPECT_NEAR(std::accumulate(bars.height.begin(), bars.height.end(), 0.0) * bars.width, 1, 1e-9);
        EXPECT_GE(bars.position.front(), 0.1) << "the largest of ten probabilities";
    }
    EXPECT_THAT(chart.caption, HasSubstr("24 rows of the test set"));
}

TEST(PriorPredictiveView, StopsOnRequest)
{
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(view("prior_predictive").make(moons(), coarse(), source.get_token()));
    EXPECT_FALSE(view("prior_predictive").make(curve_run(), {}, source.get_token()));
}

}   // namespace
}   // namespace credence
