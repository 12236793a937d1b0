// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/decision_map.h"
#include "foundation/error.h"
#include "series_of.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::ElementsAre;

namespace {

/// 2 × 1 cells, 4 draws: the first cell is certain, the networks disagree at the second.
DecisionMap small_map()
{
    static const std::vector<double> p{0.98, 0.02, 0.9, 0.1, 0.98, 0.02, 0.1, 0.9,
                                       0.98, 0.02, 0.8, 0.2, 0.98, 0.02, 0.2, 0.8};
    const SampleView<double> samples{p, 4, 2, 2};
    DecisionMap map;
    map.grid        = {2, 1, {0, 1}, {0, 0}};
    map.predictions = class_predictions(samples);
    map.certainty   = certainty(map.predictions, credible_intervals(samples, 0.95));
    map.points      = {{0.1, 0.2, 0.3}, {1, 2, 3}, {0, 1, 0}, 0};
    map.class_names = {"left", "right"};
    return map;
}

}   // namespace

TEST(MapGrid, CellsFillTheRegion)
{
    const auto grid = MapGrid::over({0, 4}, {-1, 1}, 4);
    EXPECT_DOUBLE_EQ(grid.x.first, 0.5);
    EXPECT_DOUBLE_EQ(grid.x.second, 3.5);
    EXPECT_DOUBLE_EQ(grid.y.first, -0.75);
    EXPECT_EQ(grid.inputs().size(), 32u);
}

TEST(MapGrid, EdgesOfItsCellsAreThoseOfTheRegion)
{
    const auto grid = MapGrid::over({0, 4}, {-1, 1}, 4);
    EXPECT_EQ(cell_edges(grid.x, grid.nx), Range(0, 4));
    EXPECT_EQ(cell_edges(grid.y, grid.ny), Range(-1, 1));
    EXPECT_EQ(cell_edges({2, 2}, 1), Range(1.5, 2.5));
}

TEST(MapGrid, InputsRunRowByRowFromTheLowestRow)
{
    EXPECT_THAT((MapGrid{2, 2, {0, 1}, {5, 6}}.inputs()), ElementsAre(0, 5, 1, 5, 0, 6, 1, 6));
}

TEST(MapGrid, RejectsNoCellsAndAnEmptyRegion)
{
    EXPECT_THAT(
        [] {
        MapGrid::over({0, 1}, {0, 1}, 0);
        },
        testing::ThrowsMessage<Error>("Decision map: 0 cells along each side, expected at least 1."));
    EXPECT_THAT(
        [] {
        MapGrid::over({1, 1}, {0, 1}, 5);
        },
        testing::ThrowsMessage<Error>("Decision map: the region is empty, expected increasing bounds in x and y."));
}

TEST(WidenedRange, AddsAShareOnEachSideAndGivesOneValueSomeLength)
{
    EXPECT_EQ(widened_range(std::vector<double>{0, 10, 5}, 0.4), Range(-4, 14));
    EXPECT_EQ(widened_range(std::vector<double>{2, 2}, 0.4), Range(1.5, 2.5));
}

TEST(MapPoints, AreAtMostTheLimitEvenlyOverTheData)
{
    Dataset data;
    data.n_rows      = 10;
    data.n_features  = 2;
    data.class_names = {"a", "b"};
    for (int i = 0; i < 10; ++i) {
        data.inputs.insert(data.inputs.end(), {static_cast<float>(i), 0});
        data.labels.push_back(i % 2);
    }
    EXPECT_EQ(map_points(data).x.size(), 10u);
    const auto few = map_points(data, 5);
    EXPECT_THAT(few.x, ElementsAre(0, 2, 4, 6, 8));
    EXPECT_EQ(few.left_out, 5u);
}

TEST(MapPoints, TheLastRowsWithDrawnPointsAreNeverLeftOut)
{
    Dataset data;
    data.n_features  = 2;
    data.class_names = {"a", "b"};
    for (int i = 0; i < 1000; ++i) {
        data.inputs.insert(data.inputs.end(), {static_cast<float>(i), 0});
        data.labels.push_back(i % 2);
    }
    data.n_rows       = 1000;
    const auto points = map_points(data, 60);
    ASSERT_EQ(points.x.size(), 60u);
    EXPECT_EQ(points.left_out, 940u);
    for (int i = 990; i < 1000; ++i)
        EXPECT_THAT(points.x, testing::Contains(i));
    EXPECT_TRUE(std::is_sorted(points.x.begin(), points.x.end()));
    EXPECT_EQ(std::adjacent_find(points.x.begin(), points.x.end()), points.x.end()) << "no row twice";
}

