// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/response_norm.h"

#include "unit/layers/layer_properties.h"

namespace credence {
namespace {

TEST(ResponseNormLayer, ObeysTheLayerContract)
{
    expect_properties(ResponseNorm{3, 0.5, 0.75}, {2, 5, 6});
    expect_properties(ResponseNorm{5, 0.7, 1.3}, {1, 4, 7});
}

TEST(ResponseNormLayer, WithoutAlphaGivesItsInputsBack)
{
    LayerAlone<ResponseNorm> alone(ResponseNorm{3, 0, 0.75}, {2, 4, 4});
    EXPECT_EQ(alone.forward(), alone.x);
}

TEST(ResponseNormLayer, ReportsInvalidInput)
{
    EXPECT_EQ(
        refusal_of(ResponseNorm{2, 1, 1}, {1, 5, 5}),
        "Layer 2 of the network: found the size 2 of response normalisation, expected an odd number from 1 to 4095.");
}

}   // namespace
}   // namespace credence
