// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/classification_figures.h"

#include <gmock/gmock.h>

using namespace credence;

namespace {

/// 3 draws × 3 inputs × 2 classes: sure of class 1, torn, moderately for class 0.
const std::vector<float> p{0.02f, 0.98f, 0.1f, 0.9f, 0.7f, 0.3f,   //
                           0.02f, 0.98f, 0.9f, 0.1f, 0.8f, 0.2f,   //
                           0.02f, 0.98f, 0.4f, 0.6f, 0.7f, 0.3f};

}   // namespace

TEST(CertaintyTable, CountsByBothCriteriaAtEachLevel)
{
    const std::vector<int> labels{1, 0, 1};
    const auto table = certainty_table(SampleView<float>{p, 3, 3, 2}, labels, std::vector<double>{0.95});
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.rows[0].counts,
              (CertaintyCounts{1, 1, 0, 1}));   // (i): inputs 0 (right) and 2 (wrong) have disjoint intervals
    EXPECT_EQ(table.rows[1].counts, (CertaintyCounts{1, 0, 0, 2}));   // (ii): only input 0 reaches 0.95
}

TEST(CertaintyTable, ChartIsATableWithTheLevelsOfThePaper)
{
    const auto chart = to_chart(certainty_table(SampleView<float>{p, 3, 3, 2}, std::vector<int>{1, 0, 1}));
    ASSERT_TRUE(chart.table);
    ASSERT_EQ(chart.table->rows.size(), 6u);
    EXPECT_EQ(chart.table->rows[4][1], Cell("99.999 %"));
    EXPECT_EQ(chart.table->rows[0][2], Cell(1L));
}

TEST(CertaintyTable, OfAnEmptyTestSetStatesWhatToDo)
{
    EXPECT_EQ(to_chart(certainty_table(SampleView<float>{{}, 3, 0, 2}, {})).message,
              "There are no labelled inputs. Set a test share above 0.");
}

TEST(CertaintyTable, OfOneSampleStatesThatTheFirstCriterionIsEmpty)
{
    const std::vector<float> one{0.4f, 0.6f};
    EXPECT_THAT(to_chart(certainty_table(SampleView<float>{one, 1, 1, 2}, std::vector<int>{1})).caption,
                testing::HasSubstr("only one sample"));
}
