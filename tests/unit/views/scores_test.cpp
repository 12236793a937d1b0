// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/views/drawn.h"
#include "views/scores.h"

#include <gmock/gmock.h>

#include <algorithm>

using namespace credence;

TEST(CompareScores, EachColumnHoldsTheScoresOfItsRun)
{
    const std::vector<RunSnapshot> runs{short_snapshot("one", ToyKind::two_moons),
                                        short_snapshot("two", ToyKind::two_moons, 7)};
    const auto table = compare_scores(runs)->table.value();
    ASSERT_EQ(table.columns.size(), 3U);
    EXPECT_EQ(table.columns[1].name, "one");
    EXPECT_EQ(table.columns[2].name, "two");
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto own = scores(runs[r]);
        for (std::size_t i = 0; i < own.rows.size(); ++i)
            EXPECT_EQ(table.rows[i][r + 1], own.rows[i][1]) << std::get<std::string>(table.rows[i][0]);
    }
}

TEST(CompareScores, AScoreThatARunDoesNotHaveIsAnEmptyCell)
{
    const std::vector<RunSnapshot> runs{short_snapshot("classes", ToyKind::two_moons),
                                        short_snapshot("numbers", ToyKind::blundell_curve)};
    const auto table = compare_scores(runs)->table.value();
    const auto row   = [&](const std::string& name) {
        return *std::find_if(table.rows.begin(), table.rows.end(),
                               [&](const auto& cells) { return std::get<std::string>(cells[0]).starts_with(name); });
    };
    EXPECT_EQ(row("Accuracy")[2], Cell(std::string()));
    EXPECT_EQ(row("RMSE")[1], Cell(std::string()));
    EXPECT_NE(row("RMSE")[2], Cell(std::string()));
    for (const auto& cells : table.rows)
        EXPECT_EQ(cells.size(), table.columns.size());
}

TEST(CompareScores, WithoutRunsStateWhatToDo)
{
    EXPECT_EQ(compare_scores({})->message, "No run is selected. Tick the runs to compare.");
}
