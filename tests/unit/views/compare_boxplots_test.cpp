// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare_boxplots.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

using namespace credence;

namespace {

RunMoment run_of(const std::string& name, ToyKind kind, std::uint64_t seed = 1)
{
    Study study;
    study.name               = name;
    study.seed               = seed;
    study.data.toy.kind      = kind;
    study.data.toy.n         = 60;
    study.network.hidden     = {8};
    study.training.steps     = 10;
    study.prediction.samples = 20;
    const auto experiment    = prepare(study);
    return {experiment, experiment->make_trainer()->run().last, nullptr};
}

}   // namespace

TEST(CompareBoxplots, EachPanelHoldsTheBoxesOfItsRunUnderItsName)
{
    const std::vector<RunMoment> runs{run_of("one", ToyKind::two_moons), run_of("two", ToyKind::two_moons, 7)};
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
    const std::vector<RunMoment> runs{run_of("plane", ToyKind::two_moons), run_of("line", ToyKind::cubic)};
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
