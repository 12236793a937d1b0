// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"

#include <gmock/gmock.h>

#include <cmath>

namespace credence {
namespace {

using ::testing::HasSubstr;

Chart of(Series series, Axis x = {.label = "Step"}, Axis y = {.label = "Loss", .unit = "nats"})
{
    Chart chart;
    chart.panels.push_back({.x = std::move(x), .y = std::move(y), .series = {std::move(series)}});
    return chart;
}

TEST(ChartSummary, DescribesTheAxesWithUnitsAndRanges)
{
    Panel panel{.x      = {.label = "Step", .range = Range{0, 5000}},
                .y      = {.label = "Loss", .unit = "nats", .logarithmic = true},
                .series = {Line{.x = {0, 1}, .y = {0.25, 2}}}};
    EXPECT_EQ(axes_in_words(panel), "Across: Step, 0 to 5000. Up: Loss [nats], 0.25 to 2, logarithmic.");
    panel.y.hidden = true;
    EXPECT_EQ(axes_in_words(panel), "Across: Step, 0 to 5000.");
    panel.triangle = Triangle{{"cat", "dog", "bird"}};
    EXPECT_EQ(axes_in_words(panel), "Triangle of the classes cat, dog and bird.");
}

TEST(ChartSummary, DescribesStartEndAndTurningPointsOfACurve)
{
    const std::string words = summary_in_words(of(Line{.name = "test", .x = {0, 1, 2, 3}, .y = {2, 0.5, NAN, 1}}));
    EXPECT_THAT(words, HasSubstr("curve test from 2 at 0 to 1 at 3, least 0.5 at 1"));
    EXPECT_THAT(words, Not(HasSubstr("greatest")));   // it is where the curve begins
    EXPECT_THAT(summary_in_words(of(Line{.name = "empty"})), HasSubstr("curve empty without points"));
}

TEST(ChartSummary, NamesTheCategoriesOfBoxesAndIntervals)
{
    const Axis classes{.label = "Class", .categories = {"cat", "dog"}};
    const Boxes boxes{.boxes = {{.position = 0, .lower_quartile = 0.1, .median = 0.2, .upper_quartile = 0.4},
                                {.position = 1, .lower_quartile = 0.6, .median = 0.8, .upper_quartile = 0.9}}};
    EXPECT_THAT(summary_in_words(of(boxes, classes)),
                HasSubstr("2 boxes: cat median 0.2, quartiles 0.1 and 0.4; dog median 0.8, quartiles 0.6 and 0.9"));
    const IntervalBars bars{.name = "95 %", .bars = {{.position = 1, .lower = 0.1, .centre = 0.3, .upper = 0.5}}};
    EXPECT_THAT(summary_in_words(of(bars, classes)), HasSubstr("1 interval 95 %: dog 0.3, from 0.1 to 0.5"));
    EXPECT_THAT(summary_in_words(of(bars, classes)), HasSubstr("Across: Class, 2 categories."));
}

TEST(ChartSummary, DescribesTheRangeOfAMapAndTheSharesOfItsRegions)
{
    HeatMap map{
        .name = "Entropy", .unit = "nats", .nx = 2, .ny = 2, .x = {0, 1}, .y = {0, 1}, .z = {0, 0.25F, 0.5F, NAN}};
    EXPECT_THAT(summary_in_words(of(map)), HasSubstr("map of Entropy [nats], from 0 to 0.5"));
    map.z          = {0, 1, 1, 1};
    map.categories = {"blue", "orange"};
    EXPECT_THAT(summary_in_words(of(map)), HasSubstr("map of regions Entropy: blue 25 %, orange 75 %"));
}

TEST(ChartSummary, CountsWhatItDoesNotListIndividually)
{
    Chart chart;
    chart.panels.resize(2);
    chart.panels[0].title = "Loss\nof both";
    for (int k = 0; k < 6; ++k)
        chart.panels[0].series.emplace_back(Points{.name = "run " + std::to_string(k), .x = {1}, .y = {2}});
    const std::string words = summary_in_words(chart);
    EXPECT_THAT(words, ::testing::StartsWith("2 panels. Loss of both."));
    EXPECT_THAT(words, HasSubstr("1 point run 3; and 2 more series."));
    EXPECT_THAT(words, HasSubstr("Panel 2."));
    EXPECT_THAT(summary_in_words(chart, 6), Not(HasSubstr("more series")));
}

TEST(ChartSummary, OfAMessageIsTheMessageAndOfATableItsColumns)
{
    Chart chart;
    chart.message = "Nothing has been recorded yet.";
    EXPECT_EQ(summary_in_words(chart), "Nothing has been recorded yet.");
    chart.message.clear();
    chart.table = Table{.columns = {{"Score"}, {"Loss", "nats"}}, .rows = {{std::string("NLL"), 0.25}}};
    EXPECT_EQ(summary_in_words(chart), "Table of 1 row and 2 columns: Score, Loss [nats].");
    EXPECT_EQ(summary_in_words(Chart{}), "");
}

}   // namespace
}   // namespace credence
