// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/sample_charts.h"
#include "gui/widgets/showing.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

namespace credence {
namespace {

HeatMap checkerboard()
{
    HeatMap map;
    map.name = "z";
    map.nx = map.ny = 4;
    map.x = map.y = {0.125, 0.875};
    map.z_range   = {0, 1};
    for (int k = 0; k < 16; ++k)
        map.z.push_back(static_cast<float>((k + k / 4) % 2));
    return map;
}

TEST(ChartPicture, PutsTheColourOfEachCellWhereTheCellIs)
{
    HeatMap map  = checkerboard();
    map.discrete = true;
    Shown shown(unitChart({map}));
    const QImage picture = shown.picture();
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 4; ++column)
            expectColour(
                picture.pixelColor(shown.view.positionOf(0, 0.125 + 0.25 * column, 0.125 + 0.25 * row).toPoint()),
                mapColour(ColourMap::viridis, (row + column) % 2));
}

TEST(ChartPicture, SlantedNamesBelowManyBoxesBeginInsideThePicture)
{
    Chart chart = boxplotsChart(11);
    for (auto& name : chart.panels.at(0).x.categories)
        name = "stochastic gradient Hamiltonian Monte Carlo";
    Shown shown(chart, {330, 220});
    const QImage picture = shown.picture();
    int other            = 0;
    for (int y = shown.view.panelRect(0).bottom(); y < picture.height(); ++y)
        other += picture.pixel(1, y) != picture.pixel(1, 1);
    EXPECT_EQ(other, 0) << "pixels of a name that extends beyond the edge";
}

TEST(ChartPicture, SkipsNonFiniteBoxesAndBars)
{
    static int words;   // of Qt, which names an ellipse at such a place
    words              = 0;
    auto* const before = qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& text) {
        words += text.contains(QLatin1String("NaN"));
    });
    const double nan = std::nan(""), infinite = HUGE_VAL;
    const IntervalBars bars{.bars = {{.position = 0.2, .lower = 0.1, .centre = nan, .upper = 0.9},
                                     {.position = 0.4, .lower = nan, .centre = nan, .upper = nan},
                                     {.position = 0.6, .lower = -infinite, .centre = 0.5, .upper = infinite}}};
    const Boxes boxes{.boxes = {{.position       = 0.8,
                                 .lower_whisker  = 0.1,
                                 .lower_quartile = 0.3,
                                 .median         = 0.5,
                                 .upper_quartile = 0.7,
                                 .upper_whisker  = 0.9,
                                 .outliers       = {nan, 0.05}}}};
    Shown shown(unitChart({bars, boxes}));
    const QImage picture = shown.picture();
    qInstallMessageHandler(before);
    EXPECT_EQ(words, 0);
    const auto colour_at = [&](double x, double y) {
        return picture.pixelColor(shown.view.positionOf(0, x, y).toPoint());
    };
    const QColor background = colour_at(0.31, 0.55);
    EXPECT_EQ(colour_at(0.2, 0.55), colour_at(0.2, 0.95)) << "the grid alone";
    EXPECT_NE(colour_at(0.6, 0.05), background) << "extends to the edge";
    EXPECT_NE(colour_at(0.8, 0.6), background);
}

/// The colours inside the first panel, without its edges.
std::set<QRgb> coloursIn(Shown& shown)
{
    const QImage picture = shown.picture();
    const QRect inside   = shown.view.panelRect(0).adjusted(3, 3, -3, -3);
    std::set<QRgb> colours;
    for (int y = inside.top(); y <= inside.bottom(); ++y)
        for (int x = inside.left(); x <= inside.right(); ++x)
            colours.insert(picture.pixel(x, y));
    return colours;
}

TEST(ChartPicture, DoesNotSmoothDiscreteCells)
{
    HeatMap map  = checkerboard();
    map.discrete = true;
    Shown shown(unitChart({map}));
    EXPECT_EQ(coloursIn(shown).size(), 2U);
}

TEST(ChartPicture, DoesNotSmoothCategories)
{
    HeatMap map    = checkerboard();
    map.categories = {"certain", "uncertain"};
    Shown shown(unitChart({map}));
    EXPECT_EQ(coloursIn(shown).size(), 2U);
}

