// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "unit/charts/series_of.h"
#include "views/weights.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

Architecture convolution(int channels = 1)
{
    Architecture out{.inputs = channels * 36,
                     .layers = {Conv2d{.filters = 3, .kernel = 2}, Dense{.units = 4}},
                     .image  = ImageShape{channels, 6, 6}};
    return out;
}

Architecture dense_on_images()
{
    Architecture out = mlp(6, {5}, 3);
    out.image        = ImageShape{1, 2, 3};
    return out;
}

std::vector<float> one_two_three(std::size_t n)
{
    std::vector<float> out;
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(static_cast<float>(i) - 4);
    return out;
}

BlockUncertainty block(const std::string& name, std::optional<double> tau = {}, std::optional<double> rho = {})
{
    BlockUncertainty out;
    out.block = name;
    out.tau   = tau;
    out.rho   = rho;
    return out;
}

}   // namespace

TEST(Kernels, AreTheWeightsInTheirOrder)
{
    const auto weights = one_two_three(layout_of(convolution()).size());
    const auto value   = kernels(convolution(), weights, {}, block("conv 1 weights"));
    EXPECT_EQ(value.total, 3);
    EXPECT_EQ(value.rows, 2);
    EXPECT_THAT(value.index, ElementsAre(0, 1, 2));
    EXPECT_EQ(value.mean, std::vector<float>(weights.begin(), weights.begin() + 12));
    const auto maps = series_of<HeatMap>(to_chart(value).panels.at(0));
    ASSERT_EQ(maps.size(), 3u);
    EXPECT_THAT(maps[1].z, ElementsAre(2, 3, 0, 1));   // row 0 of the kernel is the upper one
    EXPECT_EQ(maps[1].part, "kernel 1");
}

TEST(Kernels, OfUnitsAreThoseOfLargestNormLaidOutAsTheImage)
{
    std::vector<float> weights(layout_of(dense_on_images()).size(), 0.0f);
    for (int unit = 0; unit < 5; ++unit)
        weights[static_cast<std::size_t>(6 * unit)] = static_cast<float>(
            std::array{1, -5, 2, 5, 3}[static_cast<std::size_t>(unit)]);
    const auto value = kernels(dense_on_images(), weights, {}, block("dense 1 weights"));
    EXPECT_FALSE(value.convolution);
    EXPECT_THAT(value.index, ElementsAre(1, 3, 4, 2, 0));
    EXPECT_EQ(value.rows, 2);
    EXPECT_EQ(value.columns, 3);
    const auto chart = to_chart(value);
    EXPECT_THAT(series_of<HeatMap>(chart.panels.at(0)).at(0).z, ElementsAre(0, 0, 0, -5, 0, 0));
    EXPECT_THAT(chart.caption, HasSubstr("Units, row by row: 1, 3, 4, 2, 0."));
}

TEST(Kernels, AreNextToOneSampleOnOneSymmetricScale)
{
    const auto n = layout_of(convolution()).size();
    std::vector<float> draw(n, 0.0f);
    draw[5]          = 40;
    const auto chart = to_chart(kernels(convolution(), one_two_three(n), draw, block("conv 1 weights", 0.0412, -0.44)));
    ASSERT_EQ(chart.panels.size(), 2u);
    for (const auto& panel : chart.panels)
        for (const auto& map : series_of<HeatMap>(panel)) {
            EXPECT_EQ(map.z_range, Range(-40, 40));
            EXPECT_EQ(map.map, ColourMap::diverging);
        }
    EXPECT_EQ(chart.panels[1].title, "Sample: τ 0.0412, ρ −0.440");
}

TEST(Kernels, HaveGapsBetweenThem)
{
    const auto chart = to_chart(
        kernels(convolution(3), one_two_three(layout_of(convolution(3)).size()), {}, block("conv 1 weights")));
    const auto maps = series_of<HeatMap>(chart.panels.at(0));
    ASSERT_EQ(maps.size(), 9u);
    EXPECT_EQ(maps[4].part, "kernel 1, green");
    for (std::size_t a = 0; a < maps.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            EXPECT_TRUE(maps[a].x.first > maps[b].x.second + 1 || maps[b].x.first > maps[a].x.second + 1
                        || maps[a].y.first > maps[b].y.second + 1 || maps[b].y.first > maps[a].y.second + 1)
                << a << " and " << b;
    for (const auto& map : maps) {
        EXPECT_GE(map.x.first - 0.5, chart.panels[0].x.range->first);
        EXPECT_LE(map.x.second + 0.5, chart.panels[0].x.range->second);
        EXPECT_GE(map.y.first - 0.5, chart.panels[0].y.range->first);
        EXPECT_LE(map.y.second + 0.5, chart.panels[0].y.range->second);
    }
}

TEST(Kernels, OfWeightsThatAreAllZeroHaveAScale)
{
    const std::vector<float> zero(layout_of(convolution()).size(), 0.0f);
    EXPECT_EQ(series_of<HeatMap>(to_chart(kernels(convolution(), zero, {}, block("conv 1 weights"))).panels.at(0))
                  .at(0)
                  .z_range,
              Range(-1, 1));
}

TEST(Kernels, NeedAFirstLayerThatSeesAnImage)
{
    EXPECT_TRUE(has_kernels(convolution()));
    EXPECT_TRUE(has_kernels(dense_on_images()));
    EXPECT_TRUE(has_kernels(with_dropout_before_weights(dense_on_images(), 0.2)));
    EXPECT_FALSE(has_kernels(mlp(2, {5}, 3)));
    Architecture pooled = convolution();
    pooled.layers.insert(pooled.layers.begin(), Pool{});
    EXPECT_FALSE(has_kernels(pooled));
    EXPECT_THAT([] { kernels(mlp(2, {5}, 3), {}, {}, {}); },
                testing::ThrowsMessage<Error>("Kernels: the first layer of this network does not see an image."));
}
