// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/charts/series_of.h"
#include "unit/views/chain_snapshots.h"
#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

using namespace credence;
using testing::HasSubstr;

namespace {

const Panel* panel_titled(const Chart& chart, const std::string& title)
{
    for (const auto& panel : chart.panels)
        if (panel.title.starts_with(title))
            return &panel;
    return nullptr;
}

/// The distance of draw 5 of two chains from the mean energy of its chain.
double divergent_energy(const RunSnapshot& run)
{
    const auto& draws = dynamic_cast<const SampleSet&>(*run.snapshot->posterior).origin().statistics->draws;
    double mean       = 0;
    for (std::size_t s = 1; s < draws.size(); s += 2)
        mean += draws[s].energy / static_cast<double>(draws.size() / 2);
    return draws[5].energy - mean;
}

}   // namespace

TEST(ChainTraces, HaveALinePerChainInItsOwnColourAndMarkDivergences)
{
    const auto chart  = drawn("chain_traces", snapshot_of_chains(study_of_chains("nuts"), {.n_chains = 3}));
    const auto* trace = panel_titled(chart, "Trace");
    ASSERT_TRUE(trace);
    const auto lines = series_of<Line>(*trace);
    ASSERT_EQ(lines.size(), 3u);
    for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(lines[static_cast<std::size_t>(c)].tone, category(c));
        EXPECT_EQ(lines[static_cast<std::size_t>(c)].x.size(), 100u);
        EXPECT_EQ(lines[static_cast<std::size_t>(c)].x.front(), 101);
    }
    const auto marks = series_of<Points>(*trace);
    ASSERT_EQ(marks.size(), 2u);   // draw 5 of the set: the second one of chain 2
    EXPECT_THAT(marks[0].x, testing::ElementsAre(102));
    EXPECT_THAT(marks[0].y, testing::ElementsAre(lines[2].y[1]));
    double lowest = 1;
    for (const auto& line : lines)
        lowest = std::min(lowest, *std::min_element(line.y.begin(), line.y.end()));
    EXPECT_EQ(marks[1].x, marks[0].x);   // and at the bottom
    EXPECT_THAT(marks[1].y, testing::ElementsAre(lowest));
    EXPECT_THAT(trace->title, HasSubstr("R̂ = "));
}

TEST(ChainTraces, ShadeTheSelectedSteps)
{
    auto options = coarse();
    EXPECT_TRUE(
        series_of<Band>(drawn("chain_traces", snapshot_of_chains(study_of_chains("nuts")), options).panels[0]).empty());
    options.chain_selection = {.which = ChainSelection::Which::steps, .from = 120, .to = 130};
    const auto trace        = drawn("chain_traces", snapshot_of_chains(study_of_chains("nuts")), options).panels[0];
    const auto bands        = series_of<Band>(trace);
    ASSERT_EQ(bands.size(), 1u);
    EXPECT_THAT(bands[0].x, testing::ElementsAre(120, 130));
    EXPECT_EQ(bands[0].name, "draws of steps 120 to 130");
    EXPECT_LT(bands[0].lower[0], bands[0].upper[0]);
}

TEST(ChainTraces, FollowThePredictedClassAtTheChosenInput)
{
    const auto run    = snapshot_of_chains(study_of_chains("nuts"));
    auto options      = coarse();
    options.input.row = 3;
    const auto chart  = drawn("chain_traces", run, options);
    EXPECT_THAT(chart.panels[0].y.label, HasSubstr(" at test row 3"));
    const auto p = series_of<Line>(chart.panels[0]);
    double sum   = 0;
    for (const auto& line : p)
        sum += std::accumulate(line.y.begin(), line.y.end(), 0.0);
    EXPECT_GE(sum / 200, 0.5);   // of two classes the predicted one
    const auto& data = *run.experiment->data;
    const PosteriorPredictive predictive(run.experiment->model, run.snapshot->posterior, 200, 1);
    const auto mean = class_predictions(
        view_of(predictive.sample_outputs(std::span(data.test_inputs).subspan(6, 2), 1)));
    EXPECT_NEAR(sum / 200, mean.confidence[0], 1e-6);
    EXPECT_THAT(chart.panels[0].y.label,
                HasSubstr(data.training.class_names[static_cast<std::size_t>(mean.predicted[0])]));
}