TEST(ChartPicture, DoesNotSmoothCounts)
{
    Chart chart   = unitChart({checkerboard()});
    Panel& panel  = chart.panels.front();
    panel.x.range = panel.y.range = Range{-0.5, 3.5};
    panel.x.categories = panel.y.categories = {"a", "b", "c", "d"};
    auto& map                               = std::get<HeatMap>(panel.series.front());
    map.x = map.y = {0, 3};
    Shown shown(chart);
    const QImage picture = shown.picture();
    const QPoint left    = shown.view.positionOf(0, 0.52, 0.4).toPoint();
    expectColour(picture.pixelColor(left + QPoint(3, 0)), mapColour(ColourMap::viridis, 1));
    expectColour(picture.pixelColor(left - QPoint(6, 0)), mapColour(ColourMap::viridis, 0));
}

/// z = x on square cells.
HeatMap slope(int cells)
{
    HeatMap map;
    map.name = "z";
    map.nx = map.ny = cells;
    map.x = map.y = {0.5 / cells, 1 - 0.5 / cells};
    map.z_range   = {0, 1};
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells; ++column)
            map.z.push_back((static_cast<float>(column) + 0.5F) / static_cast<float>(cells));
    return map;
}

TEST(ChartPicture, LooksUpColoursAfterInterpolatingAField)
{
    Shown shown(unitChart({slope(2)}));
    for (const double x : {0.27, 0.37, 0.47, 0.57, 0.73})
        expectColour(shown.at(x, 0.37), mapColour(ColourMap::viridis, x), 4);
    expectColour(shown.at(0.08, 0.37), mapColour(ColourMap::viridis, 0.25));
}

TEST(ChartPicture, ShowsNoBlocksInAField)
{
    HeatMap map = slope(50);
    for (int row = 0; row < map.ny; ++row)
        for (int column = 0; column < map.nx; ++column)
            map.z[static_cast<std::size_t>(row * map.nx + column)] = static_cast<float>(row + column) / 98;
    Shown shown(unitChart({map}), {800, 600});
    const QImage picture = shown.picture();
    const QRect inside   = shown.view.panelRect(0).adjusted(20, 20, -20, -20);
    int equal            = 0;
    for (int y = inside.top(); y + 8 <= inside.bottom(); y += 4)
        for (int x = inside.left(); x + 8 <= inside.right(); x += 4) {
            const QImage square = picture.copy(x, y, 8, 8);
            QImage flat(8, 8, square.format());
            flat.fill(square.pixel(0, 0));
            equal += square == flat;
        }
    EXPECT_EQ(equal, 0) << "squares of one colour across a gradient";
}

TEST(ChartPicture, ContinuesAFieldToTheEdgeOfAnUnknownCell)
{
    HeatMap map = slope(4);
    for (int row = 0; row < 4; ++row)
        map.z[static_cast<std::size_t>(4 * row + 2)] = NAN;
    Shown shown(unitChart({map}));
    expectColour(shown.at(0.47, 0.37), mapColour(ColourMap::viridis, 0.375), 4);
    expectColour(shown.at(0.55, 0.37), screenPalette().background);
    expectColour(shown.at(0.71, 0.37), screenPalette().background);
    expectColour(shown.at(0.78, 0.37), mapColour(ColourMap::viridis, 0.875), 4);
}

TEST(ChartPicture, DistinguishesFewMistakesFromNoneAmongManyCorrectOnes)
{
    Chart chart = confusionChart();
    auto& map   = std::get<HeatMap>(chart.panels.at(0).series.at(0));
    map.z       = {1000, 0, 1, 10, 0, 1000, 50, 0, 0, 0, 1000, 0, 0, 0, 0, 1000};
    map.z_range = {0, 1000};
    Shown shown(chart, {500, 400});
    const QImage picture = shown.picture();
    const auto shade     = [&](double column) {
        return picture.pixelColor(shown.view.positionOf(0, column + 0.35, 0.35).toPoint()).lightness();
    };
    const auto row1 = [&](double column) {
        return picture.pixelColor(shown.view.positionOf(0, column + 0.35, 1.35).toPoint()).lightness();
    };
    EXPECT_GT(shade(2) - shade(1), 5) << "1 and 0";
    EXPECT_GT(shade(3) - shade(2), 5) << "10 and 1";
    EXPECT_GT(row1(2) - shade(3), 5) << "50 and 10";
    EXPECT_GT(shade(0) - row1(2), 5) << "1000 and 50";
}

