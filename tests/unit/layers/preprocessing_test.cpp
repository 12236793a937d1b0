// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/preprocessing.h"
#include "unit/layers/layer_properties.h"

namespace credence {
namespace {

TEST(GreyLayer, ObeysTheLayerContract)
{
    expect_properties(Grey{}, {3, 4, 5});
    expect_properties(Grey{}, {1, 3, 4});
}

TEST(GreyLayer, IsTheLumaOfColoursAndLeavesGreyUnchanged)
{
    LayerAlone<Grey> colours(Grey{}, {3, 2, 2});
    colours.forward();
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(colours.y[i], 0.299 * colours.x[i] + 0.587 * colours.x[4 + i] + 0.114 * colours.x[8 + i], 1e-12);
    LayerAlone<Grey> grey(Grey{}, {1, 3, 3});
    EXPECT_EQ(grey.forward(), grey.x);
}

TEST(GreyLayer, ReportsInvalidInput)
{
    EXPECT_EQ(refusal_of(Grey{}, {2, 5, 5}), "Layer 2 of the network: found 2 channels before grey, expected 1 or 3.");
    EXPECT_EQ(refusal_of(Grey{}, {9, 1, 1}, false),
              "Layer 2 of the network: grey needs an image, found a plain vector of 9 numbers.");
}

TEST(LocalNormLayer, ObeysTheLayerContract)
{
    expect_properties(LocalNorm{3, 0.5}, {2, 5, 6});
    expect_properties(LocalNorm{9, 0.7}, {1, 4, 7});   // the window is larger than the image
}

TEST(LocalNormLayer, IgnoresBrightness)
{
    LayerAlone<LocalNorm> alone(LocalNorm{3, 0.1}, {2, 4, 4});
    const auto before = alone.forward();
    for (double& x : alone.x)
        x += 3;
    const auto& after = alone.forward();
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_NEAR(after[i], before[i], 1e-9) << i;
}

TEST(LocalNormLayer, ReportsInvalidInput)
{
    EXPECT_EQ(
        refusal_of(LocalNorm{4, 0.1}, {1, 5, 5}),
        "Layer 2 of the network: found the size 4 of local normalisation, expected an odd number from 3 to 4095.");
    EXPECT_EQ(
        refusal_of(LocalNorm{3, 0}, {1, 5, 5}),
        "Layer 2 of the network: found the floor 0 of local normalisation, expected a number above 0, at most 1e6.");
}

}   // namespace

}   // namespace credence
