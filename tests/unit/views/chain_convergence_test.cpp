// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/chain_diagnostics.h"
#include "views/chain_draws.h"

#include "unit/views/chain_snapshots.h"
#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

using namespace credence;
using namespace credence::view_support;
using testing::HasSubstr;

namespace {

const std::string many_draws = "At this step each chain has saved ";

/// The row of a table that begins with these words; empty: there is none.
std::vector<Cell> row_named(const Chart& chart, const std::string& name)
{
    for (const auto& row : chart.table.value().rows)
        if (std::get<std::string>(row.front()).starts_with(name))
            return row;
    return {};
}

double number_named(const Chart& chart, const std::string& name)
{
    const auto row = row_named(chart, name);
    return row.empty() || !std::holds_alternative<double>(row[1]) ? std::nan("") : std::get<double>(row[1]);
}

std::string result_of(const Chart& chart, const std::string& name)
{
    return std::get<std::string>(row_named(chart, name).at(3));
}

constexpr std::size_t hidden = 8;

/// Swaps hidden units 0 and 1 of a network 2–8–2: other weights, the same function.
void exchange_units(std::span<float> w)
{
    const std::size_t biases = 2 * hidden, second = 3 * hidden;
    for (std::size_t i = 0; i < 2; ++i) {
        std::swap(w[i], w[2 + i]);
        std::swap(w[second + i * hidden], w[second + i * hidden + 1]);
    }
    std::swap(w[biases], w[biases + 1]);
}

}   // namespace

TEST(ChainConvergence, ChainsThatAgreeDifferNoMoreThanByChance)
{
    const auto chart = drawn("chain_convergence",
                             snapshot_of_chains(study_of_chains("nuts"), {.n_chains = 3, .n_draws = 400}), coarse());
    EXPECT_EQ(chart.message, "");
    EXPECT_EQ(row_named(chart, "Chains").at(1), Cell(3L));
    EXPECT_EQ(row_named(chart, "Draws of each chain").at(1), Cell(400L));
    EXPECT_LT(number_named(chart, "Worst R̂"), 1.02);
    EXPECT_GT(number_named(chart, "Share of quantities"), 0.9);
    EXPECT_GT(number_named(chart, "Probability of such a difference"), 0.01);
    EXPECT_GT(number_named(chart, "Smallest bulk ESS"), 600);
    EXPECT_GT(number_named(chart, "Smallest tail ESS"), 300);
}

TEST(ChainConvergence, AShiftedChainIsVisibleInTableMapAndCaption)
{
    const auto chart = drawn("chain_convergence",
                             snapshot_of_chains(study_of_chains("nuts"), {.n_chains = 3, .shifts = {0, 0, 2}}),
                             coarse());
    EXPECT_GT(number_named(chart, "Worst R̂"), 1.05);
    EXPECT_LT(number_named(chart, "Share of quantities"), 0.5);
    EXPECT_THAT(result_of(chart, "Worst R̂"), testing::MatchesRegex("\\(.*, .*\\)"));
    EXPECT_THAT(chart.caption, HasSubstr("3 chains of 100 draws each. Class probabilities at 6 × 6 points"));
    EXPECT_THAT(chart.caption, HasSubstr("at worst "));
    ASSERT_EQ(chart.panels.size(), 1u);
    const auto& map = map_of(chart.panels[0]);
    EXPECT_EQ(map.z.size(), 36u);
    EXPECT_EQ(map.z_range, Range(1, 1.05));
    EXPECT_FLOAT_EQ(*std::max_element(map.z.begin(), map.z.end()), 1.05f);
}

TEST(ChainConvergence, SwappedHiddenUnitsAffectOnlyTheWeightsNotTheFunction)
{
    ChainsByHand hand{.n_chains = 2, .n_draws = 400};
    const auto plain = drawn("chain_convergence", snapshot_of_chains(study_of_chains("nuts"), hand), coarse());
    hand.change      = [](std::size_t chain, std::span<float> weights) {
        if (chain == 1)
            exchange_units(weights);
    };
    const auto exchanged = drawn("chain_convergence", snapshot_of_chains(study_of_chains("nuts"), hand), coarse());
    EXPECT_NEAR(number_named(exchanged, "Worst R̂"), number_named(plain, "Worst R̂"), 1e-3);
    EXPECT_LT(number_named(plain, "Worst R̂ of the weights"), 1.1);
    EXPECT_GT(number_named(exchanged, "Worst R̂ of the weights"), 1.5);
    EXPECT_THAT(result_of(exchanged, "Worst R̂ of the weights"), HasSubstr("hidden units can be swapped"));
}

