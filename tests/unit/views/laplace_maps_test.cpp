// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/class_predictions.h"
#include "simplex/logistic_normal.h"
#include "unit/charts/series_of.h"
#include "views/decision_map.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

std::vector<LogitGaussian> gaussians(int n)
{
    std::vector<LogitGaussian> out;
    out.reserve(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
        out.push_back(LogitGaussian::from_diagonal({0.5 * i, -0.2 * i, 0.1}, {0.3 + 0.1 * i, 0.5, 0.4}));
    return out;
}

/// 8 × 6 cells with centres 0…7 and 0…5, and points in two corners.
LaplaceMaps maps()
{
    LaplaceMaps out;
    out.grid        = {8, 6, {0, 7}, {0, 5}};
    out.points      = {.x = {0.1, 7.2, 6.9}, .y = {0.2, 4.8, 5.1}, .label = {0, 1, 2}};
    out.class_names = {"a", "b", "c"};
    out.bridge_of   = "Kronecker";
    const auto z    = gaussians(48);
    for (const char* name : {"MAP", "Diagonal", "Kronecker"})
        out.predictive.push_back({.name = name, .entropy = entropies_of_means(z), .refusal = {}});
    out.predictive.push_back({.name = "Full", .entropy = {}, .refusal = "The net is too large."});
    out.bridge = bridge_maps(z, out.variant);
    return out;
}

const HeatMap& heat(const Panel& panel) { return std::get<HeatMap>(panel.series.front()); }

}   // namespace

TEST(LaplaceMaps, EntropiesByDrawsApproachTheExactOnes)
{
    const auto z     = gaussians(5);
    const auto drawn = entropies_by_draws(z, 40000, 3);
    const auto means = entropies_of_means(z);
    for (std::size_t i = 0; i < z.size(); ++i) {
        EXPECT_NEAR(drawn[i], entropy(expectations(z[i]).mean), 0.02) << i;
        EXPECT_NEAR(means[i], entropy(softmax(z[i].mu())), 1e-6) << i;
    }
}

TEST(LaplaceMaps, BridgeMapsAreThoseOfTheDirichlet)
{
    const auto z = gaussians(6);
    const auto b = bridge_maps(z, BridgeVariant::conditioned);
    for (std::size_t i = 0; i < z.size(); ++i) {
        const auto distribution = bridge(z[i], BridgeVariant::conditioned).dirichlet();
        double variance         = 0;
        for (const double v : distribution.variance())
            variance += v;
        std::vector<double> weighted;
        for (const double a : distribution.alpha())
            weighted.push_back((a + 1) / (distribution.total() + 3));
        EXPECT_NEAR(b.mean_entropy[i], distribution.entropy_of_mean(), 1e-6);
        EXPECT_NEAR(b.entropy[i], distribution.entropy(), 1e-5);
        EXPECT_NEAR(b.variance[i], variance, 1e-6);
        EXPECT_NEAR(b.weighted_entropy[i], entropy(weighted), 1e-6);
    }
}

TEST(LaplaceMaps, TheWeightedEstimateIsNeverMoreConfidentThanTheMean)
{
    const auto b = bridge_maps(gaussians(12), BridgeVariant::projected);
    for (std::size_t i = 0; i < 12; ++i)
        EXPECT_GE(b.weighted_entropy[i], b.mean_entropy[i] - 1e-6f);
}

TEST(LaplaceMaps, ADirichletBeyondTheDoubleRangeIsConfidentAndNarrow)
{
    const std::vector<LogitGaussian> z{LogitGaussian::from_diagonal({900, 0, 0}, {1e-3, 1e-3, 1e-3})};
    const auto b = bridge_maps(z, BridgeVariant::plain);
    EXPECT_TRUE(std::isinf(b.entropy[0]) && b.entropy[0] < 0);
    EXPECT_EQ(b.variance[0], 0);
    EXPECT_NEAR(b.weighted_entropy[0], 0, 1e-6);
}

TEST(LaplaceMaps, RegionsAreTheCellsWithPointsAndTheFarthestQuarter)
{
    const auto m      = maps();
    const auto places = near_and_far(m.grid, m.points);
    EXPECT_EQ(places[0], 1);
    EXPECT_EQ(places[47], 1);
    EXPECT_EQ(std::count(places.begin(), places.end(), 1), 2);
    EXPECT_GE(std::count(places.begin(), places.end(), 2), 12);
    EXPECT_EQ(places[7], 2);   // a corner without points
    EXPECT_EQ(places[40], 2);
    EXPECT_EQ(places[1], 0);   // next to a point
    std::vector<float> values(48, 0);
    for (std::size_t i = 0; i < 48; ++i)
        values[i] = places[i] == 2 ? 3.0f : places[i] == 1 ? 1.0f : 100.0f;
    const auto means = means_near_and_far(values, places);
    EXPECT_DOUBLE_EQ(means.near, 1);
    EXPECT_DOUBLE_EQ(means.far, 3);
}

TEST(LaplaceMaps, ChartHasTwoRowsOfFourWithOneScaleForAllEntropiesOfClasses)
{
    const auto chart = to_chart(maps());
    EXPECT_EQ(chart.columns, 4);
    ASSERT_EQ(chart.panels.size(), 8u);
    for (const std::size_t k : {0, 1, 2, 4, 7}) {
        EXPECT_EQ(heat(chart.panels[k]).z_range, (Range{0, std::log(3.0)})) << k;
        EXPECT_EQ(heat(chart.panels[k]).z.size(), 48u);
    }
    EXPECT_EQ(heat(chart.panels[5]).z_range.second, -std::lgamma(3.0));
    for (const float v : heat(chart.panels[5]).z)
        EXPECT_GE(v, heat(chart.panels[5]).z_range.first);
    EXPECT_EQ(series_of<Points>(chart.panels[0]).size(), 3u);
    for (const auto& panel : chart.panels)
        EXPECT_LT(panel.weight, 1);
}

TEST(LaplaceMaps, TitlesHaveTheMeansAtTheDataAndFarAway)
{
    auto value        = maps();
    const auto places = near_and_far(value.grid, value.points);
    for (std::size_t i = 0; i < 48; ++i)
        value.predictive[1].entropy[i] = places[i] == 1 ? 0.25f : places[i] == 2 ? 0.5f : 1.0f;
    EXPECT_EQ(to_chart(value).panels[1].title, "Diagonal\n0.25 → 0.5");
    value.normalised_mean_entropy = value.predictive[1].entropy;
    EXPECT_THAT(to_chart(value).caption, HasSubstr("Mean of the normalised bridge: 0.25 → 0.5 nats."));
}

TEST(LaplaceMaps, TheCaptionListsDifferencesFromTheSource)
{
    auto value = maps();
    EXPECT_THAT(to_chart(value).caption, HasSubstr("All three use the Gauss–Newton curvature"));
    EXPECT_THAT(to_chart(value).caption, HasSubstr("(α + 1)/(α₀ + K), our own weighting"));
    value.exact_hessian = true;
    EXPECT_THAT(to_chart(value).caption, HasSubstr("Diagonal and full use the exact Hessian"));
}

TEST(LaplaceMaps, ARejectedMapStatesWhy)
{
    const auto chart = to_chart(maps());
    EXPECT_EQ(chart.panels[3].title, "Full:\ntoo large");
    EXPECT_TRUE(series_of<HeatMap>(chart.panels[3]).empty());
    EXPECT_THAT(chart.caption, HasSubstr("Full: The net is too large."));
}
