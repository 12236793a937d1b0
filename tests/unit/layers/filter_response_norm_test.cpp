// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/filter_response_norm.h"

#include "unit/layers/layer_properties.h"

namespace credence {
namespace {

TEST(FilterResponseNormLayer, ObeysTheLayerContract)
{
    expect_properties(FilterResponseNorm{}, {2, 5, 6});
    expect_properties(FilterResponseNorm{0.3}, {3, 1, 4});
}

/// Each channel of each image has the mean square ν²/(ν² + ε), whatever its scale.
TEST(FilterResponseNormLayer, GivesEveryChannelTheMeanSquareOne)
{
    LayerAlone<FilterResponseNorm> alone(FilterResponseNorm{1e-12}, {2, 4, 3});
    for (std::size_t i = 0; i < 12; ++i)
        alone.x[i] *= 1000;
    const auto y = alone.forward();
    for (std::size_t plane = 0; plane < y.size(); plane += 12) {
        double squares = 0;
        for (std::size_t i = 0; i < 12; ++i)
            squares += y[plane + i] * y[plane + i] / 12;
        EXPECT_NEAR(squares, 1, 1e-10);
        EXPECT_GT(y[plane] * alone.x[plane], 0);   // signs stay
    }
}

TEST(FilterResponseNormLayer, OfZerosIsZero)
{
    LayerAlone<FilterResponseNorm> alone(FilterResponseNorm{}, {1, 3, 3});
    std::fill(alone.x.begin(), alone.x.end(), 0.0);
    EXPECT_EQ(alone.forward(), alone.x);
}

TEST(FilterResponseNormLayer, ReportsInvalidInput)
{
    EXPECT_EQ(refusal_of(FilterResponseNorm{0}, {1, 5, 5}),
              "Layer 2 of the network: found epsilon 0 of filter response normalisation, expected a number above 0 "
              "and at most 1.");
    EXPECT_EQ(refusal_of(FilterResponseNorm{}, {5, 1, 1}, false),
              "Layer 2 of the network: filter response normalisation needs an image, found a plain vector of 5 "
              "numbers.");
}

}   // namespace
}   // namespace credence
