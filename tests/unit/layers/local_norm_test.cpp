// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/local_norm.h"

#include "unit/layers/layer_properties.h"

namespace credence {
namespace {

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