TEST(ChainConvergence, DiagnosticsOfHamiltonianChainsAreCounted)
{
    const auto run   = snapshot_of_chains(study_of_chains("nuts"));
    const auto chart = drawn("chain_convergence", run, coarse());
    EXPECT_EQ(row_named(chart, "Divergences").at(1), Cell(1L));
    EXPECT_EQ(row_named(chart, "Trajectories at the depth limit").at(1), Cell(2L));
    EXPECT_NEAR(number_named(chart, "Mean acceptance"), 0.75, 1e-12);
    EXPECT_NEAR(number_named(chart, "Smallest bulk ESS per 1,000 gradients, excluding"),
                number_named(chart, "Smallest bulk ESS") / 2, 1e-9);
    EXPECT_NEAR(number_named(chart, "Smallest bulk ESS per 1,000 gradients, including"),
                number_named(chart, "Smallest bulk ESS") / 3, 1e-9);
    const auto chains   = chain_snapshot(run);
    const auto energies = chains.energies();
    const auto e        = chains.by_chain(energies);
    EXPECT_NEAR(number_named(chart, "E-BFMI of chain 0"), *e_bfmi(e.chain(0)), 1e-12);
    EXPECT_NEAR(number_named(chart, "E-BFMI of chain 1"), *e_bfmi(e.chain(1)), 1e-12);
    EXPECT_THAT(chart.caption, HasSubstr("divergences: 1."));
    EXPECT_EQ(number_named(chart, "Step size of chain 1, and its warm-up"), 0.1);
    EXPECT_EQ(result_of(chart, "Step size of chain 1, and its warm-up"), "The step size settled.");
    const auto& rows = chart.table->rows;
    const auto first = std::find_if(rows.begin(), rows.end(), [](const auto& row) {
        return row.front() == Cell("Step size of chain 1, and its warm-up");
    });
    ASSERT_LT(first + 1, rows.end());
    EXPECT_EQ((first + 1)->at(3), Cell("The metric settled."));
}

TEST(ChainConvergence, OtherChainsHaveNoEnergies)
{
    const auto chart = drawn("chain_convergence", snapshot_of_chains(study_of_chains("sgld"), {.statistics = false}),
                             coarse());
    for (const char* name : {"Divergences", "E-BFMI", "Mean acceptance", "Smallest bulk ESS per", "Step size"})
        EXPECT_TRUE(row_named(chart, name).empty()) << name;
    EXPECT_FALSE(row_named(chart, "Smallest bulk ESS").empty());
}

TEST(ChainConvergence, OfOneInputRHatIsACurve)
{
    const auto chart = drawn("chain_convergence", snapshot_of_chains(study_of_chains("nuts", ToyKind::blundell_curve)));
    ASSERT_EQ(chart.panels.size(), 1u);
    EXPECT_EQ(chart.panels[0].x.range, Range(-0.2, 1.2));
    const auto& line = std::get<Line>(chart.panels[0].series.front());
    EXPECT_EQ(line.x.size(), 201u);
    EXPECT_THAT(line.y, testing::Each(testing::AllOf(testing::Ge(1), testing::Le(1.05))));
    EXPECT_THAT(chart.caption, HasSubstr("The function's value at 201 points along x"));
    EXPECT_THAT(result_of(chart, "Worst R̂"), testing::StartsWith("x = "));
}

TEST(ChainConvergence, StuckChainsHaveMessagesInsteadOfNumbers)
{
    const auto same = drawn("chain_convergence", snapshot_of_chains(study_of_chains("nuts"), {.scale = 0}), coarse());
    EXPECT_EQ(row_named(same, "Worst R̂").at(1), Cell(std::string()));
    EXPECT_THAT(result_of(same, "Worst R̂"), HasSubstr("nothing varies"));
    EXPECT_THAT(same.caption, HasSubstr("nothing varies"));
    const auto apart = drawn("chain_convergence",
                             snapshot_of_chains(study_of_chains("nuts"), {.scale = 0, .shifts = {0, 1}}), coarse());
    EXPECT_EQ(row_named(apart, "Worst R̂").at(1), Cell(std::string()));
    EXPECT_THAT(apart.caption, HasSubstr("at worst without bound"));
    EXPECT_THAT(map_of(apart.panels.at(0)).z, testing::Contains(1.05f));
}

