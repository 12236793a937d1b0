// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/conv2d.h"

#include "unit/layers/layer_properties.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

TEST(Conv2dLayer, ObeysTheLayerContract)
{
    expect_properties(Conv2d{3, 3}, {2, 6, 5});
    expect_properties(Conv2d{2, 5, 1, 2}, {1, 7, 8});
    expect_properties(Conv2d{3, 2, 3, 1}, {2, 9, 8});
    expect_properties(Conv2d{8, 5}, {1, 9, 12});   // by MinimalFiltering
}

TEST(Conv2dLayer, HasAKernelAndABiasForEachFilter)
{
    const LayerWeights weights = Conv2d{20, 5}.layer_weights({3, 28, 28}, {20, 24, 24});
    EXPECT_EQ(weights.per_unit, 75);
    EXPECT_EQ(weights.units, 20);
    EXPECT_EQ(weights.fan_out, 500);
    EXPECT_EQ(weights.convolution->places(), 576);
}

TEST(Conv2dLayer, ReportsInvalidInput)
{
    EXPECT_EQ(refusal_of(Conv2d{}, {10, 1, 1}, false),
              "Layer 2 of the network: a convolution needs an image, found a plain vector of 10 numbers.");
    EXPECT_EQ(refusal_of(Conv2d{1, 5, 1, -1}, {1, 9, 9}),
              "Layer 2 of the network: found the padding -1, expected 0 to 4096.");
}

}   // namespace
}   // namespace credence
