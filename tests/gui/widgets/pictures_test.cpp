// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/boxplots.h"
#include "charts/pictures.h"
#include "gui/widgets/sample_charts.h"
#include "gui/widgets/showing.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_painter.h"
#include "widgets/export_figure.h"
#include "widgets/plottables.h"

#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <gmock/gmock.h>

#include <set>

namespace credence {
namespace {

/// 4 columns, 3 rows, every pixel of its own shade.
Picture twelveShades()
{
    Picture picture{.columns = 4, .rows = 3};
    for (int k = 0; k < 12; ++k)
        picture.pixels.push_back(static_cast<std::uint8_t>(20 * k));
    return picture;
}

Picture placed(Picture picture, double x, double y, double width, double height)
{
    picture.x = x, picture.y = y, picture.width = width, picture.height = height;
    return picture;
}

int shade(const QColor& colour)
{
    EXPECT_EQ(colour.red(), colour.green());
    EXPECT_EQ(colour.red(), colour.blue());
    return colour.red();
}

TEST(Pictures, PutEachPixelInPlaceWithRowZeroOnTop)
{
    Shown shown(unitChart({Pictures{.name = "", .pictures = {placed(twelveShades(), 0.5, 0.5, 0.8, 0.6)}}}));
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
            EXPECT_EQ(shade(shown.at(0.2 + 0.2 * column, 0.7 - 0.2 * row)), 20 * (4 * row + column));
}

TEST(Pictures, AreNeverSmoothed)
{
    Shown shown(unitChart({Pictures{.name = "", .pictures = {placed(twelveShades(), 0.5, 0.5, 0.8, 0.6)}}}));
    const QRect inside = QRect(shown.view.positionOf(0, 0.1, 0.8).toPoint(),
                               shown.view.positionOf(0, 0.9, 0.2).toPoint())
                             .adjusted(3, 3, -3, -3);
    const QImage picture = shown.picture();
    std::set<QRgb> colours;
    for (int y = inside.top(); y <= inside.bottom(); ++y)
        for (int x = inside.left(); x <= inside.right(); ++x)
            colours.insert(picture.pixel(x, y));
    EXPECT_EQ(colours.size(), 12U);
}

TEST(Pictures, ShowColours)
{
    Picture picture{.columns = 2, .rows = 1, .channels = 3, .pixels = {255, 10, 0, 200, 30, 90}};
    Shown shown(unitChart({Pictures{.name = "", .pictures = {placed(picture, 0.5, 0.5, 0.8, 0.4)}}}));
    EXPECT_EQ(shown.at(0.3, 0.5), QColor(255, 0, 30));
    EXPECT_EQ(shown.at(0.7, 0.5), QColor(10, 200, 90));
}

TEST(Pictures, HaveAFrameOfTheirTone)
{
    Picture picture = placed(twelveShades(), 0.5, 0.5, 0.5, 0.5);
    picture.frame   = Tone{Tone::Kind::wrong};
    Shown shown(unitChart({Pictures{.name = "", .pictures = {picture}}}));
    EXPECT_GT(countPixels(shown.picture(), shown.view.panelRect(0), ChartPalette::forScreen(lightPalette()).wrong),
              300);
}

TEST(Pictures, WriteTheirCaptionBelow)
{
    Picture picture = placed(twelveShades(), 0.5, 0.6, 0.5, 0.5);
    picture.caption = "4 → 9\n0.998";
    Shown shown(unitChart({Pictures{.name = "", .pictures = {picture}}}));
    const QRect below(shown.view.positionOf(0, 0.25, 0.33).toPoint(), shown.view.positionOf(0, 0.75, 0.2).toPoint());
    EXPECT_GT(countPixels(shown.picture(), below, ChartPalette::forScreen(lightPalette()).text, 90), 30);
}

TEST(Pictures, WithInconsistentSizesAreLeftOut)
{
    Picture broken{.columns = 5, .rows = 5, .pixels = {1, 2, 3}};
    EXPECT_TRUE(imageOf(broken).isNull());
    Shown shown(unitChart({Pictures{.name = "", .pictures = {broken}}}));
    EXPECT_TRUE(shown.view.rect().contains(shown.view.panelRect(0)));
}

TEST(Pictures, AreEmbeddedInAnSvgLosslessWithManyPixelsAPixel)
{
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("figure.svg"));
    exportChart(unitChart({Pictures{.name = "", .pictures = {placed(twelveShades(), 0.5, 0.5, 0.8, 0.6)}}}), file, {},
                {});
    QFile svg(file);
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    static const QRegularExpression embedded(QStringLiteral("data:image/png;base64,([^\"]*)\""));
    const auto found = embedded.match(QString::fromUtf8(svg.readAll()));
    ASSERT_TRUE(found.hasMatch());
    const QImage image = QImage::fromData(QByteArray::fromBase64(found.captured(1).toLatin1()), "PNG");
    ASSERT_EQ(image.size(), QSize(280, 210));
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
            for (const int shift : {2, 35, 67})
                EXPECT_EQ(shade(image.pixelColor(70 * column + shift, 70 * row + shift)), 20 * (4 * row + column));
}

TEST(Pictures, HaveExactlyTheirShadesInAPng)
{
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("figure.png"));
    exportChart({.id = "x", .panels = {picture_panel("", {twelveShades()}, 1, 0)}}, file,
                {.widthMm = 60, .heightMm = 40, .dpi = 254}, {});
    const QImage image(file);
    std::array<int, 12> seen{};
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (std::size_t k = 0; k < 12; ++k)
                seen[k] += image.pixelColor(x, y)
                           == QColor(20 * static_cast<int>(k), 20 * static_cast<int>(k), 20 * static_cast<int>(k));
    for (const int pixels : seen)
        EXPECT_GT(pixels, 5000);
}

