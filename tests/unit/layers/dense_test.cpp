// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/dense.h"
#include "layers/dense_stage.h"
#include "unit/layers/layer_properties.h"

namespace credence {
namespace {

TEST(DenseLayer, TextAndJsonRoundTrip) { expect_notation_comes_back(Dense{37}); }

TEST(DenseLayer, FusesOneActivation)
{
    DenseStage<double> dense({{1, 1, 2}, {1, 1, 3}});
    EXPECT_FALSE(dense.has_activation());
    EXPECT_TRUE(dense.takes_activation(ActivationKind::tanh));
    EXPECT_TRUE(dense.has_activation());
    EXPECT_FALSE(dense.takes_activation(ActivationKind::relu));
}

TEST(DenseLayer, TangentsGradientsAndDifferencesAgree)
{
    constexpr int n = 4, in = 3, out = 5;
    DenseStage<double> dense({{1, 1, in}, {1, 1, out}, 0, 0, in * out});
    dense.takes_activation(ActivationKind::softplus);
    const auto w = normals(in * out + out, 1), x = normals(n * in, 2), along = normals(w.size(), 3),
               dx = normals(x.size(), 4), dy = normals(n * out, 5);
    std::vector<double> y(n * out), up(y.size()), down(y.size());
    dense.forward(w.data(), x.data(), y.data(), n, [](TileRange) {});
    const auto moved = [](std::vector<double> at, const std::vector<double>& d, double h) {
        for (std::size_t i = 0; i < at.size(); ++i)
            at[i] += h * d[i];
        return at;
    };
    const double h = 1e-6;
    dense.forward(moved(w, along, h).data(), moved(x, dx, h).data(), up.data(), n, [](TileRange) {});
    dense.forward(moved(w, along, -h).data(), moved(x, dx, -h).data(), down.data(), n, [](TileRange) {});
    std::vector<double> tangent = dx, carried(y.size()), dz = dy, weight_gradient(w.size()), input_gradient(x.size());
    tangent.resize(std::max(x.size(), y.size()));
    const std::span<const double> directions[] = {along};
    dense.tangents(w.data(), directions, x.data(), y.data(), n, true, tangent.data(), carried.data());
    dense.through_activation(y.data(), dz.data(), dz.size());
    dense.weight_gradient(dz.data(), x.data(), n, weight_gradient.data());
    dense.input_gradient(w.data(), dz.data(), input_gradient.data(), n, [](TileRange) {});
    double expected = 0, forwards = 0, backwards = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        EXPECT_NEAR(tangent[i], (up[i] - down[i]) / (2 * h), 1e-8) << "output " << i;
        expected += dy[i] * (up[i] - down[i]) / (2 * h);
        forwards += dy[i] * tangent[i];
    }
    for (std::size_t i = 0; i < w.size(); ++i)
        backwards += weight_gradient[i] * along[i];
    for (std::size_t i = 0; i < x.size(); ++i)
        backwards += input_gradient[i] * dx[i];
    EXPECT_NEAR(forwards, expected, 1e-7);
    EXPECT_NEAR(backwards, expected, 1e-7);
}

TEST(DenseLayer, ReportsInvalidInput)
{
    EXPECT_EQ(refusal_of(Dense{0}, {1, 5, 5}), "Layer 2 of the network: found 0 units, expected 1 to 1,000,000.");
}

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