TEST(ChartPicture, LeavesUnknownCellsOfAMapEmpty)
{
    HeatMap map = checkerboard();
    map.z[5]    = NAN;
    Shown shown(unitChart({map}));
    expectColour(shown.at(0.375, 0.375), screenPalette().background);
}

TEST(ChartPicture, GivesEachRegionTheColourOfItsCategory)
{
    HeatMap map    = checkerboard();
    map.categories = {"certain", "uncertain"};
    Shown shown(unitChart({map}));
    expectColour(shown.at(0.125, 0.125), screenPalette().region(0));
    expectColour(shown.at(0.375, 0.125), screenPalette().region(1));
}

TEST(ChartPicture, DrawsContoursOverAMap)
{
    HeatMap map;
    map.name = "z";
    map.nx = map.ny = 21;
    map.x = map.y = {0, 1};
    map.z_range   = {0, 1};
    for (int row = 0; row < 21; ++row)
        for (int column = 0; column < 21; ++column)
            map.z.push_back(static_cast<float>(column) / 20);
    map.contours = {0.5};
    Shown shown(unitChart({map}));
    const QImage picture = shown.picture();
    const QPoint at      = shown.view.positionOf(0, 0.5, 0.4).toPoint();
    EXPECT_GT(countPixels(picture, QRect(at - QPoint(2, 2), at + QPoint(2, 2)), screenPalette().text, 60), 0);
    EXPECT_EQ(countPixels(picture, QRect(at + QPoint(20, -2), at + QPoint(24, 2)), screenPalette().text, 30), 0);
}

TEST(ChartPicture, DrawsHorizontalBarsWithTheirNumbersAtTheEnds)
{
    const Bars bars{.position   = {0.25, 0.75},
                    .height     = {0.3, 0.6},
                    .width      = 0.2,
                    .tone       = {Tone::Kind::posterior},
                    .opacity    = 1,
                    .horizontal = true,
                    .labels     = {"0.3", ""}};
    Shown shown(unitChart({bars}));
    const QImage picture = shown.picture();
    const QColor filled  = screenPalette().colour({Tone::Kind::posterior});
    const auto at        = [&](double x, double y) { return shown.view.positionOf(0, x, y).toPoint(); };
    expectColour(picture.pixelColor(at(0.15, 0.25)), filled);
    expectColour(picture.pixelColor(at(0.55, 0.75)), filled);
    EXPECT_NE(picture.pixelColor(at(0.45, 0.75 - 0.15)), filled) << "between the bars";
    EXPECT_NE(picture.pixelColor(at(0.72, 0.75)), filled) << "after the end";
    const auto dark = [&](double y) {
        int pixels        = 0;
        const QPoint from = at(0.31, y);
        for (int dx = 0; dx < 40; ++dx)
            for (int dy = -6; dy <= 6; ++dy)
                pixels += picture.pixelColor(from + QPoint(dx, dy)).lightness() < 100 ? 1 : 0;
        return pixels;
    };
    EXPECT_GT(dark(0.25), 5) << "the number";
}

TEST(ChartPicture, NamesEveryRowOfASmallChartOnRequest)
{
    Chart chart = unitChart({Bars{.position = {0, 1, 2, 3, 4, 5}, .height = {1, 2, 3, 4, 5, 6}, .horizontal = true}});
    auto& y     = chart.panels.at(0).y;
    y           = {.range = Range{5.5, -0.5}, .categories = {"a", "b", "c", "d", "e", "f"}};
    const auto namedRows = [&] {
        Shown shown(chart, {400, 200});
        const QImage picture = shown.picture();
        const QRect axes     = shown.view.panelRect(0);
        int rows             = 0;
        for (int k = 0; k < 6; ++k) {
            const int middle = shown.view.positionOf(0, 0, k).toPoint().y();
            bool ink         = false;
            for (int px = 0; px < axes.left() - 3; ++px)
                for (int dy = -4; dy <= 4; ++dy)
                    ink = ink || picture.pixelColor(px, middle + dy).lightness() < 140;
            rows += ink ? 1 : 0;
        }
        return rows;
    };
    EXPECT_LT(namedRows(), 6);
    y.whole_names = true;
    EXPECT_EQ(namedRows(), 6);
}

TEST(ChartPicture, DrawsALineThroughItsPoints)
{
    Line line{.name = "", .x = {0, 1}, .y = {0.5, 0.5}, .tone = {Tone::Kind::wrong}, .width = 3};
    Shown shown(unitChart({line}));
    for (const double x : {0.1, 0.35, 0.8})
        expectColour(shown.at(x, 0.5), screenPalette().wrong);
    expectColour(shown.at(0.35, 0.72), screenPalette().background, 40);
}