TEST(Pictures, ShowCaptionAndPixelUnderThePointer)
{
    Picture picture = placed(twelveShades(), 0, 0, 4, 3);
    picture.caption = "seven";
    Panel panel{.x = {.hidden = true}, .y = {.hidden = true}, .series = {Pictures{.name = "", .pictures = {picture}}}};
    EXPECT_EQ(describePoint(panel, -1.5, 1.2), QStringLiteral("seven\nrow 0, column 0: 0"));
    EXPECT_EQ(describePoint(panel, 1.5, -1.2), QStringLiteral("seven\nrow 2, column 3: 220"));
    EXPECT_EQ(describePoint(panel, 2.5, 0), QString());
}

TEST(Pictures, AHiddenAxisUsesNoSpace)
{
    Shown shown({.id = "x", .panels = {picture_panel("", {twelveShades()}, 1, 0)}}, {400, 300});
    const QRect inside = shown.view.panelRect(0);
    EXPECT_GT(std::max(inside.width() / 400.0, inside.height() / 300.0), 0.9);
}

TEST(Pictures, NextToBoxplotsUseAQuarterOfTheWidth)
{
    Chart chart = boxplotsChart();
    add_side_picture(chart, twelveShades(), "true class: 2");
    for (const int width : {350, 600, 900}) {
        Shown shown(chart, {width, 300});
        const QRect picture = shown.view.panelRect(0), boxes = shown.view.panelRect(1);
        EXPECT_LT(picture.right(), boxes.left()) << width;
        EXPECT_GT(boxes.width(), 2 * picture.width()) << width;
        EXPECT_GT(picture.width(), width / 8) << width;
    }
    Shown narrow(chart, {200, 300});
    EXPECT_LT(narrow.view.panelRect(0).bottom(), narrow.view.panelRect(1).top());
    EXPECT_GT(narrow.view.panelRect(1).height(), narrow.view.panelRect(0).height());
}

TEST(Pictures, OfEqualKindOnlyMoveData)
{
    Chart chart = boxplotsChart();
    add_side_picture(chart, twelveShades(), "a");
    Shown shown(chart);
    const int before = shown.view.rebuilds();
    Chart next       = boxplotsChart();
    add_side_picture(next, twelveShades(), "b");
    shown.set(next);
    EXPECT_EQ(shown.view.rebuilds(), before);
}

}   // namespace
}   // namespace credence
