// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/decision_map.h"

#include "drawn.h"
#include "outputs/outputs_file.h"
#include "unit/outputs/outputs_npz.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Four rows of two inputs; the last one is an owl predicted as a dog.
const RunSnapshot& four_points()
{
    static const auto run = [] {
        auto own = outputs_npz::four_rows();
        own.push_back(logits_npz::floats("inputs", {4, 2}, {0, 0, 100, 0, 0, 1, 100, 1}));
        return snapshot_of_outputs(outputs_npz::opened(own, "points.npz"));
    }();
    return run;
}

const Points& named(const Panel& panel, std::string_view name)
{
    for (const auto& series : panel.series)
        if (const auto* points = std::get_if<Points>(&series); points && points->name == name)
            return *points;
    throw Error("no points are called " + std::string(name));
}

TEST(PointsMap, PutsEachRowAtItsInputsInTheColourOfItsPredictedClass)
{
    const auto chart = drawn("points_map", four_points());
    ASSERT_EQ(chart.panels.size(), 1u);
    const auto& panel  = chart.panels[0];
    std::size_t points = 0;
    for (const auto& series : panel.series)
        if (std::get<Points>(series).name != "wrong")
            points += std::get<Points>(series).x.size();
    EXPECT_EQ(points, 4u);
    EXPECT_EQ(named(panel, "cat").tone, category(0));
    EXPECT_EQ(named(panel, "dog").tone, category(1));
    const auto& wrong = named(panel, "wrong");   // of the tie of row 2 the first class wins, and it is an owl
    EXPECT_THAT(wrong.x, ElementsAre(0, 100));
    EXPECT_THAT(wrong.y, ElementsAre(1, 1));
    EXPECT_THAT(chart.caption, HasSubstr("Crosses: 2 of 4 are wrong."));
    EXPECT_THAT(chart.caption, HasSubstr("Imported predictions: points.npz"));
    EXPECT_LT(panel.x.range->first, 0);
    EXPECT_GT(panel.x.range->second, 100);
}

TEST(PointsMap, ShowsTrueClassesWhereTheyAreKnown)
{
    ViewOptions options;
    options.map.points_colour = PointsColour::true_class;
    const auto chart          = drawn("points_map", four_points(), options);
    EXPECT_THAT(named(chart.panels.at(0), "dog").x, ElementsAre(100));
    EXPECT_EQ(named(chart.panels.at(0), "owl").tone, category(2));
    EXPECT_THAT(chart.caption, HasSubstr("in the colour of its true class"));
    const auto bare = snapshot_of_outputs(outputs_npz::opened(
        {outputs_npz::four_rows().front(), logits_npz::floats("inputs", {4, 2}, {0, 0, 1, 0, 0, 1, 1, 1})},
        "bare.npz"));
    EXPECT_EQ(refusal_of("points_map", bare, options),
              "The true classes of the points are not known: bare.npz has no array “labels”.");
}

TEST(PointsMap, IsHollowWhereThePredictionIsUncertain)
{
    const auto chart = drawn("points_map", four_points());
    double sure = 0, uncertain = 0;
    for (const auto& series : chart.panels.at(0).series) {
        const auto& points = std::get<Points>(series);
        if (points.name != "wrong")
            (points.filled ? sure : uncertain) += static_cast<double>(points.x.size());
    }
    EXPECT_EQ(sure, 2);        // rows 0 and 3, on which the draws agree
    EXPECT_EQ(uncertain, 2);   // row 1 hesitates, of row 2 the draws disagree
}

TEST(PointsMap, ShowsTheEntropyOfTheRowsInEachCellAndLeavesOtherCellsEmpty)
{
    ViewOptions options;
    options.map.points_colour = PointsColour::entropy;
    const auto chart          = drawn("points_map", four_points(), options);
    const auto& map           = map_of(chart.panels.at(0));
    ASSERT_EQ(map.z.size(), static_cast<std::size_t>(map.nx * map.ny));
    EXPECT_NEAR(map.z_range.second, std::log(3), 1e-12);
    const auto z = [&](bool right, bool top) {
        return static_cast<double>(
            map.z[static_cast<std::size_t>((top ? map.ny - 1 : 0) * map.nx + (right ? map.nx - 1 : 0))]);
    };
    EXPECT_NEAR(z(false, false), -0.85 * std::log(0.85) - 2 * 0.075 * std::log(0.075), 1e-5);
    EXPECT_NEAR(z(true, true), 0, 1e-6);
    EXPECT_GT(z(false, true), z(false, false));
    const auto empty = std::count_if(map.z.begin(), map.z.end(), [](float value) { return std::isnan(value); });
    EXPECT_EQ(empty, map.nx * map.ny - 4);
}

TEST(PointsMap, FindsTheVisuallyNearestPoint)
{
    const auto& own = four_points().experiment->outputs->own;
    EXPECT_EQ(nearest_point(own, 1, 0.1), 0u);
    EXPECT_EQ(nearest_point(own, 30, 0.9), 2u);   // in the inputs' own units (0, 0) and (0, 1) are as far
    EXPECT_EQ(nearest_point(own, 99, 5), 3u);
    ImportedOutputs::Part bare;
    bare.name = "bare.npz";
    EXPECT_EQ(refusal([&] { nearest_point(bare, 0, 0); }),
              "bare.npz: found 0 inputs per row, expected two for a map of points.");
}

TEST(PointsMap, StatesWhyItIsUnavailable)
{
    EXPECT_THAT(refusal_of("points_map", moons()), HasSubstr("see the decision map"));
    auto own = outputs_npz::four_rows();
    EXPECT_EQ(refusal_of("points_map", snapshot_of_outputs(outputs_npz::opened(own, "bare.npz"))),
              "A map of points needs two inputs for each row: bare.npz has no array “inputs”.");
    own.push_back(logits_npz::floats("inputs", {4, 1}, {0, 1, 2, 3}));
    EXPECT_EQ(refusal_of("points_map", snapshot_of_outputs(outputs_npz::opened(own, "line.npz"))),
              "A map of points needs two inputs for each row: line.npz has 1.");
}

TEST(PointsMap, NeedsNoLabels)
{
    const auto chart = drawn("points_map", snapshot_of_outputs(outputs_npz::opened(
                                               {outputs_npz::four_rows().front(),
                                                logits_npz::floats("inputs", {4, 2}, {0, 0, 1, 0, 0, 1, 1, 1})},
                                               "bare.npz")));
    EXPECT_THAT(chart.caption, ::testing::Not(HasSubstr("wrong")));
}

}   // namespace
}   // namespace credence