TEST(DecisionMap, ShowsEachQuantityOfEachCell)
{
    const auto map = small_map();
    EXPECT_THAT(map_values(map, MapQuantity::class_probability, 1),
                ElementsAre(testing::FloatNear(0.02f, 1e-7), testing::FloatNear(0.5f, 1e-7)));
    const auto h = map_values(map, MapQuantity::predictive_entropy, 0), a = map_values(map, MapQuantity::aleatoric, 0),
               e = map_values(map, MapQuantity::epistemic, 0);
    EXPECT_NEAR(h[1], std::log(2), 1e-6);
    for (int i = 0; i < 2; ++i)
        EXPECT_NEAR(h[i], a[i] + e[i], 1e-6);
    EXPECT_NEAR(e[0], 0, 1e-7);
    EXPECT_GT(e[1], 0.1f);
    EXPECT_THAT(map_values(map, MapQuantity::certainty, 0), ElementsAre(0, 3));
}

TEST(DecisionMap, ScalesAreThoseOfTheQuantityNotOfThePicture)
{
    const auto map = small_map();
    EXPECT_EQ(map_scale(map, MapQuantity::class_probability), Range(0, 1));
    EXPECT_EQ(map_scale(map, MapQuantity::predictive_entropy), Range(0, std::log(2)));
    EXPECT_NEAR(map_scale(map, MapQuantity::epistemic).second, map.predictions.mutual_information[1], 1e-15);
}

TEST(DecisionMap, ChartHasTheMapBelowThePointsOfEachClass)
{
    const auto chart  = to_chart(small_map(), MapQuantity::predictive_entropy, 0);
    const auto& panel = chart.panels.at(0);
    const auto maps   = series_of<HeatMap>(panel);
    const auto points = series_of<Points>(panel);
    ASSERT_TRUE(std::holds_alternative<HeatMap>(panel.series.front()));
    EXPECT_EQ(maps[0].unit, "nats");
    EXPECT_EQ(panel.x.range, Range(-0.5, 1.5));
    ASSERT_EQ(points.size(), 2u);
    EXPECT_EQ(points[0].name, "left");
    EXPECT_THAT(points[0].x, ElementsAre(0.1, 0.3));
    EXPECT_THAT(points[1].y, ElementsAre(2));
    EXPECT_EQ(points[1].tone, category(1));
}

TEST(DecisionMap, OfAProbabilityNamesTheClassAndDrawsTheBoundary)
{
    const auto map = series_of<HeatMap>(to_chart(small_map(), MapQuantity::class_probability, 1).panels[0]).at(0);
    EXPECT_EQ(map.name, "Probability of right");
    EXPECT_THAT(map.contours, ElementsAre(0.5));
}

TEST(DecisionMap, OfCertaintyNamesItsRegions)
{
    const auto map = series_of<HeatMap>(to_chart(small_map(), MapQuantity::certainty, 0).panels[0]).at(0);
    EXPECT_THAT(map.categories,
                ElementsAre("certain by (i) and (ii)", "certain by (i) only", "certain by (ii) only", "uncertain"));
    EXPECT_EQ(map.name, "Certainty at 95 %");
}

TEST(DecisionMap, UsesTheSharedScale)
{
    EXPECT_EQ(series_of<HeatMap>(decision_panel(small_map(), MapQuantity::epistemic, 0, Range{0, 5}))[0].z_range,
              Range(0, 5));
}

TEST(DecisionMap, RejectsAClassThatDoesNotExistAndRegionsThatWereNotMade)
{
    auto map = small_map();
    EXPECT_THAT([&] { map_values(map, MapQuantity::class_probability, 2); },
                testing::ThrowsMessage<Error>("Decision map: class 2 was requested, expected 0 to 1."));
    map.certainty.reset();
    EXPECT_THAT([&] { map_values(map, MapQuantity::certainty, 0); },
                testing::ThrowsMessage<Error>("Decision map: this map was made without its certainty regions."));
}

TEST(DecisionMap, QuantityNamesRoundTrip)
{
    for (const auto quantity : {MapQuantity::class_probability, MapQuantity::predictive_entropy, MapQuantity::aleatoric,
                                MapQuantity::epistemic, MapQuantity::certainty})
        EXPECT_EQ(map_quantity_named(name_of(quantity)), quantity) << name_of(quantity);
    EXPECT_THROW(map_quantity_named("doubt"), Error);
}
