// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/network_picture.h"

#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::vector<std::string> names_of(const NetworkPicture& picture)
{
    std::vector<std::string> names;
    for (const auto& column : picture.columns)
        names.push_back(column.name);
    return names;
}

std::size_t weights_in(const NetworkPicture& picture)
{
    std::size_t n = 0;
    for (const auto& edge : picture.edges)
        n += edge.n;
    return n;
}

}   // namespace

TEST(NetworkPicture, HasAnEdgeForEachWeightOfASmallNetwork)
{
    const auto small  = mlp(2, {3}, 2);
    const auto layout = layout_of(small);
    std::vector<float> mean(layout.size()), sd(layout.size(), 0.5f);
    for (std::size_t i = 0; i < mean.size(); ++i)
        mean[i] = (i % 2 ? -1.0f : 1.0f) * static_cast<float>(i);
    const auto picture = network_picture(small, mean, sd);
    EXPECT_THAT(names_of(picture), ElementsAre("2 inputs", "dense 1: 3 units", "2 outputs"));
    ASSERT_EQ(picture.edges.size(), 12u);
    for (const auto& edge : picture.edges) {
        const auto& block = layout.layer(edge.layer).weights;
        EXPECT_EQ(edge.n, 1u);
        EXPECT_EQ(edge.weight, block.begin + static_cast<std::size_t>(edge.to * block.fan_in + edge.from));
        EXPECT_EQ(edge.mean, mean[edge.weight]);
        EXPECT_EQ(edge_with(picture, layout, edge.weight), &edge);
        EXPECT_EQ(edge.signal_to_noise(), std::fabs(mean[edge.weight]) / 0.5);
    }
    EXPECT_EQ(edge_with(picture, layout, layout.layer(0).biases.begin), nullptr);
    EXPECT_EQ(edge_with(picture, layout, layout.size()), nullptr);
    EXPECT_THAT(picture.columns[1].spread, ElementsAre(0.5, 0.5, 0.5));
    EXPECT_TRUE(picture.columns[0].spread.empty());
}

TEST(NetworkPicture, LargeLayersAreBlocksWithTheMeansOfTheirWeights)
{
    const auto large  = mlp(2, {30, 4}, 2);
    const auto layout = layout_of(large);
    std::vector<float> mean(layout.size(), 0.0f), sd(layout.size(), 1.0f);
    const auto& first = layout.layer(0).weights;
    for (std::size_t o = 0; o < 30; ++o) {
        mean[first.begin + 2 * o]     = -2;   // from the first input
        mean[first.begin + 2 * o + 1] = o < 15 ? 3.0f : -3.0f;
    }
    const auto picture = network_picture(large, mean, sd);
    EXPECT_TRUE(picture.columns[1].block);
    EXPECT_FALSE(picture.columns[2].block);
    EXPECT_EQ(picture.edges.size(), 2u + 4u + 8u);
    EXPECT_EQ(picture.edges[0].n, 30u);
    EXPECT_DOUBLE_EQ(picture.edges[0].mean, -2);
    EXPECT_DOUBLE_EQ(picture.edges[1].mean, 0);
    EXPECT_DOUBLE_EQ(picture.edges[1].signal_to_noise(), 3) << "of the magnitudes";
    EXPECT_EQ(weights_in(picture), 2u * 30 + 30 * 4 + 4 * 2);
    EXPECT_EQ(edge_with(picture, layout, first.begin + 2 * 29 + 1), &picture.edges[1]) << "from the second input";
    EXPECT_EQ(series_of<Band>(to_chart(picture).panels[0]).size(), 1u);
}

TEST(NetworkPicture, ConvolutionsAreBlocksWithTheirShape)
{
    const Architecture network{64, layers_from_text("conv 3 3, max 2, dense 5, relu, dense 2"), ImageShape{1, 8, 8}};
    const auto picture = network_picture(network, {}, {});
    EXPECT_THAT(names_of(picture),
                ElementsAre("1 × 8 × 8 inputs", "conv 1: 3 × 3 × 3", "dense 1: 5 units", "2 outputs"));
    EXPECT_EQ(picture.edges.size(), 1u + 5u + 10u);
    EXPECT_EQ(picture.edges[0].n, 27u);
    EXPECT_EQ(weights_in(picture), 27u + 27 * 5 + 10);
    EXPECT_FALSE(picture.has_spread);
}

