// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/architecture.h"

#include "foundation/error.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace credence {
namespace {

using testing::HasSubstr;

std::string refusal_of(const Architecture& architecture)
{
    return sentence_of_error([&] { architecture.check(); });
}

TEST(Architecture, AnMlpAlternatesDenseLayersAndActivations)
{
    const Architecture network = mlp(2, {100, 50}, 4, ActivationKind::tanh);
    EXPECT_EQ(network.layers, (std::vector<Layer>{Dense{100}, Activation{ActivationKind::tanh}, Dense{50},
                                                  Activation{ActivationKind::tanh}, Dense{4}}));
    EXPECT_EQ(network.outputs(), 4);
}

TEST(Architecture, AnMlpMayDropInputsAtARateOfTheirOwn)
{
    const Architecture network = mlp(3, {7}, 2, ActivationKind::relu, 0.5, 0.2);
    EXPECT_EQ(network.layers,
              (std::vector<Layer>{Dropout{0.2}, Dense{7}, Activation{ActivationKind::relu}, Dropout{0.5}, Dense{2}}));
    EXPECT_EQ(mlp(3, {}, 2, ActivationKind::relu, 0.5, 0.2).layers, (std::vector<Layer>{Dropout{0.2}, Dense{2}}));
}

TEST(Architecture, JsonRoundTripIsTheIdentity)
{
    const Architecture network = with_dropout_before_weights(mlp(3, {7, 5}, 2, ActivationKind::elu, 0.25), 0.1);
    const nlohmann::json json  = network;
    EXPECT_EQ(json.get<Architecture>(), network);
}

TEST(Architecture, DropoutBeforeWeightsPrecedesEveryDenseLayer)
{
    const Architecture network = with_dropout_before_weights(mlp(2, {3}, 2), 0.2);
    EXPECT_EQ(network.layers,
              (std::vector<Layer>{Dropout{0.2}, Dense{3}, Activation{ActivationKind::relu}, Dropout{0.2}, Dense{2}}));
}

TEST(Architecture, ErrorsNameTheLayer)
{
    EXPECT_THAT(refusal_of({2, {Dense{0}}}), HasSubstr("Layer 1 of the network: found 0 units"));
    EXPECT_THAT(refusal_of({2, {Dense{3}, Dropout{1.0}, Dense{2}}}),
                HasSubstr("Layer 2 of the network: found the dropout rate 1"));
    EXPECT_THAT(refusal_of({2, {Dense{3}, Activation{}}}), HasSubstr("does not end with a dense layer"));
    EXPECT_THAT(refusal_of({0, {Dense{3}}}), HasSubstr("0 inputs"));
    EXPECT_THROW(
        nlohmann::json::parse(R"({"inputs":2,"layers":[{"activation":"swish"},{"dense":2}]})").get<Architecture>(),
        Error);
}

TEST(ParameterLayout, BlocksFollowOneAnotherLayerByLayer)
{
    const ParameterLayout layout = layout_of(mlp(784, {1200, 1200}, 10));
    ASSERT_EQ(layout.blocks.size(), 6u);
    EXPECT_EQ(layout.size(), 784u * 1200 + 1200 + 1200u * 1200 + 1200 + 1200u * 10 + 10);
    for (std::size_t b = 1; b < layout.blocks.size(); ++b)
        EXPECT_EQ(layout.blocks[b].begin, layout.blocks[b - 1].end());
    EXPECT_EQ(layout.blocks[2].name, "dense 2 weights");
    EXPECT_EQ(layout.blocks[3].kind, BlockKind::biases);
    EXPECT_EQ(layout.blocks[4].fan_in, 1200);
}

TEST(InitialWeights, HaveTheSpreadThatTheirNameStates)
{
    const ParameterLayout layout = layout_of(mlp(400, {300}, 200));
    const auto rms               = [&](Initialisation how) {
        const std::vector<float> w = initial_weights(layout, how, 3);
        const Block& block         = layout.blocks[0];
        double sum                 = 0;
        for (std::size_t i = block.begin; i < block.end(); ++i)
            sum += double(w[i]) * w[i];
        return std::sqrt(sum / static_cast<double>(block.size));
    };
    EXPECT_NEAR(rms(Initialisation::he), std::sqrt(2.0 / 400), 0.01 * std::sqrt(2.0 / 400));
    EXPECT_NEAR(rms(Initialisation::glorot), std::sqrt(2.0 / 700), 0.01 * std::sqrt(2.0 / 700));
    EXPECT_NEAR(rms(Initialisation::caffe), std::sqrt(1.0 / 400), 0.01 * std::sqrt(1.0 / 400));
}

TEST(InitialWeights, AreGaussianWithTheSdOfTheirLayer)
{
    const ParameterLayout layout   = layout_of(mlp(200, {150, 100}, 100));
    const std::vector<double> sd   = {1e-4, 0.1};   // the third layer repeats the second
    const std::vector<float> drawn = initial_weights(layout, Initialisation::gaussian, 3, sd);
    for (const Block& block : layout.blocks) {
        double sum = 0, squares = 0, fourth = 0;
        for (std::size_t i = block.begin; i < block.end(); ++i) {
            const double w = drawn[i];
            sum += w;
            squares += w * w;
            fourth += w * w * w * w;
        }
        if (block.kind == BlockKind::biases) {
            EXPECT_EQ(squares, 0);
            continue;
        }
        const double n = static_cast<double>(block.size), s = sd[block.layer == 0 ? 0 : 1];
        EXPECT_NEAR(std::sqrt(squares / n), s, 4 * s / std::sqrt(2 * n)) << block.name;   // four standard errors
        EXPECT_NEAR(sum / n, 0, 4 * s / std::sqrt(n)) << block.name;
        EXPECT_NEAR(fourth / n, 3 * s * s * s * s, 4 * std::sqrt(96 / n) * s * s * s * s) << block.name;
    }
}

TEST(InitialWeights, AreAFunctionOfTheSeedAndLeaveBiasesAtZero)
{
    const ParameterLayout layout = layout_of(mlp(5, {4}, 3));
    EXPECT_EQ(initial_weights(layout, Initialisation::he, 1), initial_weights(layout, Initialisation::he, 1));
    EXPECT_NE(initial_weights(layout, Initialisation::he, 1), initial_weights(layout, Initialisation::he, 2));
    const std::vector<float> w = initial_weights(layout, Initialisation::glorot, 1);
    for (const Block& block : layout.blocks) {
        if (block.kind == BlockKind::weights)
            continue;
        for (std::size_t i = block.begin; i < block.end(); ++i)
            EXPECT_EQ(w[i], 0.0f);
    }
}

}   // namespace
}   // namespace credence
