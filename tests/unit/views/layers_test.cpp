// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/charts/series_of.h"
#include "views/layers.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::ElementsAre;

namespace {

LayerUncertainty two_layers(bool with_tau, bool with_rho, double sd = 0.1)
{
    LayerUncertainty blocks;
    for (int layer = 1; layer <= 2; ++layer)
        for (const auto kind : {BlockKind::weights, BlockKind::biases}) {
            BlockUncertainty block;
            block.block = "dense " + std::to_string(layer) + (kind == BlockKind::weights ? " weights" : " biases");
            block.kind  = kind;
            if (with_tau)
                block.tau = 0.1 * layer;
            if (with_rho)
                block.rho = -0.2;
            block.median_sd          = sd;
            block.median_relative_sd = 2 * sd;
            blocks.push_back(block);
        }
    return blocks;
}

std::vector<std::string> titles(const Chart& chart)
{
    std::vector<std::string> out;
    for (const auto& panel : chart.panels)
        out.push_back(panel.title);
    return out;
}

}   // namespace

TEST(PriorSd, OfAMixtureIsTheRootOfTheMeanVariance)
{
    const ScaleMixturePrior mixture{0.25, 2, 0.1};
    EXPECT_NEAR(prior_sd(mixture), std::sqrt(0.25 * 4 + 0.75 * 0.01), 1e-15);
    EXPECT_EQ(prior_mean(mixture), 0);
    EXPECT_EQ(prior_sd(GaussianPrior{1, 3}), 3);
    EXPECT_EQ(prior_mean(GaussianPrior{1, 3}), 1);
}

TEST(Layers, OfAFamilyWithTauAndRhoShowBothAndTheSpreadNextToItsPrior)
{
    const auto chart = to_chart(Layers{two_layers(true, true), std::vector<BlockPrior>(4, GaussianPrior{0, 1})});
    EXPECT_THAT(titles(chart), ElementsAre("Relative standard deviation τ", "Neighbour correlation ρ",
                                           "Standard deviation and its prior"));
    const auto tau = series_of<Points>(chart.panels[0]);
    ASSERT_EQ(tau.size(), 2u);
    EXPECT_EQ(tau[0].name, "Weights");
    EXPECT_THAT(tau[0].x, ElementsAre(0, 1));
    EXPECT_THAT(tau[1].y, ElementsAre(0.1, 0.2));
    EXPECT_THAT(chart.panels[0].x.categories, ElementsAre("dense 1", "dense 2"));
    EXPECT_EQ(chart.panels[1].y.range, Range(-0.5, 0.5));
    EXPECT_EQ(chart.panels[2].y.range, Range(0, 1.1));   // the prior's mark is the highest
    EXPECT_EQ(series_of<Points>(chart.panels[2]).size(), 4u);
    EXPECT_EQ(series_of<Points>(chart.panels[2])[2].tone.kind, Tone::Kind::prior);
}

TEST(Layers, OfMeanFieldShowTheRelativeSpread)
{
    EXPECT_THAT(titles(to_chart(Layers{two_layers(false, false), {}})),
                ElementsAre("Relative standard deviation", "Standard deviation and its prior"));
}

TEST(Layers, OfAPointEstimateAreATableThatStatesThis)
{
    const auto chart = to_chart(Layers{two_layers(false, false, 0), {}});
    EXPECT_TRUE(chart.panels.empty());
    EXPECT_EQ(chart.table->rows.size(), 4u);
    EXPECT_EQ(chart.caption, "A point estimate: the weights have no spread.");
}

TEST(Layers, TableHasOneRowABlockAndThePriorLast)
{
    const auto table = *to_chart(Layers{two_layers(true, false), std::vector<BlockPrior>(4, GaussianPrior{0.5, 2})})
                            .table;
    EXPECT_EQ(table.rows[3].front(), Cell("dense 2 biases"));
    EXPECT_EQ(table.rows[3][1], Cell(0.2));
    EXPECT_EQ(table.rows[3].back(), Cell(2.0));
}

TEST(Layers, WithoutBlocksStateThis)
{
    EXPECT_EQ(to_chart(Layers{}).message, "This posterior does not describe its layers.");
}

TEST(LayersOverTraining, HaveALineForEachBlock)
{
    TrainingHistory history(3);
    for (int i = 0; i < 3; ++i) {
        history[i].step          = 10 * i;
        history[i].layers        = two_layers(true, false);
        history[i].layers[2].tau = i;
    }
    const auto value = layers_over_training(history);
    EXPECT_THAT(value.step, ElementsAre(0, 10, 20));
    EXPECT_THAT(value.tau[2], ElementsAre(0, 1, 2));
    EXPECT_TRUE(value.rho.empty());
    const auto lines = series_of<Line>(to_chart(value).panels.at(0));
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[1].style, LineStyle::dashed);
    EXPECT_EQ(lines[2].tone, category(1));
}

TEST(LayersOverTraining, HaveAPanelForAPriorThatIsLearned)
{
    TrainingHistory history(2);
    for (int i = 0; i < 2; ++i) {
        history[i].step   = i;
        history[i].layers = two_layers(true, false);
        history[i].prior  = {1, 2, 3, 4.0 + i};
    }
    const Chart of_blocks = to_chart(layers_over_training(history));
    EXPECT_THAT(titles(of_blocks),
                ElementsAre("Relative standard deviation τ", "Standard deviation of the prior, learned"));
    EXPECT_THAT(series_of<Line>(of_blocks.panels.back()).at(3).y, ElementsAre(4, 5));
    history[0].prior = history[1].prior = {0.25, 1, 0.01};
    const Chart of_mixture              = to_chart(layers_over_training(history));
    EXPECT_EQ(of_mixture.panels.back().title, "Scale mixture prior, learned");
    const auto lines = series_of<Line>(of_mixture.panels.back());
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_THAT(lines[2].y, ElementsAre(0.01, 0.01));
}

TEST(LayersOverTraining, WithoutRecordsOrWithoutSpreadStateWhatToDo)
{
    EXPECT_EQ(to_chart(layers_over_training({})).message, "Nothing has been recorded yet. Train a few steps.");
    TrainingHistory history(1);
    history[0].layers = two_layers(false, false, 0);
    EXPECT_THAT(to_chart(layers_over_training(history)).message, testing::HasSubstr("Choose mean field"));
}