TEST(ChainTraces, OfARegressionAreInTheUnitsOfTheTarget)
{
    auto study                      = study_of_chains("nuts", ToyKind::cubic);
    study.split.standardise_targets = true;
    const auto run                  = snapshot_of_chains(study, {.scale = 0, .shifts = {0, 1}});
    const auto lines                = series_of<Line>(drawn("chain_traces", run).panels.at(0));
    EXPECT_NEAR(lines[1].y[0] - lines[0].y[0], run.experiment->data->target_sd, 1e-5 * run.experiment->data->target_sd);
    EXPECT_EQ(drawn("chain_traces", run).panels[0].y.unit, "units of y");
}

TEST(ChainTraces, RanksOfEachChainAreCountedOnce)
{
    const auto chart  = drawn("chain_traces", snapshot_of_chains(study_of_chains("nuts"), {.shifts = {-3, 3}}));
    const auto* ranks = panel_titled(chart, "Ranks");
    ASSERT_TRUE(ranks);
    const auto bars = series_of<Bars>(*ranks);
    ASSERT_EQ(bars.size(), 2u);
    for (const auto& of_chain : bars)
        EXPECT_EQ(std::accumulate(of_chain.height.begin(), of_chain.height.end(), 0.0), 100);
    // The chains are separated: one has the low ranks, the other the high ones.
    EXPECT_EQ(std::min(bars[0].height.front(), bars[1].height.front()), 0);
    EXPECT_EQ(std::max(bars[0].height.front(), bars[1].height.front()), 20);
    const auto rules = series_of<Rule>(*ranks);
    ASSERT_EQ(rules.size(), 1u);
    EXPECT_EQ(rules[0].at, 10);   // 100 draws in 10 bins
    EXPECT_THAT(bars[0].position, testing::Each(testing::AllOf(testing::Gt(0), testing::Lt(200))));
}

TEST(ChainTraces, AutocorrelationsBeginWithOneAndEndAtLagFifty)
{
    const auto chart = drawn("chain_traces", snapshot_of_chains(study_of_chains("nuts")));
    const auto* rho  = panel_titled(chart, "Autocorrelation");
    ASSERT_TRUE(rho);
    for (const auto& line : series_of<Line>(*rho)) {
        EXPECT_NEAR(line.y.front(), 1, 1e-12);
        EXPECT_EQ(line.x.back(), 50);
        EXPECT_EQ(line.y.size(), 51u);
        EXPECT_LT(std::abs(line.y[1]), 0.4);   // independent draws
    }
}

TEST(ChainTraces, HaveEnergiesWhereTheChainsAreHamiltonian)
{
    const auto run     = snapshot_of_chains(study_of_chains("nuts"));
    const auto chart   = drawn("chain_traces", run);
    const auto* energy = panel_titled(chart, "Energy, smallest E-BFMI");
    ASSERT_TRUE(energy);
    const auto bars = series_of<Bars>(*energy);
    ASSERT_EQ(bars.size(), 2u);
    const auto divergent = series_of<Points>(*energy);
    ASSERT_EQ(divergent.size(), 1u);
    ASSERT_EQ(divergent[0].x.size(), 1u);   // draw 5 of the set
    EXPECT_NEAR(divergent[0].x[0], divergent_energy(run), 1e-9);
    EXPECT_EQ(bars[0].position, bars[1].position);
    for (const auto& one : bars) {
        double area = 0;
        for (const double height : one.height)
            area += height * one.width;
        EXPECT_NEAR(area, 1, 1e-9);
    }
    EXPECT_FALSE(panel_titled(drawn("chain_traces", snapshot_of_chains(study_of_chains("sgld"), {.statistics = false})),
                              "Energy"));
}

TEST(ChainTraces, OfAConstantAreATraceAndAMessage)
{
    const auto chart = drawn("chain_traces",
                             snapshot_of_chains(study_of_chains("sgld"), {.scale = 0, .statistics = false}));
    ASSERT_EQ(chart.panels.size(), 1u);
    EXPECT_THAT(chart.panels[0].title, HasSubstr("nothing varies"));
}

TEST(ChainTraces, AreUnavailableWhenTheConvergenceIs)
{
    EXPECT_THAT(refusal_of("chain_traces", moons()), testing::StartsWith("This view needs chains"));
    EXPECT_THAT(refusal_of("chain_traces", snapshot_of_chains(study_of_chains("nuts"), {.n_draws = 2})),
                HasSubstr("saved 2 draws"));
    auto options         = coarse();
    options.input.values = {1};
    EXPECT_EQ(refusal_of("chain_traces", snapshot_of_chains(study_of_chains("nuts")), options),
              "The selected input has 1 numbers, expected 2.");
}
