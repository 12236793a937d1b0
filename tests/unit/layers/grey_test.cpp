// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/grey.h"

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

}   // namespace
}   // namespace credence