TEST(ChainConvergence, IsRejectedWhereThereAreNoChainsOrTooFewDraws)
{
    EXPECT_THAT(refusal_of("chain_convergence", moons()), testing::StartsWith("This view needs chains. Choose NUTS"));
    const auto study = study_of_chains("nuts");
    EXPECT_EQ(refusal_of("chain_convergence", snapshot_before_draws(study)),
              "At this step the chains have no draws yet. Continue training.");
    EXPECT_EQ(refusal_of("chain_convergence", snapshot_of_chains(study, {.n_draws = 1})),
              many_draws + "1 draw; diagnostics need at least 4. Continue training, or save more draws.");
    EXPECT_EQ(refusal_of("chain_convergence", snapshot_of_chains(study, {.n_draws = 3})),
              many_draws + "3 draws; diagnostics need at least 4. Continue training, or save more draws.");
    const auto why_not = [](const char* method) {
        Experiment experiment;
        experiment.study.posterior.family = method;
        return view("chain_convergence").why_not(experiment);
    };
    for (const char* method : {"deep_ensemble", "swag", "laplace"})
        EXPECT_TRUE(why_not(method)) << method;
    for (const char* method : {"nuts", "hmc", "sgld", "psgld", "sghmc", "cyclical_sgld", "sgfuncrld"})
        EXPECT_FALSE(why_not(method)) << method;
}

TEST(ChainConvergence, StopsOnRequest)
{
    std::stop_source source;
    source.request_stop();
    for (const char* id : {"chain_convergence", "chain_traces", "compare_distances", "compare_truth", "truth_boxplots"})
        EXPECT_FALSE(view(id).make(snapshot_of_chains(study_of_chains("nuts")), coarse(), source.get_token())) << id;
}

TEST(ChainViews, NameDataMethodSeedAndStepAndAreExported)
{
    for (const auto kind : {ToyKind::two_moons, ToyKind::blundell_curve, ToyKind::spirals})
        for (const char* id : {"chain_convergence", "chain_traces", "compare_truth", "truth_boxplots"}) {
            SCOPED_TRACE(id);
            const auto run   = snapshot_of_chains(study_of_chains("hmc", kind));
            const auto chart = drawn(id, run, coarse());
            EXPECT_EQ(chart.id, id);
            EXPECT_EQ(chart.message, "");
            EXPECT_THAT(chart.caption, HasSubstr("Data: " + run.experiment->data->training.name));
            EXPECT_THAT(chart.caption, HasSubstr("Posterior: HMC"));
            EXPECT_THAT(chart.caption, HasSubstr("Seed 1, step 200"));
            EXPECT_FALSE(data_table(chart).columns.empty());
            EXPECT_FALSE(to_latex(chart).empty());
        }
}

TEST(ChainDraws, AreOrderedChainByChain)
{
    // No noise; the last bias of each chain rises, and chain 1 is above chain 0.
    const auto run    = snapshot_of_chains(study_of_chains("nuts", ToyKind::blundell_curve),
                                           {.n_draws = 9, .scale = 0, .shifts = {0, 10}, .drift = 1});
    const auto chains = chain_snapshot(run);
    const auto draws  = draws_at(run, chains.predictive, std::vector<float>{0.25f}, 1, chains.places, {}).value();
    ASSERT_EQ(draws.values.size(), 18u);
    EXPECT_TRUE(std::is_sorted(draws.values.begin(), draws.values.end()));
    EXPECT_GT(draws.values[9] - draws.values[8], 8 * (draws.values[8] - draws.values[0]) / 2);
}

TEST(ChainDraws, AChainOfFewDrawsIsLeftOutAndOthersAreCutToOneLength)
{
    const auto layout = prepare(study_of_chains("nuts"))->start->layout();
    SampleOrigin origin;
    for (int chain : {0, 1, 2})
        for (int i = 0; i < (chain == 0 ? 10 : chain == 1 ? 3 : 7); ++i)
            origin.chains.push_back(chain);
    const SampleSet set(layout, aligned_vector<float>(20 * layout.size()), origin);
    const auto order = chain_order(set).value();
    EXPECT_THAT(order.chains, testing::ElementsAre(0, 2));
    EXPECT_EQ(order.n_draws(), 7u);
    EXPECT_EQ(order.n_left_out, 6u);
    EXPECT_THAT(order.numbers[1], testing::ElementsAre(13, 14, 15, 16, 17, 18, 19));
    EXPECT_EQ(chains_text(order),
              "2 chains of 7 draws each. 6 further draws are left out so that all chains have the same length.");
    const auto places = places_of_draws(set, order, 1);
    EXPECT_EQ(std::count(places.begin(), places.end(), nowhere), 6);
    auto used = places;
    std::sort(used.begin(), used.end());
    for (std::size_t i = 0; i < 14; ++i)
        EXPECT_EQ(used[i], i);
    EXPECT_FALSE(chain_order(SampleSet(layout, aligned_vector<float>(20 * layout.size()))));
}
