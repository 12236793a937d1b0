// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/pictures.h"

#include "charts/boxplots.h"
#include "foundation/error.h"
#include "unit/charts/series_of.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

Picture small_picture(std::string caption = "")
{
    const std::vector<std::uint8_t> bytes{0, 0, 255, 10, 20, 30};
    auto picture    = picture_of(std::span<const std::uint8_t>(bytes), {1, 2, 3});
    picture.caption = std::move(caption);
    return picture;
}

const Column& column(const Table& table, const std::string& name)
{
    for (const auto& c : table.columns)
        if (c.name == name)
            return c;
    throw Error("no column " + name);
}
Cell cell(const Table& table, std::size_t row, const std::string& name)
{
    return table.rows.at(row).at(&column(table, name) - table.columns.data());
}

}   // namespace

TEST(PictureOf, RoundsToBytesAndClamps)
{
    const std::vector<float> values{-3, 0.4f, 0.6f, 254.7f, 400, NAN};
    const auto picture = picture_of(std::span<const float>(values), {1, 2, 3});
    EXPECT_THAT(picture.pixels, ElementsAre(0, 0, 1, 255, 255, 0));
    EXPECT_EQ(picture.columns, 3);
    EXPECT_EQ(picture.rows, 2);
    EXPECT_DOUBLE_EQ(picture.height / picture.width, 2.0 / 3);
}

TEST(PictureOf, RejectsAWrongNumberOfPixels)
{
    const std::vector<float> values(6);
    EXPECT_THAT(
        [&] {
        picture_of(std::span<const float>(values), {1, 3, 3});
        },
        testing::ThrowsMessage<Error>(
            "A picture has 6 numbers for 1 channels of 3 × 3 pixels, expected one per pixel, in 1 or 3 channels."));
    EXPECT_THROW(picture_of(std::span<const float>(values), {2, 3, 1}), Error);
}

TEST(PicturePanel, SetsPicturesInRowsFromTheTopWithoutTouching)
{
    const auto panel    = picture_panel("three", {small_picture(), small_picture(), small_picture()}, 2, 2);
    const auto pictures = series_of<Pictures>(panel).at(0).pictures;
    ASSERT_EQ(pictures.size(), 3u);
    EXPECT_EQ(pictures[1].y, pictures[0].y);
    EXPECT_LT(pictures[0].x + pictures[0].width / 2, pictures[1].x - pictures[1].width / 2);
    EXPECT_EQ(pictures[2].x, pictures[0].x);
    EXPECT_GT(pictures[0].y - pictures[0].height / 2 - 0.3,
              pictures[2].y + pictures[2].height / 2);   // two lines find room between
    for (const auto& p : pictures) {
        EXPECT_GE(p.x - p.width / 2, panel.x.range->first);
        EXPECT_LE(p.x + p.width / 2, panel.x.range->second);
        EXPECT_GE(p.y - p.height / 2, panel.y.range->first);
        EXPECT_LE(p.y + p.height / 2, panel.y.range->second);
    }
    EXPECT_TRUE(panel.x.hidden && panel.y.hidden && panel.equal_aspect);
}

TEST(PicturesInATable, HaveARowEachWithPlaceCaptionSizeAndAllPixels)
{
    Chart chart{.id = "test", .panels = {picture_panel("left", {small_picture("seven\n0.99"), small_picture()}, 2, 2)}};
    const auto table = data_table(chart);
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(cell(table, 0, "kind"), Cell("picture"));
    EXPECT_EQ(cell(table, 0, "caption"), Cell("seven 0.99"));
    EXPECT_EQ(cell(table, 0, "pixel columns"), Cell(3L));
    EXPECT_EQ(cell(table, 0, "pixel rows"), Cell(2L));
    EXPECT_EQ(cell(table, 0, "channels"), Cell(1L));
    EXPECT_EQ(cell(table, 0, "pixels"), Cell("0 0 255 10 20 30"));
    EXPECT_EQ(cell(table, 1, "x"), Cell(1.0));
}

TEST(PicturesInLatex, AreRectanglesOfEqualNeighboursAndTheirCaption)
{
    Chart chart{.id = "test", .panels = {picture_panel("left", {small_picture("100 %\nsure")}, 1, 2)}};
    const auto tex    = to_latex(chart);
    std::size_t fills = 0;
    for (auto at = tex.find("\\fill["); at != std::string::npos; at = tex.find("\\fill[", at + 1))
        ++fills;
    EXPECT_EQ(fills, 5u);   // the two black pixels are one
    EXPECT_THAT(tex, HasSubstr("red,255;green,255;blue,255"));
    EXPECT_THAT(tex, HasSubstr("{100 \\%\\\\sure}"));
    EXPECT_THAT(tex, HasSubstr("hide axis"));
}

TEST(PicturesInLatex, KeepTheirColours)
{
    const std::vector<std::uint8_t> bytes{255, 0, 0, 128, 7, 9};   // red plane, green plane, blue plane of two pixels
    Chart chart{.id     = "test",
                .panels = {picture_panel("", {picture_of(std::span<const std::uint8_t>(bytes), {3, 1, 2})}, 1, 0)}};
    const auto tex = to_latex(chart);
    EXPECT_THAT(tex, HasSubstr("red,255;green,0;blue,7}"));
    EXPECT_THAT(tex, HasSubstr("red,0;green,128;blue,9}"));
}

TEST(AddSidePicture, PutsThePictureBeforeThePanelInOneRow)
{
    Chart chart = to_chart(boxplots(std::vector<double>{1, 2, 3}, "y"));
    add_side_picture(chart, small_picture(), "true class: 4");
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_EQ(chart.columns, 2);
    EXPECT_LT(chart.panels[0].weight, chart.panels[1].weight);
    EXPECT_EQ(series_of<Pictures>(chart.panels[0]).at(0).pictures.at(0).caption, "true class: 4");
    EXPECT_EQ(series_of<Boxes>(chart.panels[1]).size(), 1u);
}
