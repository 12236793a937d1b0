// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/showing.h"
#include "widgets/chart_axes.h"
#include "widgets/chart_palette.h"
#include "widgets/heat_map_plottable.h"

#include <gmock/gmock.h>

#include <cmath>

namespace credence {
namespace {

/// Relative luminance of sRGB, Rec. 709.
double luminance(const QColor& colour)
{
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

TEST(ChartPalette, ViridisAndCividisEndWhereMatplotlibsDo)
{
    EXPECT_EQ(mapColour(ColourMap::viridis, 0), QColor("#440154"));
    EXPECT_EQ(mapColour(ColourMap::viridis, 1), QColor("#fde725"));
    EXPECT_EQ(mapColour(ColourMap::cividis, 0), QColor("#00224e"));
    EXPECT_EQ(mapColour(ColourMap::cividis, 1), QColor("#fee838"));
}

TEST(ChartPalette, SequentialMapsIncreaseMonotonicallyInBrightness)
{
    for (const auto map : {ColourMap::viridis, ColourMap::cividis})
        for (int k = 1; k <= 50; ++k)
            EXPECT_GT(luminance(mapColour(map, k / 50.0)), luminance(mapColour(map, (k - 1) / 50.0))) << k;
}

TEST(ChartPalette, TheDivergingMapIsBrightestInItsMiddle)
{
    for (int k = 0; k <= 10; ++k) {
        EXPECT_LE(luminance(mapColour(ColourMap::diverging, k / 10.0)),
                  luminance(mapColour(ColourMap::diverging, 0.5)));
    }
}

TEST(ChartPalette, SharesOutsideZeroToOneAreClamped)
{
    EXPECT_EQ(mapColour(ColourMap::viridis, -3), mapColour(ColourMap::viridis, 0));
    EXPECT_EQ(mapColour(ColourMap::viridis, 7), mapColour(ColourMap::viridis, 1));
}

TEST(ChartPalette, TextIsLegibleOnItsBackground)
{
    for (const ChartPalette& palette : {ChartPalette::light(), ChartPalette::dark(), ChartPalette::print()}) {
        EXPECT_GE(contrast(palette.text, palette.background), 7);
        EXPECT_GE(contrast(palette.muted, palette.background), 4.5);
    }
}

TEST(ChartPalette, CategoriesDifferAndRepeatWithAnotherMarker)
{
    const ChartPalette palette = ChartPalette::print();
    for (int a = 0; a < 8; ++a)
        for (int b = 0; b < a; ++b)
            EXPECT_NE(palette.category(a), palette.category(b));
    EXPECT_EQ(palette.category(8), palette.category(0));
    EXPECT_NE(categoryMarker(8), categoryMarker(0));
}

TEST(ChartPalette, FollowsTheBackgroundOfTheDesktop)
{
    EXPECT_EQ(ChartPalette::forScreen(darkPalette()).background, QColor("#23262b"));
    EXPECT_EQ(ChartPalette::forScreen(darkPalette()).category(0), ChartPalette::dark().category(0));
    EXPECT_EQ(ChartPalette::forScreen(lightPalette()).category(0), ChartPalette::light().category(0));
    EXPECT_NE(ChartPalette::dark().category(0), ChartPalette::print().category(0));
}

TEST(AxisRanges, ContainEveryPointWithAMargin)
{
    Panel panel;
    panel.series             = {Line{.name = "", .x = {1, 3}, .y = {-2, 5}}};
    const PanelRanges ranges = panelRanges(panel);
    EXPECT_LT(ranges.x.first, 1);
    EXPECT_GT(ranges.x.second, 3);
    EXPECT_LT(ranges.y.first, -2);
    EXPECT_GT(ranges.y.second, 5);
}

TEST(AxisRanges, EndAtTheEdgesOfTheOuterCellsOfAMap)
{
    HeatMap map;
    map.nx = map.ny = 5;
    map.x           = {0, 4};
    map.y           = {10, 18};
    map.z.assign(25, 0);
    Panel panel;
    panel.series = {map};
    EXPECT_EQ(panelRanges(panel).x, (Range{-0.5, 4.5}));
    EXPECT_EQ(panelRanges(panel).y, (Range{9, 19}));
}

TEST(AxisRanges, StartAtZeroForBars)
{
    Panel panel;
    panel.series = {Bars{.name = "", .position = {1, 2}, .height = {3, 4}, .width = 1}};
    EXPECT_EQ(panelRanges(panel).y.first, 0);
    EXPECT_GT(panelRanges(panel).y.second, 4);
}

TEST(AxisRanges, OfNothingAreZeroToOne)
{
    EXPECT_EQ(panelRanges(Panel{}).x, (Range{0, 1}));
    Panel logarithmic;
    logarithmic.y.logarithmic = true;
    logarithmic.series        = {Line{.name = "", .x = {0, 1}, .y = {0, -1}}};
    EXPECT_GT(panelRanges(logarithmic).y.first, 0);
}

TEST(AxisRanges, IgnoreNonPositiveValuesOnALogarithmicAxis)
{
    Panel panel;
    panel.y.logarithmic = true;
    panel.series        = {Line{.name = "", .x = {0, 1, 2, 3}, .y = {0, 1, NAN, 100}}};
    EXPECT_GT(panelRanges(panel).y.first, 0.5);
    EXPECT_LT(panelRanges(panel).y.second, 200);
}

TEST(Contours, OfAPlaneAreStraightAndWhereThePlaneIs)
{
    HeatMap map;
    map.nx = 11;
    map.ny = 6;
    map.x  = {0, 10};
    map.y  = {0, 10};
    for (int row = 0; row < 6; ++row)
        for (int column = 0; column < 11; ++column)
            map.z.push_back(static_cast<float>(column + 2 * row));   // z = x + y
    const auto lines = contourLines(map, 7.25);
    ASSERT_FALSE(lines.empty());
    double length = 0;
    for (const QLineF& line : lines) {
        EXPECT_NEAR(line.x1() + line.y1(), 7.25, 1e-5);
        EXPECT_NEAR(line.x2() + line.y2(), 7.25, 1e-5);
        length += line.length();
    }
    EXPECT_NEAR(length, 7.25 * std::sqrt(2.0), 1e-4);
}

TEST(Contours, OfACircleCloseUp)
{
    HeatMap map;
    map.nx = map.ny = 81;
    map.x = map.y = {-2, 2};
    for (int row = 0; row < 81; ++row)
        for (int column = 0; column < 81; ++column)
            map.z.push_back(static_cast<float>(std::hypot(-2 + 0.05 * column, -2 + 0.05 * row)));
    double length = 0;
    for (const QLineF& line : contourLines(map, 1))
        length += line.length();
    EXPECT_NEAR(length, 2 * M_PI, 0.01);
}

TEST(Contours, SkipUnknownCells)
{
    HeatMap map;
    map.nx = map.ny = 2;
    map.x = map.y = {0, 1};
    map.z         = {0, 1, NAN, 1};
    EXPECT_TRUE(contourLines(map, 0.5).empty());
}

}   // namespace
}   // namespace credence