TEST(ChartPicture, BreaksALineAtAMissingNumber)
{
    Line line{.name  = "",
              .x     = {0, 0.3, 0.5, 0.7, 1},
              .y     = {0.5, 0.5, NAN, 0.5, 0.5},
              .tone  = {Tone::Kind::wrong},
              .width = 3};
    Shown shown(unitChart({line}));
    expectColour(shown.at(0.15, 0.5), screenPalette().wrong);
    expectColour(shown.at(0.85, 0.5), screenPalette().wrong);
    EXPECT_EQ(
        countPixels(shown.picture(),
                    QRect(shown.view.positionOf(0, 0.4, 0.55).toPoint(), shown.view.positionOf(0, 0.6, 0.45).toPoint()),
                    screenPalette().wrong),
        0);
}

TEST(ChartPicture, DrawsStepsThatHoldUntilTheNextPoint)
{
    Line line{
        .name = "", .x = {0, 0.5, 1}, .y = {0.2, 0.8, 0.8}, .tone = {Tone::Kind::wrong}, .width = 3, .steps = true};
    Shown shown(unitChart({line}));
    expectColour(shown.at(0.25, 0.2), screenPalette().wrong);
    expectColour(shown.at(0.45, 0.2), screenPalette().wrong);
    expectColour(shown.at(0.5, 0.5), screenPalette().wrong);
    expectColour(shown.at(0.75, 0.8), screenPalette().wrong);
}

TEST(ChartPicture, DrawsACurveThatReversesDirection)
{
    Line line{.name  = "",
              .x     = {0.2, 0.8, 0.8, 0.2, 0.2},
              .y     = {0.2, 0.2, 0.8, 0.8, 0.2},
              .tone  = {Tone::Kind::wrong},
              .width = 3};
    Shown shown(unitChart({line}));
    for (const auto& [x, y] : {std::pair{0.45, 0.2}, {0.8, 0.45}, {0.45, 0.8}, {0.2, 0.45}})
        expectColour(shown.at(x, y), screenPalette().wrong);
}

TEST(ChartPicture, FillsABandBetweenItsBorders)
{
    Band band{.name    = "",
              .x       = {0, 1},
              .lower   = {0.25, 0.25},
              .upper   = {0.75, 0.75},
              .tone    = {Tone::Kind::posterior},
              .opacity = 1};
    Shown shown(unitChart({band}));
    expectColour(shown.at(0.33, 0.5), screenPalette().posterior);
    expectColour(shown.at(0.33, 0.3), screenPalette().posterior);
    expectColour(shown.at(0.33, 0.17), screenPalette().background);
    expectColour(shown.at(0.33, 0.93), screenPalette().background);
}

TEST(ChartPicture, DrawsFilledPointsInTheirTone)
{
    Points points{.name = "", .x = {0.3, 0.7}, .y = {0.7, 0.3}, .tone = category(1), .size = 10};
    Shown shown(unitChart({points}));
    expectColour(shown.at(0.3, 0.7), screenPalette().category(1));
    expectColour(shown.at(0.7, 0.3), screenPalette().category(1));
    expectColour(shown.at(0.33, 0.33), screenPalette().background);
}

TEST(ChartPicture, LeavesOpenPointsOpen)
{
    Points points{.name = "", .x = {0.33}, .y = {0.71}, .tone = category(1), .size = 14, .filled = false};
    Shown shown(unitChart({points}));
    expectColour(shown.at(0.33, 0.71), screenPalette().background);
    EXPECT_GT(countPixels(shown.picture(), shown.view.panelRect(0), screenPalette().category(1), 40), 5);
}

TEST(ChartPicture, DrawsBarsFromZeroToTheirHeight)
{
    Bars bars{.name     = "",
              .position = {0.25, 0.75},
              .height   = {0.4, 0.8},
              .width    = 0.3,
              .tone     = {Tone::Kind::prior},
              .opacity  = 1};
    Shown shown(unitChart({bars}));
    expectColour(shown.at(0.25, 0.1), screenPalette().prior);
    expectColour(shown.at(0.27, 0.53), screenPalette().background);
    expectColour(shown.at(0.75, 0.7), screenPalette().prior);
    expectColour(shown.at(0.53, 0.13), screenPalette().background);
}

