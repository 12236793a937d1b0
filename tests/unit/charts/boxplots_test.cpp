// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/boxplots.h"
#include "series_of.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;

TEST(Box, HasQuartilesOfType7AndWhiskersAtTheFarthestValuesWithinOneAndAHalfRanges)
{
    const auto box = box_of(
        std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 30, -20});   // quartiles 2.5 and 7.5, reach to −5 and 15
    EXPECT_DOUBLE_EQ(box.lower_quartile, 2.5);
    EXPECT_DOUBLE_EQ(box.median, 5);
    EXPECT_DOUBLE_EQ(box.upper_quartile, 7.5);
    EXPECT_DOUBLE_EQ(box.lower_whisker, 1);
    EXPECT_DOUBLE_EQ(box.upper_whisker, 9);
    EXPECT_THAT(box.outliers, ElementsAre(-20, 30));
}

TEST(Box, WhiskersNeverEndInsideTheBox)
{
    const auto box = box_of(std::vector<double>{0, 10, 10, 10, 10, 10, 10, 10, 11});
    EXPECT_LE(box.lower_whisker, box.lower_quartile);
    EXPECT_GE(box.upper_whisker, box.upper_quartile);
    EXPECT_THAT(box.outliers, ElementsAre(0, 11));
}

TEST(Box, OfOneValueIsALine)
{
    const auto box = box_of(std::vector<double>{0.3});
    EXPECT_EQ(box.lower_whisker, 0.3);
    EXPECT_EQ(box.upper_whisker, 0.3);
    EXPECT_TRUE(box.outliers.empty());
}

TEST(Boxplots, HaveABoxForEachClassOfTheChosenInput)
{
    const std::vector<float> p{0, 1, 0.25f, 0.75f, 0, 1, 0.5f, 0.5f};   // 2 draws × 2 inputs × 2 classes
    const auto value = boxplots(SampleView<float>{p, 2, 2, 2}, 1, {"a", "b"}, 0);
    ASSERT_EQ(value.boxes.size(), 2u);
    EXPECT_DOUBLE_EQ(value.boxes[0].median, 0.375);
    EXPECT_DOUBLE_EQ(value.means[1], 0.625);
    EXPECT_EQ(value.boxes[1].position, 1);
    EXPECT_EQ(value.predicted, 1);
}

TEST(Boxplots, ClassesKeepTheirColourAndAWrongPredictionHasARim)
{
    const std::vector<float> p{0.2f, 0.7f, 0.1f, 0.3f, 0.6f, 0.1f};
    const auto chart = to_chart(boxplots(SampleView<float>{p, 2, 1, 3}, 0, {"a", "b", "c"}, 0));
    const auto boxes = series_of<Boxes>(chart.panels.at(0)).at(0).boxes;
    for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(boxes[static_cast<std::size_t>(k)].tone, category(k));
        EXPECT_EQ(boxes[static_cast<std::size_t>(k)].wrong, k == 1);
    }
    EXPECT_THAT(chart.panels[0].x.categories, ElementsAre("a ✓ true", "b ✗ predicted", "c"));
    EXPECT_EQ(chart.panels[0].y.range, Range(-0.02, 1.02));
}

TEST(Boxplots, WithoutATrueClassOnlyThePredictedOneIsNamed)
{
    const std::vector<float> p{0.2f, 0.8f};
    const auto chart = to_chart(boxplots(SampleView<float>{p, 1, 1, 2}, 0, {"a", "b"}));
    EXPECT_THAT(chart.panels[0].x.categories, ElementsAre("a", "b predicted"));
    EXPECT_FALSE(series_of<Boxes>(chart.panels.at(0)).at(0).boxes[1].wrong);
}

TEST(Boxplots, OfARightPredictionStatesBothAtOneClass)
{
    const std::vector<float> p{0.2f, 0.8f};
    const auto chart = to_chart(boxplots(SampleView<float>{p, 1, 1, 2}, 0, {"a", "b"}, 1));
    EXPECT_THAT(chart.panels[0].x.categories, ElementsAre("a", "b ✓ predicted"));
    EXPECT_THAT(chart.caption, testing::StartsWith("One sample"));
}

TEST(Boxplots, OfManyClassesDrawTheMostProbableAndTheTrueOne)
{
    constexpr int K = 200;
    std::vector<float> p(K, 0.001f);
    p[150]           = 0.5f;
    p[3]             = 0.301f;
    const auto chart = to_chart(boxplots(SampleView<float>{p, 1, 1, K}, 0, {}, 199));
    const auto boxes = series_of<Boxes>(chart.panels.at(0)).at(0).boxes;
    ASSERT_EQ(boxes.size(), 31u);
    EXPECT_EQ(boxes[0].tone, category(150));
    EXPECT_TRUE(boxes[0].wrong);
    EXPECT_EQ(boxes[0].median, 0.5);
    EXPECT_EQ(boxes[30].tone, category(199));
    EXPECT_FALSE(boxes[30].wrong);
    EXPECT_EQ(boxes[30].position, 30);
    const auto& names = chart.panels[0].x.categories;
    EXPECT_EQ(names[0], "150 ✗");
    EXPECT_EQ(names[1], "3");
    EXPECT_EQ(names[2], "0");
    EXPECT_EQ(names.back(), "199 ✓");
    EXPECT_EQ(chart.panels[0].title, "true 199, predicted 150");
    EXPECT_THAT(chart.caption, testing::EndsWith(" Of 200 classes the 30 most probable are drawn."));
}

TEST(Boxplots, OfARegressionIsOneBoxOfFWithTheObservedValue)
{
    const auto chart  = to_chart(boxplots(std::vector<double>{1, 2, 3}, "height", 2.5));
    const auto& panel = chart.panels.at(0);
    EXPECT_EQ(series_of<Boxes>(panel).at(0).boxes.at(0).median, 2);
    EXPECT_EQ(series_of<Rule>(panel).at(0).at, 2.5);
    EXPECT_EQ(panel.y.label, "height");
    EXPECT_FALSE(panel.y.range.has_value());
}
