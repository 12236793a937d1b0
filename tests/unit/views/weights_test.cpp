// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"
#include "views/views.h"
#include "views/weights.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::ElementsAre;

namespace {

/// Of this many weights in one block, and no biases.
Pruning pruned_by_ratio(std::span<const float> mean, std::span<const float> sd, double share)
{
    ParameterLayout layout;
    if (!mean.empty())
        layout.blocks.push_back({.name = "dense 1 weights", .size = mean.size()});
    return prune({.share = share}, layout, mean, sd);
}

}   // namespace

TEST(Pruning, RemovesTheShareWithTheSmallestSignalToNoise)
{
    const std::vector<float> mean{1, -0.25f, 3, 0.5f}, sd{1, 1, 1, 0.125f};   // ratios 1, 0.25, 3, 4
    const auto pruning = pruned_by_ratio(mean, sd, 0.5);
    EXPECT_THAT(pruning.removed, ElementsAre(1, 1, 0, 0));
    EXPECT_EQ(pruning.n_removed, 2u);
    EXPECT_DOUBLE_EQ(pruning.cut.value(), 1);
    EXPECT_THAT(pruned_by_ratio(mean, sd, 0).removed, ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(pruned_by_ratio(mean, sd, 1).removed, ElementsAre(1, 1, 1, 1));
}

TEST(Pruning, OfWeightsWithoutSpreadRemovesTheZerosFirst)
{
    const std::vector<float> mean{1, 0, -2, 0}, sd(4, 0.0f);
    EXPECT_THAT(pruned_by_ratio(mean, sd, 0.5).removed, ElementsAre(0, 1, 0, 1));
}

TEST(SignalToNoise, OfAWeightWithoutSpreadIsInfiniteUnlessItIsZero)
{
    EXPECT_TRUE(std::isinf(signal_to_noise(-2, 0)));
    EXPECT_EQ(signal_to_noise(0, 0), 0);
    EXPECT_EQ(signal_to_noise(-2, 4), 0.5);
}

TEST(WeightHistograms, HavePanelsForMeansSampleAndSpread)
{
    std::vector<float> mean, sd, draw;
    for (int i = 0; i < 200; ++i) {
        mean.push_back(0.01f * static_cast<float>(i) - 1);
        sd.push_back(0.1f + 0.001f * static_cast<float>(i));
        draw.push_back(mean.back() * 1.5f);
    }
    const auto value = weight_histograms(mean, sd, draw, pruned_by_ratio(mean, sd, 0.25));
    long all = 0, kept = 0;
    for (std::size_t b = 0; b < value.means.counts.size(); ++b) {
        all += value.means.counts[b];
        kept += value.kept_means.counts[b];
    }
    EXPECT_EQ(all, 200);
    EXPECT_EQ(kept, 150);
    const auto chart = to_chart(value);
    EXPECT_THAT(chart.caption, testing::HasSubstr("50 of them are 0: 25 % of weights removed by |μ|/σ"));
    ASSERT_EQ(chart.panels.size(), 3u);
    EXPECT_EQ(chart.panels[0].x.range, chart.panels[1].x.range);   // means and draw are compared
    EXPECT_EQ(series_of<Bars>(chart.panels[0]).size(), 2u);
    EXPECT_EQ(series_of<Bars>(chart.panels[0])[1].name, "kept after pruning 25 %");
}

TEST(WeightHistograms, OfAPointEstimateShowOnlyTheWeights)
{
    const std::vector<float> mean{1, 2, 3}, sd(3, 0.0f);
    const auto chart = to_chart(weight_histograms(mean, sd, {}, pruned_by_ratio(mean, sd, 0)));
    EXPECT_EQ(chart.panels.size(), 1u);
    EXPECT_EQ(chart.caption, "Histograms over all 3 weights and biases; none of them has a spread.");
}

TEST(WeightHistograms, WithoutWeightsStateThis)
{
    EXPECT_EQ(to_chart(weight_histograms({}, {}, {}, {})).message, "This network has no weights.");
}

TEST(SignalToNoiseFigure, IsInDecibelAndItsDistributionFunctionCountsAllWeights)
{
    const std::vector<float> mean{1, 10, 100, 0}, sd{1, 1, 1, 1};
    const auto value = signal_to_noise_figure(mean, sd, pruned_by_ratio(mean, sd, 0.5));
    EXPECT_THAT(value.x, ElementsAre(0, 10, 20));
    EXPECT_THAT(value.cdf, ElementsAre(0.5, 0.75, 1));
    EXPECT_EQ(value.at_zero, 1u);
    EXPECT_NEAR(*value.cut, 0, 1e-12);   // removed: the zero and the ratio 1
}

TEST(SignalToNoiseFigure, HasACutOnlyIfAllWeightsAreOrderedByTheRatio)
{
    const std::vector<float> mean{1, 2, 4, 8}, sd{1, 1, 1, 1};
    const ParameterLayout layout{{{.name = "dense 1 weights", .size = 4}}};
    const auto cut = [&](const PruneRule& rule) {
        return signal_to_noise_figure(mean, sd, prune(rule, layout, mean, sd)).cut.has_value();
    };
    EXPECT_TRUE(cut({.share = 0.5}));
    EXPECT_FALSE(cut({.share = 0.5, .by = PruneBy::magnitude}));
    EXPECT_FALSE(cut({.share = 0.5, .per_layer = true}));
    EXPECT_FALSE(cut({.share = 0}));
}

TEST(SignalToNoiseFigure, DistributionFunctionOfManyWeightsIsThinnedNotChanged)
{
    std::vector<float> mean(5000), sd(5000, 1);
    std::vector<double> decibel;
    for (int i = 0; i < 5000; ++i) {
        mean[i] = 0.001f * static_cast<float>(i + 1);
        decibel.push_back(10 * std::log10(static_cast<double>(mean[i])));
    }
    const auto value = signal_to_noise_figure(mean, sd, {});
    ASSERT_EQ(value.x.size(), 512u);
    const auto expected = ecdf(decibel, value.x);
    for (std::size_t i = 0; i < value.x.size(); ++i)
        EXPECT_NEAR(value.cdf[i], expected[i], 1e-12);
}

TEST(SignalToNoiseFigure, ChartHasBothPanelsOnOneRangeWithTheCut)
{
    const std::vector<float> mean{1, 2, 4, 8}, sd{1, 1, 1, 1};
    const auto chart = to_chart(signal_to_noise_figure(mean, sd, pruned_by_ratio(mean, sd, 0.5)));
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_EQ(chart.panels[0].x.range, chart.panels[1].x.range);
    EXPECT_EQ(chart.panels[0].x.unit, "dB");
    EXPECT_NEAR(series_of<Rule>(chart.panels[1]).at(0).at, 10 * std::log10(2.0), 1e-12);
}

TEST(SignalToNoiseFigure, WithoutSpreadStatesWhatToDo)
{
    const std::vector<float> mean{1, 2}, sd{0, 0};
    EXPECT_THAT(to_chart(signal_to_noise_figure(mean, sd, {})).message, testing::HasSubstr("Choose mean field"));
}

TEST(OneWeight, DensitiesAreThoseOfPriorAndPosterior)
{
    const OneWeight weight{
        .index = 7, .block = "dense 1 weights", .mean = 0.5, .sd = 0.01, .prior = GaussianPrior{0, 1}};
    const auto lines = series_of<Line>(to_chart(weight).panels.at(0));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].name, "Prior");
    double area[2] = {0, 0};
    for (int j = 0; j < 2; ++j)
        for (std::size_t i = 1; i < lines[j].x.size(); ++i)
            area[j] += 0.5 * (lines[j].y[i] + lines[j].y[i - 1]) * (lines[j].x[i] - lines[j].x[i - 1]);
    EXPECT_NEAR(area[0], 0.9973, 1e-3);   // of N(0, 1) within three standard deviations
    EXPECT_NEAR(area[1], 1, 1e-3);
}