TEST(NetworkPicture, SkipConnectionsAreBracketsAboveTheirLayers)
{
    const Architecture network{
        64,
        layers_from_text("conv 2 3 pad 1, save, frn, relu, conv 3 3 stride 2 pad 1, conv 3 1, add, "
                         "save, conv 4 3 stride 2 pad 1, swap, conv 4 1, add, relu, dense 2"),
        ImageShape{1, 8, 8}};
    const auto picture = network_picture(network, {}, {});
    EXPECT_THAT(names_of(picture),
                ElementsAre("1 × 8 × 8 inputs", "conv 1: 2 × 8 × 8", "conv 2: 3 × 4 × 4", "conv 3: 3 × 4 × 4",
                            "conv 4: 4 × 2 × 2", "conv 5: 4 × 2 × 2", "2 outputs"));
    ASSERT_EQ(picture.skips.size(), 2u);
    EXPECT_EQ(picture.skips[0].from, 1);
    EXPECT_EQ(picture.skips[0].to, 3);
    EXPECT_FALSE(picture.skips[0].swapped);
    EXPECT_EQ(picture.skips[1].to, 5);
    const auto chart = to_chart(picture);
    const auto lines = series_of<Line>(chart.panels[0]);
    ASSERT_EQ(lines.front().name, "skip connection");
    EXPECT_THAT(lines.front().x, testing::SizeIs(10)) << "two brackets";
    EXPECT_THAT(chart.caption, HasSubstr("act on the saved image"));
    EXPECT_TRUE(network_picture(mlp(2, {3}, 2), {}, {}).skips.empty());
}

TEST(NetworkPicture, ThePointOnAnEdgeLeadsToItsWeight)
{
    const auto picture = network_picture(mlp(2, {3}, 2), {}, {});
    const auto chart   = to_chart(picture);
    for (const auto& line : series_of<Line>(chart.panels[0]))
        for (std::size_t i = 0; i + 2 < line.x.size(); i += 3) {
            const double x = 0.9 * line.x[i] + 0.1 * line.x[i + 1], y = 0.9 * line.y[i] + 0.1 * line.y[i + 1];
            const auto* edge = edge_at(picture, x, y);
            ASSERT_NE(edge, nullptr);
            EXPECT_EQ(edge, &picture.edges[i / 3]) << "all are of one line here";
        }
    EXPECT_EQ(edge_at(picture, 0.5, 1.1), nullptr);
    EXPECT_EQ(edge_at(picture, -0.3, 0), nullptr);
    EXPECT_NE(edge_at(network_picture(mlp(2, {30, 30}, 2), {}, {}), 1.5, 0.05), nullptr);
}

TEST(NetworkPicture, WordsAtAPointHaveTheSpreadNextToThePrior)
{
    const auto network = mlp(2, {3}, 2);
    const auto n       = layout_of(network).size();
    const std::vector<float> mean(n, 0.5F), sd(n, 0.25F);
    auto picture   = network_picture(network, mean, sd);
    picture.priors = {GaussianPrior::from_sigma(1), GaussianPrior::from_sigma(2)};
    const auto of  = to_chart(picture).panels.at(0).words_at;
    EXPECT_EQ(of(0, 0.45), "2 inputs, unit 1");
    EXPECT_EQ(of(1, 0), "dense 1: 3 units, unit 2\nmean σ of the weights into it: 0.25");
    EXPECT_EQ(of(0.5, 0.675), "Weight 0, from unit 1 to unit 1\nμ 0.5, σ 0.25\nprior: μ 0, σ 1\n|μ|/σ 2");
    EXPECT_THAT(words_at(picture, 1.2, 0.81), HasSubstr("prior: μ 0, σ 2"));
    EXPECT_EQ(of(0.5, 1.12), "");
    const auto plain = network_picture(network, mean, std::vector<float>(n, 0.0F));
    EXPECT_EQ(words_at(plain, 0.5, 0.675), "Weight 0, from unit 1 to unit 1\nμ 0.5");

    const auto blocks = network_picture(mlp(2, {30, 30}, 2), {}, {});
    EXPECT_EQ(words_at(blocks, 1, 0.3), "dense 1: 30 units");
    EXPECT_THAT(words_at(blocks, 1.5, 0.02), HasSubstr("900 weights, the first is "));
}

TEST(NetworkView, NamesThePriorOfTheRunUnderThePointer)
{
    const auto chart = drawn("network", moons());
    std::string words;
    for (double y = -1; y <= 1 && words.find("Weight") == std::string::npos; y += 0.05)
        words = chart.panels.at(0).words_at(0.5, y);
    EXPECT_THAT(words, HasSubstr("prior: μ 0, σ "));
}

TEST(NetworkView, HasThinLinesForWeightsThatCouldBeZero)
{
    const auto chart = drawn("network", moons());
    const auto lines = series_of<Line>(chart.panels.at(0));
    ASSERT_GE(lines.size(), 2u);
    EXPECT_EQ(lines.back().tone, Tone{Tone::Kind::accent});
    EXPECT_THAT(lines.back().name, HasSubstr("selected: weight 0"));
    for (std::size_t i = 1; i + 1 < lines.size(); ++i)
        EXPECT_GE(lines[i].width, lines[i - 1].width) << "strong ones are drawn last";
    EXPECT_THAT(chart.caption, HasSubstr("|μ|/σ"));
    const auto point = drawn("network", snapshot_of(small_study("point_estimate")));
    EXPECT_THAT(point.caption, HasSubstr("width: |μ|, widest"));
    EXPECT_EQ(point.table->columns.size(), 5u);
    EXPECT_EQ(chart.table->columns.size(), 7u);
}
