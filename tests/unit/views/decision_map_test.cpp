// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/views.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

using namespace credence;

namespace {}   // namespace

TEST(DecisionMapView, IsThePredictionAtTheCellsInTheDatasUnits)
{
    auto options            = coarse();
    options.map.region      = {{-1, 2}, {-1, 1}};
    options.map.quantity    = MapQuantity::class_probability;
    options.map.class_index = 1;
    const auto chart        = drawn("decision_map", moons(), options);
    const auto& map         = map_of(chart.panels.at(0));
    EXPECT_DOUBLE_EQ(map.x.first, -0.75);
    EXPECT_DOUBLE_EQ(map.y.second, 1 - 1.0 / 6);

    std::vector<float> cell{-0.75f + 2 * 0.5f, -1 + 1.0f / 6 + 3.0f / 3};   // column 2 of row 3
    moons().experiment->data->inputs.apply(cell);
    const PosteriorPredictive predictive(moons().experiment->model, moons().snapshot->posterior, 30,
                                         moons().experiment->study.seed);
    EXPECT_NEAR(map.z[3 * 6 + 2], class_predictions(view_of(predictive.sample_outputs(cell, 1))).mean[1], 1e-5);
}

TEST(DecisionMapView, TestPointsAreHollowAndBelowTheTrainingPoints)
{
    const auto chart   = drawn("decision_map", moons(), coarse());
    const auto& data   = *moons().experiment->data;
    std::size_t hollow = 0, filled = 0;
    for (const auto& series : chart.panels.at(0).series)
        if (const auto* points = std::get_if<Points>(&series)) {
            (points->filled ? filled : hollow) += points->x.size();
            EXPECT_TRUE(points->filled || filled == 0) << "hollow ones first";
            EXPECT_EQ(points->name.ends_with(", test"), !points->filled);
        }
    EXPECT_EQ(hollow, data.test.n_rows);
    EXPECT_EQ(filled, data.training.n_rows);
    EXPECT_THAT(chart.caption, testing::HasSubstr("Test points are hollow."));
}

TEST(DecisionMapView, CertaintyRegionsAreThoseOfAllCellsAtOnce)
{
    auto options         = coarse();
    options.map.quantity = MapQuantity::certainty;
    const auto chart     = drawn("decision_map", moons(), options);
    const auto& map      = map_of(chart.panels.at(0));
    std::vector<double> places;
    for (int iy = 0; iy < map.ny; ++iy)
        for (int ix = 0; ix < map.nx; ++ix) {
            places.push_back(map.x.first + (map.x.second - map.x.first) * ix / (map.nx - 1));
            places.push_back(map.y.first + (map.y.second - map.y.first) * iy / (map.ny - 1));
        }
    const auto inputs = moons().experiment->data->inputs.standardised(places);
    const PosteriorPredictive predictive(moons().experiment->model, moons().snapshot->posterior, 30,
                                         moons().experiment->study.seed);
    const auto samples = predictive.sample_outputs(inputs, map.nx * map.ny);
    const auto verdict = certainty(class_predictions(view_of(samples)),
                                   credible_intervals(view_of(samples), moons().experiment->study.prediction.level));
    for (std::size_t i = 0; i < map.z.size(); ++i)
        EXPECT_EQ(map.z[i], verdict.disjoint[i] ? (verdict.probable[i] ? 0 : 1) : (verdict.probable[i] ? 2 : 3))
            << "cell " << i;
}