TEST(ChartPicture, DrawsBoxesWithMedianWhiskersAndOutliers)
{
    Boxes boxes{.name = "", .boxes = {{0.5, 0.2, 0.4, 0.5, 0.6, 0.8, {0.93}, {Tone::Kind::right}}}, .width = 0.4};
    Shown shown(unitChart({boxes}));
    expectColour(shown.at(0.45, 0.5), screenPalette().right, 4);      // median
    EXPECT_NE(shown.at(0.45, 0.45), screenPalette().background);      // inside of the box
    expectColour(shown.at(0.36, 0.31), screenPalette().background);   // next to the whisker
    const auto near = [&shown](double x, double y) {
        return countPixels(shown.picture(),
                           QRect(shown.view.positionOf(0, x, y).toPoint() - QPoint(5, 5), QSize(11, 11)),
                           screenPalette().right, 130);
    };                               // a thin line is spread over two pixels
    EXPECT_GT(near(0.5, 0.3), 5);    // lower whisker
    EXPECT_GT(near(0.5, 0.7), 5);    // upper whisker
    EXPECT_GT(near(0.5, 0.93), 3);   // outlier
    EXPECT_EQ(near(0.53, 0.13), 0);
}

TEST(ChartPicture, DrawsIntervalBarsWithADotAtTheCentre)
{
    IntervalBars bars{.name = "", .bars = {{0.5, 0.2, 0.4, 0.9, {Tone::Kind::wrong}}}};
    Shown shown(unitChart({bars}));
    expectColour(shown.at(0.5, 0.4), screenPalette().wrong);
    expectColour(shown.at(0.5, 0.8), screenPalette().wrong, 90);
    EXPECT_EQ(countPixels(shown.picture(),
                          QRect(shown.view.positionOf(0, 0.5, 0.1).toPoint() - QPoint(5, 5), QSize(11, 11)),
                          screenPalette().wrong),
              0);
}

TEST(ChartPicture, DrawsRulesAcrossThePanel)
{
    const Rule horizontal{
        .direction = Rule::Direction::horizontal, .at = 0.55, .tone = {Tone::Kind::wrong}, .style = LineStyle::solid};
    const Rule vertical{
        .direction = Rule::Direction::vertical, .at = 0.33, .tone = {Tone::Kind::right}, .style = LineStyle::solid};
    const Rule diagonal{.direction = Rule::Direction::diagonal, .tone = {Tone::Kind::prior}, .style = LineStyle::solid};
    Shown shown(unitChart({horizontal, vertical, diagonal}));
    const auto near = [&shown](double x, double y, QColor colour) {
        return countPixels(shown.picture(), QRect(shown.view.positionOf(0, x, y).toPoint() - QPoint(2, 2), QSize(5, 5)),
                           colour, 70);
    };
    EXPECT_GT(near(0.05, 0.55, screenPalette().wrong), 0);
    EXPECT_GT(near(0.95, 0.55, screenPalette().wrong), 0);
    EXPECT_GT(near(0.33, 0.05, screenPalette().right), 0);
    EXPECT_GT(near(0.33, 0.95, screenPalette().right), 0);
    EXPECT_GT(near(0.1, 0.1, screenPalette().prior), 0);
    EXPECT_GT(near(0.9, 0.9, screenPalette().prior), 0);
    EXPECT_EQ(near(0.9, 0.1, screenPalette().prior), 0);
}

TEST(ChartPicture, DrawsLaterSeriesOverEarlierOnes)
{
    const Band below{.name = "", .x = {0, 1}, .lower = {0, 0}, .upper = {1, 1}, .tone = category(0), .opacity = 1};
    const Band above{.name = "", .x = {0, 1}, .lower = {0, 0}, .upper = {1, 1}, .tone = category(1), .opacity = 1};
    Shown shown(unitChart({below, above}));
    expectColour(shown.at(0.4, 0.4), screenPalette().category(1));
}

TEST(ChartPicture, KeepsEqualUnitsEquallyLong)
{
    for (const QSize size : {QSize(350, 250), QSize(900, 300), QSize(300, 700)}) {
        Chart chart = decisionMapChart(20);
        Shown shown(chart, size);
        const QRect panel = shown.view.panelRect(0);
        const double perX = panel.width() / 5.0, perY = panel.height() / 3.5;
        EXPECT_NEAR(perX / perY, 1, 0.03) << size.width() << " × " << size.height();
        EXPECT_TRUE(shown.view.rect().contains(panel));
        EXPECT_GT(panel.width(), 100);
    }
}

