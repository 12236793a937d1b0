// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep_charts.h"

#include "unit/sweeps/scores_by_hand.h"

namespace credence {
namespace {

const ScoreName test_nll{false, "NLL", "nats per example"};

/// Larger rates have larger NLL, with a spread over the seeds; `done` rates are finished.
SweepResults rates_done(int done)
{
    return scores_by_hand([done](int rate, int, int seed) {
        return rate < done ? std::optional(0.1 * (rate + 1) + 0.01 * seed) : std::nullopt;
    });
}

TEST(SweepCharts, CellsHaveARowEachWithTheShareOfThoseInTraining)
{
    SweepSnapshot snapshot{rates_done(1), std::vector<double>(12, 0)};
    snapshot.results.states[6] = {CellState::running};
    snapshot.shares[6]         = 0.257;
    const auto chart           = sweep_cells_chart(snapshot);
    ASSERT_TRUE(chart.table);
    ASSERT_EQ(chart.table->rows.size(), 12U);
    EXPECT_EQ(chart.table->rows[6][3], Cell(std::string("25 %")));
    EXPECT_EQ(chart.table->rows[0][3], Cell(std::string(name_of(CellState::done))));
    EXPECT_THAT(chart.caption, ::testing::HasSubstr("6 of 12 cells are done."));
}

TEST(SweepCharts, TheSummaryNamesTheCombinationWithTheLowestMean)
{
    const auto chart = sweep_summary_chart(rates_done(2), test_nll);
    ASSERT_TRUE(chart.table);
    EXPECT_EQ(chart.table->rows.size(), 4U);
    EXPECT_THAT(chart.caption, ::testing::HasSubstr("Lowest mean: "));
    EXPECT_THAT(chart.caption, ::testing::HasSubstr("0.11 ± 0.01."));
    EXPECT_EQ(sweep_summary_chart(rates_done(0), test_nll).message, "No cell is done yet.");
}

TEST(SweepCharts, EveryDifferenceHasASentence)
{
    const auto differences = sweep_differences(rates_done(2), test_nll);
    ASSERT_TRUE(differences.chart.table);
    EXPECT_EQ(differences.chart.table->rows.size(), differences.sentences.size());
    EXPECT_EQ(sweep_differences(rates_done(0), test_nll).chart.message, "No cell is done yet.");
}

TEST(SweepCharts, StatesAreCountedInWords)
{
    EXPECT_EQ(sweep_state_text(rates_done(2)), "all are done");
    EXPECT_EQ(sweep_state_text(rates_done(0)), "none is done yet");
    auto results      = rates_done(1);
    results.states[7] = {CellState::failed};
    EXPECT_EQ(sweep_state_text(results), "6 done, 1 failed");
}

TEST(SweepRuns, ADefaultSweepIsAroundTheLearningRateWithThreeSeeds)
{
    Study study;
    study.seed       = 5;
    const auto sweep = usual_sweep(study);
    ASSERT_EQ(sweep.axes.size(), 2U);
    EXPECT_EQ(sweep.axes[0].values.size(), 3U);
    EXPECT_EQ(sweep.axes[1].values.front().label, "5");
    EXPECT_EQ(sweep.axes[1].values.back().label, "7");
}

TEST(SweepRuns, TheTimeLeftComesFromFinishedCellsElseFromRunsWithTheSameWorkPerStep)
{
    EXPECT_FALSE(seconds_of_sweep({rates_done(2), std::vector<double>(12, 1)}, {})) << "nothing is left";
    const SweepSnapshot half{rates_done(1), std::vector<double>(12, 0)},
        none{rates_done(0), std::vector<double>(12, 0)};
    const auto left = seconds_of_sweep(half, {});
    ASSERT_TRUE(left);
    EXPECT_GE(*left, 0.25);
    EXPECT_LE(*left, 6 * 0.25);
    EXPECT_FALSE(seconds_of_sweep(none, {}));
    const Study study = none.results.cells[0].study;
    EXPECT_NEAR(seconds_of_sweep(none, {{study, 0.001}}).value_or(0),
                12 * 0.001 * static_cast<double>(study.training.steps), 1e-6);
}

}   // namespace
}   // namespace credence