TEST(OneWeight, TheNarrowPartOfAMixtureIsResolved)
{
    const OneWeight weight{
        .index = 0, .block = "dense 1 weights", .mean = 0.5, .sd = 0.1, .prior = ScaleMixturePrior{0.5, 1, 0.0025}};
    const auto prior = series_of<Line>(to_chart(weight).panels.at(0))[0];
    double area      = 0;
    for (std::size_t i = 1; i < prior.x.size(); ++i)
        area += 0.5 * (prior.y[i] + prior.y[i - 1]) * (prior.x[i] - prior.x[i - 1]);
    EXPECT_NEAR(area, 0.5 * 0.9973 + 0.5, 2e-3);
}

TEST(OneWeight, WithoutSpreadIsALineAtItsValue)
{
    const auto chart = to_chart(
        OneWeight{.index = 0, .block = "dense 1 biases", .mean = 0.25, .sd = 0, .prior = GaussianPrior{0, 1}});
    EXPECT_EQ(series_of<Rule>(chart.panels.at(0)).at(0).at, 0.25);
    EXPECT_EQ(series_of<Line>(chart.panels[0]).size(), 1u);
}

using testing::HasSubstr;

namespace {}   // namespace

TEST(OneWeightView, NamesTheBlockAndRejectsAMissingWeight)
{
    auto options   = ViewOptions();
    options.weight = 17;   // 2 × 8 weights come first
    EXPECT_THAT(drawn("one_weight", moons(), options).panels.at(0).title, HasSubstr("biases"));
    options.weight = 42;
    EXPECT_THAT([&] { drawn("one_weight", moons(), options); },
                testing::ThrowsMessage<Error>("Weight 42 was requested, this network has weights 0 to 41."));
}
