// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/dropout.h"

#include "unit/layers/layer_properties.h"

namespace credence {
namespace {

TEST(DropoutLayer, ObeysTheLayerContractUnderOneMask)
{
    expect_notation_comes_back(Dropout{0.125});
    LayerAlone<Dropout> alone(Dropout{0.4}, {2, 5, 6});
    alone.dropout = DropoutNoise{{5, Stream::dropout, 3}, 7};
    expect_derivatives_agree(alone);
    expect_nan_stays(alone);
}

TEST(DropoutLayer, GivesTheSameMaskForAnyArrangementOfImages)
{
    LayerAlone<Dropout> alone(Dropout{0.4}, {3, 4, 5});
    alone.dropout = DropoutNoise{{5, Stream::dropout, 3}, 7};
    alone.forward();
    std::vector<double> x(alone.x.size()), y(alone.y.size());
    const ImageShape shape = alone.stage->in();
    copy_planes(alone.inputs(), shape, alone.n, channel_by_channel(x.data(), shape, alone.n));
    alone.stage->forward(alone.pass(), channel_by_channel<const double>(x.data(), shape, alone.n),
                         image_by_image(y.data(), shape));
    EXPECT_EQ(y, alone.y);
}

TEST(DropoutLayer, ReportsInvalidInput)
{
    EXPECT_EQ(refusal_of(Dropout{1}, {1, 5, 5}),
              "Layer 2 of the network: found the dropout rate 1, expected at least 0 and below 1.");
}

}   // namespace
}   // namespace credence
