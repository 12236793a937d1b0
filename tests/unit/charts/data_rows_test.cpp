// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/data_rows.h"

#include <cmath>
#include <gmock/gmock.h>

using namespace credence;

namespace {

DataRow scored(std::uint32_t row) { return {DataRow::Part::scored, row}; }

/// Two panels with rows 4 and 7, the second without a position in the second panel, and points without rows.
Chart chart_with_rows()
{
    Panel first, second;
    first.series  = {Line{.x = {0, 1}, .y = {0, 1}}, Points{.x = {5, 5}, .y = {5, 5}},
                     Points{.x = {1, 2}, .y = {3, 4}, .data_rows = {scored(4), scored(7)}}};
    second.series = {Points{.x = {9, NAN}, .y = {8, 1}, .data_rows = {scored(4), scored(7)}},
                     Points{.x = {6}, .y = {6}, .data_rows = {{DataRow::Part::training, 4}}}};
    Chart chart;
    chart.panels = {first, second};
    return chart;
}

}   // namespace

TEST(DataRows, HaveTheirPointsInAllPanels)
{
    const auto chart = chart_with_rows();
    EXPECT_THAT(points_of(chart, scored(4)), testing::ElementsAre(PanelPoint{0, 1, 3}, PanelPoint{1, 9, 8}));
    EXPECT_THAT(points_of(chart, scored(7)), testing::ElementsAre(PanelPoint{0, 2, 4}));
    EXPECT_THAT(points_of(chart, {DataRow::Part::training, 4}), testing::ElementsAre(PanelPoint{1, 6, 6}));
    EXPECT_THAT(points_of(chart, {DataRow::Part::ood, 4}), testing::IsEmpty());
}

TEST(DataRows, TheNearestPointWithARowIsFoundWithinADistance)
{
    const auto chart = chart_with_rows();
    const auto at    = [&](double x, double y, double most) {
        return nearest_row(
               chart.panels[0], [=](double px, double py) { return std::hypot(px - x, py - y); }, most);
    };
    EXPECT_EQ(at(1.2, 3.1, 1), scored(4));
    EXPECT_EQ(at(1.8, 3.9, 1), scored(7));
    EXPECT_EQ(at(5, 5, 1), std::nullopt) << "points without rows";
    EXPECT_EQ(at(1.2, 3.1, 0.1), std::nullopt);
}

TEST(DataRows, AMarkedRowHasASquareInEachPanelThatShowsIt)
{
    auto chart = chart_with_rows();
    mark_row(chart, scored(4));
    for (const auto& [panel, x] : {std::pair{0, 1.0}, std::pair{1, 9.0}}) {
        const auto& mark = std::get<Points>(chart.panels[static_cast<std::size_t>(panel)].series.back());
        EXPECT_EQ(mark.marker, Marker::square);
        EXPECT_THAT(mark.x, testing::ElementsAre(x));
    }
}

TEST(DataRows, OfABarAreFoundAtAnyHeight)
{
    Panel panel{.x = {.label = "PIT"}};
    panel.series = {
        Bars{.position = {0.25, 0.75}, .height = {2, 0}, .width = 0.5, .data_rows = {{scored(3), scored(5)}, {}}}};
    const auto bar = rows_of_bar(panel, 0.4);
    ASSERT_TRUE(bar);
    EXPECT_EQ(bar->name, "PIT 0.00 to 0.50");
    EXPECT_EQ(bar->rows, (std::vector<DataRow>{scored(3), scored(5)}));
    EXPECT_FALSE(rows_of_bar(panel, 0.8)) << "the bar has no rows";
    EXPECT_FALSE(rows_of_bar(panel, 1.2));
    EXPECT_FALSE(rows_of_bar(chart_with_rows().panels.front(), 1)) << "no bars";
}
