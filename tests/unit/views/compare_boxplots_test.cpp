// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare_boxplots.h"

#include "unit/views/drawn.h"
#include "unit/views/short_moment.h"

#include <gmock/gmock.h>

using namespace credence;

TEST(CompareBoxplots, EachPanelHoldsTheBoxesOfItsRunUnderItsName)
{
    const std::vector<RunMoment> runs{short_moment("one", ToyKind::two_moons),
                                      short_moment("two", ToyKind::two_moons, 7)};
    ViewOptions options;
    options.input    = {0.5, 0.2};
    const auto chart = compare_boxplots(runs, options).value();
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
    const std::vector<RunMoment> runs{short_moment("plane", ToyKind::two_moons), short_moment("line", ToyKind::cubic)};
    ViewOptions options;
    options.input    = {0.5, 0.2};
    const auto chart = compare_boxplots(runs, options).value();
    EXPECT_EQ(chart.panels.size(), 1U);
    EXPECT_THAT(chart.caption, testing::EndsWith(" line has other inputs and is left out."));
}

TEST(CompareBoxplots, OfNoRunsSayWhatToDo)
{
    EXPECT_EQ(compare_boxplots({}, {})->message, "No run was chosen: mark the runs to compare.");
}
