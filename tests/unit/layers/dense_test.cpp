// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/dense.h"
#include "layers/dense_stage.h"
#include "unit/layers/layer_properties.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

TEST(DenseLayer, TextAndJsonRoundTrip)
{
    expect_notation_comes_back(Dense{37});
    expect_notation_comes_back(Dense{.units = 3, .constant = 2});
    EXPECT_EQ(text_of(Layer(Dense{37})), "dense 37");
}

TEST(DenseLayer, FusesOneActivation)
{
    DenseStage<double> dense({{1, 1, 2}, {1, 1, 3}});
    EXPECT_FALSE(dense.has_activation());
    EXPECT_TRUE(dense.absorb_activation(ActivationKind::tanh));
    EXPECT_TRUE(dense.has_activation());
    EXPECT_FALSE(dense.absorb_activation(ActivationKind::relu));
}

void expect_tangents_gradients_and_differences_agree(int constant)
{
    constexpr int n = 4, in = 3, out = 5;
    DenseStage<double> dense({{1, 1, in}, {1, 1, out}, 0, 0, in * out}, constant);
    EXPECT_EQ(dense.absorb_activation(ActivationKind::softplus), constant == 0);
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
    std::vector<double> both(w.size()), inputs(x.size());
    dense.gradients(w.data(), dz.data(), x.data(), both.data(), inputs.data(), n, [](TileRange) {});
    EXPECT_EQ(both, weight_gradient);
    EXPECT_EQ(inputs, input_gradient);
}

TEST(DenseLayer, TangentsGradientsAndDifferencesAgree)
{
    for (const int constant : {0, 1, 2})
        expect_tangents_gradients_and_differences_agree(constant);
}

TEST(DenseLayer, ConstantUnitsAreTheirBiasesAndHaveNoGradientOfWeights)
{
    constexpr int n = 16, in = 3, out = 4, constant = 2;   // n is whole cache lines
    const StagePlace place{{in, 1, 1}, {out, 1, 1}, 0, 0, in * out};
    const DenseStage<double> dense(place, constant);
    const auto w = normals(in * out + out, 1), x = normals(in * n, 2), along = normals(w.size(), 3),
               dx = normals(x.size(), 4), dy = normals(n * out, 5);
    const auto by_rows = [](const std::vector<double>& values, int units) {   // [units × n] → [n × units]
        std::vector<double> rows(values.size());
        for (int u = 0; u < units; ++u)
            for (int i = 0; i < n; ++i)
                rows[static_cast<std::size_t>(i * units + u)] = values[static_cast<std::size_t>(u * n + i)];
        return rows;
    };
    const auto planes = [](auto& values) { return Planes{values.data(), n, 1}; };
    std::vector<double> y(out * n), dz = dy, gradient(w.size()), down(x.size()), tangent(y.size());
    const StagePass<double> pass{.weights = w.data(), .n = n};
    const Planes<const double> inputs{x.data(), n, 1};
    dense.forward(pass, inputs, planes(y));
    for (int i = 0; i < n; ++i)
        for (int u = out - constant; u < out; ++u)
            EXPECT_EQ(y[static_cast<std::size_t>(u * n + i)], w[static_cast<std::size_t>(in * out + u)]);
    dense.backward(pass, inputs, planes(y), planes(dz), planes(down), {.gradient = gradient.data()});
    for (int i = in * (out - constant); i < in * out; ++i)
        EXPECT_EQ(gradient[static_cast<std::size_t>(i)], 0);
    auto moved_inputs = dx;
    const Direction<double> direction{.along = along.data(), .dx = planes(moved_inputs), .dy = planes(tangent)};
    dense.tangents(pass, inputs, planes(y), {&direction, 1}, true);

    // The same by the products of a whole batch.
    const auto x_rows = by_rows(x, in), dz_rows = by_rows(dy, out);
    std::vector<double> y_rows(y.size()), gradient_rows(w.size()), down_rows(x.size()), carried(y.size());
    dense.forward(w.data(), x_rows.data(), y_rows.data(), n, [](TileRange) {});
    dense.gradients(w.data(), dz_rows.data(), x_rows.data(), gradient_rows.data(), down_rows.data(), n,
                    [](TileRange) {});
    auto tangent_rows = by_rows(dx, in);
    tangent_rows.resize(y.size());
    const std::span<const double> directions[] = {along};
    dense.tangents(w.data(), directions, x_rows.data(), y_rows.data(), n, true, tangent_rows.data(), carried.data());
    EXPECT_THAT(by_rows(y, out), testing::Pointwise(testing::DoubleNear(1e-12), y_rows));
    EXPECT_THAT(gradient, testing::Pointwise(testing::DoubleNear(1e-12), gradient_rows));
    EXPECT_THAT(by_rows(down, in), testing::Pointwise(testing::DoubleNear(1e-12), down_rows));
    EXPECT_THAT(by_rows(tangent, out), testing::Pointwise(testing::DoubleNear(1e-12), tangent_rows));
}

TEST(DenseLayer, ReportsInvalidInput)
{
    EXPECT_EQ(refusal_of(Dense{0}, {1, 5, 5}), "Layer 2 of the network: found 0 units, expected 1 to 1,000,000.");
    EXPECT_EQ(refusal_of(Dense{.units = 2, .constant = 2}, {1, 5, 5}),
              "Layer 2 of the network: found 2 constant units of 2, expected 0 to 1.");
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