TEST(ChartPicture, PicturesWithTheSameRangesAreEquallyLarge)
{
    const Range cells{-0.5, 7.5};
    Panel map{.title        = "Gradient",
              .x            = {.range = cells, .hidden = true},
              .y            = {.range = cells, .hidden = true},
              .series       = {HeatMap{.name     = "Gradient",
                                       .unit     = "nats",
                                       .nx       = 8,
                                       .ny       = 8,
                                       .x        = {0, 7},
                                       .y        = {0, 7},
                                       .z        = std::vector<float>(64, 0.5F),
                                       .z_range  = {-1, 1},
                                       .discrete = true}},
              .legend       = false,
              .equal_aspect = true};
    Panel image  = map;
    image.title  = "Image";
    image.series = {Pictures{.pictures = {Picture{.x       = 3.5,
                                                  .y       = 3.5,
                                                  .width   = 8,
                                                  .height  = 8,
                                                  .columns = 8,
                                                  .rows    = 8,
                                                  .pixels  = std::vector<std::uint8_t>(64, 90)}}}};
    Chart chart{.id = "pixels", .columns = 3, .panels = {image, map, map, map, image}};
    for (const QSize size : {QSize(1100, 640), QSize(800, 900), QSize(700, 300)}) {   // the last one is compact
        Shown shown(chart, size);
        const QRect first = shown.view.panelRect(0);
        EXPECT_GT(first.width(), 60);
        for (int k = 1; k < 5; ++k) {
            const QRect panel = shown.view.panelRect(k);
            EXPECT_NEAR(panel.width(), first.width(), 2) << size.width() << " × " << size.height() << ", panel " << k;
            EXPECT_NEAR(panel.height(), first.height(), 2) << size.width() << " × " << size.height() << ", panel " << k;
            EXPECT_NEAR(panel.width(), panel.height(), 2);
        }
        if (size.height() > 300) {
            EXPECT_NEAR(shown.view.panelRect(1).top(), first.top(), 2) << "in a row at one height";
        }
    }
}

TEST(ChartPicture, TurnsDarkWithThePalette)
{
    Shown shown(regressionChart());
    const QColor ground = shown.picture().pixelColor(1, 1);
    shown.view.setPalette(darkPalette());
    settle();
    EXPECT_EQ(ground, QColor("#ffffff"));
    EXPECT_EQ(shown.picture().pixelColor(1, 1), QColor("#23262b"));
    EXPECT_GT(countPixels(shown.picture(), shown.view.panelRect(0), ChartPalette::dark().posterior, 30), 20);
}

TEST(ChartPicture, FitsEverySampleIntoADock)
{
    for (const Chart& chart : sampleCharts()) {
        if (chart.panels.empty())
            continue;
        Shown shown(chart, {350, 250});
        const QRect panel = shown.view.panelRect(0);
        EXPECT_GE(panel.width(), 90) << chart.id;
        EXPECT_GE(panel.height(), 60) << chart.id;
        EXPECT_TRUE(shown.view.rect().contains(panel)) << chart.id;
    }
}

TEST(ChartPicture, StacksPanelsThatWouldBeTooNarrow)
{
    Shown wide(decisionMapsChart(), {900, 400});
    EXPECT_EQ(wide.view.panelRect(0).top(), wide.view.panelRect(2).top());
    Shown narrow(decisionMapsChart(), {300, 400});
    EXPECT_LT(narrow.view.panelRect(0).bottom(), narrow.view.panelRect(1).top());
    EXPECT_EQ(narrow.view.panelRect(0).left(), narrow.view.panelRect(1).left());
}

TEST(ChartPicture, ExplainsAnEmptyChart)
{
    Shown shown(emptyChart());
    EXPECT_GT(countPixels(shown.picture(), shown.view.rect(), screenPalette().muted, 60), 50);
}

TEST(ChartPicture, SurvivesEmptySeries)
{
    Shown shown(unitChart({HeatMap{}, Band{}, Bars{}, Line{}, Boxes{}, IntervalBars{}, Points{}}));
    expectColour(shown.at(0.33, 0.33), screenPalette().background);
}

}   // namespace
}   // namespace credence
