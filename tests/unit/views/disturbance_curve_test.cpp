// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/charts/series_of.h"
#include "views/classification_figures.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;

namespace {

/// Three strengths, three classes: the second takes over from the first, the third is never likely.
DisturbanceCurve curve()
{
    ClassPredictions all{.n_inputs           = 3,
                         .n_classes          = 3,
                         .mean               = {0.97, 0.02, 0.01, 0.5, 0.48, 0.02, 0.1, 0.88, 0.02},
                         .predicted          = {0, 0, 1},
                         .confidence         = {0.97, 0.5, 0.88},
                         .entropy            = {0.15, 0.78, 0.42},
                         .expected_entropy   = {0.1, 0.3, 0.3},
                         .mutual_information = {0.05, 0.48, 0.12}};
    return {.input       = "test image 3",
            .quantity    = "Rotation",
            .unit        = "°",
            .at          = {0, 45, 90},
            .predictions = all,
            .class_names = {"cat", "dog", "owl"},
            .true_class  = 0,
            .now         = {},
            .pictures    = {}};
}

}   // namespace

TEST(DisturbanceCurve, HasALineForEveryClassThatIsLikelySomewhere)
{
    const auto chart = to_chart(curve());
    ASSERT_EQ(chart.panels.size(), 2U);
    const auto lines = series_of<Line>(chart.panels[0]);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].name, "cat (true)");
    EXPECT_THAT(lines[0].x, ElementsAre(0, 45, 90));
    EXPECT_THAT(lines[0].y, ElementsAre(0.97, 0.5, 0.1));
    EXPECT_EQ(lines[1].name, "dog");
    EXPECT_GT(lines[0].width, lines[1].width);
    EXPECT_EQ(chart.panels[0].x.label, "Rotation");
    EXPECT_EQ(chart.panels[0].x.unit, "°");
    EXPECT_EQ(chart.panels[0].x.range, Range(0, 90));
}

TEST(DisturbanceCurve, KeepsTheTrueClassHoweverUnlikely)
{
    auto value       = curve();
    value.true_class = 2;
    EXPECT_EQ(series_of<Line>(to_chart(value).panels[0]).back().name, "owl (true)");
}

TEST(DisturbanceCurve, ShowsEntropyWithItsParts)
{
    const auto lines = series_of<Line>(to_chart(curve()).panels[1]);
    ASSERT_EQ(lines.size(), 3U);
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(lines[0].y[i], lines[1].y[i] + lines[2].y[i], 1e-12);
}

TEST(DisturbanceCurve, MarksTheCurrentStrengthAndPutsPicturesOnTop)
{
    auto value       = curve();
    value.now        = 20;
    value.pictures   = {Picture{.columns = 1, .rows = 1, .pixels = {9}, .caption = "0"},
                        Picture{.columns = 1, .rows = 1, .pixels = {99}, .caption = "90"}};
    const auto chart = to_chart(value);
    ASSERT_EQ(chart.panels.size(), 3U);
    EXPECT_EQ(series_of<Pictures>(chart.panels[0]).at(0).pictures.size(), 2U);
    for (int panel : {1, 2})
        EXPECT_EQ(series_of<Rule>(chart.panels[static_cast<std::size_t>(panel)]).at(0).at, 20);
}
