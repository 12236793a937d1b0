// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/flatten.h"

#include "unit/layers/layer_properties.h"

namespace credence {
namespace {

TEST(FlattenLayer, MakesAnImageAVectorAndDoesNothingElse)
{
    expect_notation_comes_back(Flatten{});
    Flow flow{.shape = {3, 4, 5}, .is_image = true};
    Flatten{}.pass(flow);
    EXPECT_EQ(flow.shape, (ImageShape{60, 1, 1}));
    EXPECT_FALSE(flow.is_image);
    EXPECT_EQ(Flatten{}.stage<double>({}), nullptr);
}

}   // namespace
}   // namespace credence
