// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/outputs_file.h"
#include "unit/outputs/outputs_npz.h"
#include "unit/views/drawn.h"
#include "views/compare_runs.h"

#include <gmock/gmock.h>

using namespace credence;

TEST(CompareBoxplots, EachPanelShowsTheBoxesOfItsRunUnderItsName)
{
    const std::vector<RunSnapshot> runs{short_snapshot("one", ToyKind::two_moons),
                                        short_snapshot("two", ToyKind::two_moons, 7)};
    ViewOptions options;
    options.input.values = {0.5, 0.2};
    const auto chart     = compare_boxplots(runs, options).value();
    ASSERT_EQ(chart.panels.size(), 2U) << chart.message;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        Chart alone                = drawn("boxplots", runs[r], options);
        Chart panel                = chart;
        panel.panels               = {chart.panels[r]};
        panel.panels.front().title = alone.panels.front().title;   // its own begins with the run's name
        EXPECT_EQ(data_table(panel).rows, data_table(alone).rows);
        EXPECT_THAT(chart.panels[r].title, testing::StartsWith(r == 0 ? "one\n" : "two\n"));
    }
    EXPECT_EQ(chart.panels[0].y.range, chart.panels[1].y.range);
}

TEST(CompareBoxplots, ARunWithOtherInputsIsLeftOutAndNamed)
{
    const std::vector<RunSnapshot> runs{short_snapshot("plane", ToyKind::two_moons),
                                        short_snapshot("line", ToyKind::cubic)};
    ViewOptions options;
    options.input.values = {0.5, 0.2};
    const auto chart     = compare_boxplots(runs, options).value();
    EXPECT_EQ(chart.panels.size(), 1U);
    EXPECT_THAT(chart.caption, testing::EndsWith(" line has different inputs and is left out."));
}

TEST(CompareBoxplots, ImportedPredictionsAreComparedOnlyWithARunOfTheSameRows)
{
    const auto own   = snapshot_of_outputs(outputs_npz::opened(outputs_npz::four_rows(), "own.npz"));
    const auto other = snapshot_of_outputs(outputs_npz::opened(
        {logits_npz::floats("probabilities", {1, 4, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1})}, "other.npz"));
    const auto moons = short_snapshot("moons", ToyKind::two_moons);   // of another number of rows
    ViewOptions options;
    options.input.row = 3;
    const auto same   = compare_boxplots(std::vector{own, other, moons}, options).value();
    EXPECT_EQ(same.panels.size(), 2U) << same.message;
    EXPECT_THAT(same.caption, testing::EndsWith(" moons has different rows and is left out."));
    options.input.values = {0.5, 0.2};
    const auto point     = compare_boxplots(std::vector{moons, own}, options).value();
    EXPECT_EQ(point.panels.size(), 1U);
    EXPECT_THAT(point.caption, testing::EndsWith(" own.npz has different inputs and is left out."));
}

TEST(CompareBoxplots, WithoutRunsStateWhatToDo)
{
    EXPECT_EQ(compare_boxplots({}, {})->message, "No run is selected. Tick the runs to compare.");
}
