// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/charts/series_of.h"
#include "views/classification_figures.h"

#include <gmock/gmock.h>

using namespace credence;

namespace {

ClassPredictions confused_predictions()
{
    static const std::vector<double> p{0.9, 0.1, 0.2, 0.8, 0.3, 0.7};
    return class_predictions(SampleView<double>{p, 1, 3, 2});
}

}   // namespace

TEST(Confusion, RowsOfTheMapAreTrueClasses)
{
    const auto chart = to_chart(confusion(confused_predictions(), std::vector<int>{0, 0, 1}, {"cat", "dog"}));
    const auto map   = series_of<HeatMap>(chart.panels.at(0)).at(0);
    EXPECT_THAT(map.z, testing::ElementsAre(1, 1, 0, 1));
    EXPECT_EQ(chart.panels[0].y.label, "True class");
    EXPECT_THAT(chart.panels[0].y.categories, testing::ElementsAre("cat", "dog"));
    EXPECT_EQ(map.z_range, Range(0, 1));
    EXPECT_EQ(chart.panels[0].y.range, Range(1.5, -0.5)) << "class 0 is on top, as in the table";
}

TEST(Confusion, TableHasCountsAndTheShareRightOfEachClass)
{
    const auto table = *to_chart(confusion(confused_predictions(), std::vector<int>{0, 0, 1}, {"cat", "dog"})).table;
    EXPECT_EQ(table.rows[0], (std::vector<Cell>{"cat", 1L, 1L, 2L, 0.5}));
    EXPECT_EQ(table.rows[1], (std::vector<Cell>{"dog", 0L, 1L, 1L, 1.0}));
}

TEST(Confusion, OfOneClassInTheTestSetStatesThisAndLeavesTheOtherShareEmpty)
{
    const auto chart = to_chart(confusion(confused_predictions(), std::vector<int>{1, 1, 1}, {"cat", "dog"}));
    EXPECT_THAT(chart.caption, testing::HasSubstr("They all belong to one class."));
    EXPECT_EQ(chart.table->rows[0].back(), Cell(""));
}

TEST(Confusion, OfManyClassesHasThePairsThatAreConfusedMostInItsTable)
{
    constexpr int K = 101, N = 40;
    std::vector<double> p(static_cast<std::size_t>(N) * K, 0.0);
    std::vector<int> labels(N, 0);
    for (int i = 0; i < N; ++i) {
        labels[static_cast<std::size_t>(i)]                                               = i < 30 ? 7 : 8;
        p[static_cast<std::size_t>(i * K + (i < 12 ? 9 : i < 15 ? 100 : i < 30 ? 7 : 8))] = 1;
    }
    const auto chart = to_chart(confusion(class_predictions(SampleView<double>{p, 1, N, K}), labels, {}));
    ASSERT_EQ(chart.table->rows.size(), 2u);
    EXPECT_EQ(chart.table->rows[0], (std::vector<Cell>{"7", "9", 12L, 0.4}));
    EXPECT_EQ(chart.table->rows[1], (std::vector<Cell>{"7", "100", 3L, 0.1}));
    EXPECT_THAT(chart.caption, testing::HasSubstr("25 are right. The table has the pairs"));
    EXPECT_EQ(data_table(chart).rows.size(), static_cast<std::size_t>(K) * K) << "all counts are in the file";
}

TEST(Confusion, OfTooManyClassesIsASentence)
{
    constexpr int K = 2001;
    std::vector<double> p(K, 0.0);
    p[5]               = 1;
    const auto counted = confusion(class_predictions(SampleView<double>{p, 1, 1, K}), std::vector<int>{5}, {});
    EXPECT_TRUE(counted.counts.empty());
    EXPECT_EQ(to_chart(counted).message,
              "A table of 2001 × 2001 classes is too large to be counted here, expected at most 2000 classes.");
}

TEST(Confusion, OfAnEmptyTestSetStatesWhatToDo)
{
    EXPECT_EQ(to_chart(confusion({.n_classes = 2}, {}, {"cat", "dog"})).message,
              "There are no labelled inputs. Set a test share above 0.");
}
