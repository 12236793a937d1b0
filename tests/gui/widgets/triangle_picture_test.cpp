// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/showing.h"

#include "charts/triangle.h"
#include "simplex/ternary_grid.h"
#include "widgets/chart_hand.h"
#include "widgets/render_chart.h"

#include <QSignalSpy>
#include <QTest>
#include <gmock/gmock.h>

#include <cmath>
#include <set>

namespace credence {
namespace {

/// n = 4; up cells hold 0, down cells 1.
TernaryMap upAndDown()
{
    TernaryMap map{.name = "Density", .n = 4, .z_range = {0, 1}};
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 2 * (4 - i) - 1; ++k)
            map.z.push_back(static_cast<float>(k % 2));
    return map;
}

Chart triangleChart(std::vector<Series> series)
{
    Panel panel;
    panel.triangle = Triangle{{"cat", "dog", "bird"}};
    panel.series   = std::move(series);
    Chart chart{.id = "triangle", .title = "Triangle", .panels = {panel}};
    return chart;
}

TEST(TrianglePicture, PutsTheColourOfEachCellWhereTheCellIs)
{
    const TernaryMap map = upAndDown();
    Shown shown(triangleChart({map}));
    const TernaryGrid grid{4, {}};
    for (int cell = 0; cell < 16; ++cell) {
        const auto c = grid.corners(cell);
        expectColour(shown.at((c[0][0] + c[1][0] + c[2][0]) / 3, (c[0][1] + c[1][1] + c[2][1]) / 3),
                     mapColour(ColourMap::viridis, static_cast<double>(map.z[static_cast<std::size_t>(cell)])));
    }
}

TEST(TrianglePicture, LeavesTheBackgroundOutsideTheTriangle)
{
    Shown shown(triangleChart({upAndDown()}));
    expectColour(shown.at(0.7, -0.12), screenPalette().background);
    expectColour(shown.at(-0.15, 0.35), screenPalette().background);
}

TEST(TrianglePicture, DoesNotSmoothTheCells)
{
    Shown shown(triangleChart({upAndDown()}));
    const QImage picture = shown.picture();
    const QPoint at      = shown.view.positionOf(0, 0.34, 0.33).toPoint();
    std::set<QRgb> colours;
    for (int y = -40; y <= 40; ++y)
        for (int x = -30; x <= 30; ++x)
            colours.insert(picture.pixel(at + QPoint(x, y)));
    EXPECT_EQ(colours.size(), 2U);
}

TEST(TrianglePicture, SidesAreEquallyLong)
{
    Shown shown(triangleChart({upAndDown()}), {600, 330});
    const QPointF a = shown.view.positionOf(0, 1, 0), b = shown.view.positionOf(0, 0, 1),
                  c   = shown.view.positionOf(0, 0, 0);
    const auto length = [](QPointF d) { return std::hypot(d.x(), d.y()); };
    EXPECT_NEAR(length(a - b), length(b - c), 2);
    EXPECT_NEAR(length(a - b), length(c - a), 2);
    EXPECT_LT(a.x(), b.x());
    EXPECT_LT(c.y(), a.y());   // the third class on top
}

TEST(TrianglePicture, AClickReportsTheProbabilitiesOfTheFirstTwoClasses)
{
    Shown shown(triangleChart({upAndDown()}));
    QSignalSpy clicks(&shown.view.hand(), &ChartHand::pointClicked);
    const QPoint at = shown.view.positionOf(0, 0.2, 0.5).toPoint();
    auto* plot      = shown.view.findChild<QWidget*>(QStringLiteral("plot"));
    QTest::mouseClick(plot, Qt::LeftButton, {}, plot->mapFrom(&shown.view, at));
    ASSERT_EQ(clicks.size(), 1);
    EXPECT_NEAR(clicks[0][1].toDouble(), 0.2, 0.01);
    EXPECT_NEAR(clicks[0][2].toDouble(), 0.5, 0.01);
}

TEST(TrianglePicture, TheTipNamesTheThreeProbabilitiesAndTheDensity)
{
    const Chart chart = triangleChart({upAndDown()});
    const QString tip = describePoint(chart.panels[0], 0.2, 0.5);
    EXPECT_TRUE(tip.contains(QStringLiteral("cat: 0.200"))) << tip.toStdString();
    EXPECT_TRUE(tip.contains(QStringLiteral("bird: 0.300"))) << tip.toStdString();
    EXPECT_TRUE(tip.contains(QStringLiteral("Density: "))) << tip.toStdString();
    EXPECT_TRUE(describePoint(chart.panels[0], 0.9, 0.5).isEmpty());
}

TEST(TrianglePicture, LogarithmicColoursDivideTheDecadesEvenly)
{
    TernaryMap map  = upAndDown();
    map.logarithmic = true;
    map.z_range     = {0.01, 1};
    std::fill(map.z.begin(), map.z.end(), 0.1f);
    map.z[0] = 0;   // below the scale
    Shown shown(triangleChart({map}));
    expectColour(shown.at(0.3, 0.3), mapColour(ColourMap::viridis, 0.5), 3);
    expectColour(shown.at(0.08, 0.08), mapColour(ColourMap::viridis, 0), 3);
}

TEST(TrianglePicture, LinesAndPointsAreAtTheirProbabilities)
{
    Points points{.x = {0.25}, .y = {0.6}, .tone = {Tone::Kind::wrong}, .marker = Marker::square, .size = 12};
    Line line{.x = {0.8, 0.1}, .y = {0.1, 0.1}, .tone = {Tone::Kind::right}, .width = 4, .halo = true};
    TernaryMap map = upAndDown();
    std::fill(map.z.begin(), map.z.end(), 0.0f);
    Shown shown(triangleChart({map, line, points}));
    expectColour(shown.at(0.25, 0.6), screenPalette().wrong);
    expectColour(shown.at(0.45, 0.1), screenPalette().right, 4);
}

TEST(TrianglePicture, FilesCarryTheCornersAsTextAndTheMapWithoutSmoothing)
{
    const Chart chart    = triangleChart({upAndDown()});
    const QByteArray svg = chartSvg(chart, ChartPalette::print(), {80, 70}, {});
    for (const char* name : {"cat", "dog", "bird"})
        EXPECT_TRUE(svg.contains(QByteArray(">") + name + "</text>")) << name;
    EXPECT_TRUE(svg.contains("<image"));
    const QImage picture = chartImage(chart, ChartPalette::print(), {80, 70}, 300);
    std::set<QRgb> colours;
    for (int y = picture.height() / 2 - 30; y < picture.height() / 2 + 30; ++y)
        for (int x = picture.width() * 4 / 10 - 20; x < picture.width() * 4 / 10 + 20; ++x)
            colours.insert(picture.pixel(x, y));
    EXPECT_LE(colours.size(), 2U);
}

/// Two triangles as in the simplex views, with or without titles.
Chart compactTriangles(const std::string& top, const std::string& title)
{
    TernaryMap map = upAndDown();
    std::fill(map.z.begin(), map.z.end(), 0.0f);
    Chart chart                             = triangleChart({map});
    chart.panels.front().triangle->corners  = {"class 0", "class 1", top};
    chart.panels.front().triangle->tones[2] = {Tone::Kind::wrong};
    chart.panels.resize(2, chart.panels.front());
    for (Panel& panel : chart.panels)
        panel.title = title;
    chart.columns = 2;
    return chart;
}

TEST(TrianglePicture, TitlesAndKeyOfACompactChartCoverNoNameOfACorner)
{
    const QColor name = legible(screenPalette().wrong, screenPalette().background), text = screenPalette().text;
    const auto pixels = [](const Chart& chart, QSize size, QColor colour) {
        Shown shown(chart, size);
        return countPixels(shown.picture(), shown.view.rect(), colour, 60);
    };
    for (const char* top : {"class 2", "Iris versicolor"})
        for (const QSize size : {QSize(360, 150), QSize(480, 200), QSize(620, 180), QSize(960, 240)}) {
            const int alone = pixels(compactTriangles(top, ""), size, name);
            EXPECT_GT(alone, 10) << top << " " << size.width();
            EXPECT_GE(pixels(compactTriangles(top, "Laplace Bridge"), size, name), 0.7 * alone)
                << top << " " << size.width();
            EXPECT_GE(pixels(compactTriangles(top, "Laplace Bridge"), size, text),
                      pixels(compactTriangles(top, ""), size, text) + 40)
                << "titles are shown: " << top << " " << size.width();
        }
}

TEST(TrianglePicture, WordsUseTheSpaceToTheLeftAndRightOfWideCompactTriangles)
{
    Shown with(compactTriangles("class 2", "Laplace Bridge"), {700, 200});
    Shown without(compactTriangles("class 2", ""), {700, 200});
    EXPECT_EQ(with.view.panelRect(1).height(), without.view.panelRect(1).height());
    Shown narrow(compactTriangles("class 2", "Laplace Bridge"), {370, 150});
    EXPECT_GE(narrow.view.panelRect(0).top(), 10) << "words are above the triangle";
    EXPECT_EQ(narrow.view.panelRect(0).size(), narrow.view.panelRect(1).size());
}

}   // namespace
}   // namespace credence
