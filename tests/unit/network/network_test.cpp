// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/network.h"

#include "foundation/parallel.h"
#include "network/likelihood.h"
#include "unit/network/input_gradients.h"
#include "unit/network/likelihood_properties.h"
#include "unit/network/tangent_checks.h"
#include "unit/network/thread_bits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace credence {
namespace {

double loss(const Network<double>& network, const std::vector<double>& weights, const std::vector<double>& x, int n,
            const Likelihood& likelihood, const Targets& targets, const std::optional<DropoutNoise>& dropout,
            std::vector<double>* gradient = nullptr)
{
    Network<double>::Workspace workspace(network, n);
    const int k        = network.architecture().outputs();
    const auto outputs = network.forward(weights, x.data(), n, workspace, dropout);
    std::vector<double> dz(outputs.size());
    const double total = negative_log_likelihood<double>(likelihood, outputs, n, k, targets, dz, 1.0);
    if (gradient)
        network.backward(weights, dz, workspace, *gradient);
    return total;
}

void expect_gradient_matches_differences(const Architecture& architecture, const Likelihood& likelihood,
                                         std::optional<DropoutNoise> dropout = {})
{
    const Network<double> network(architecture);
    const int n                 = 7;
    std::vector<double> weights = normals(network.layout().size(), 1, 0.5);
    const std::vector<double> x = normals(static_cast<std::size_t>(n) * architecture.inputs, 2, 1);
    const std::vector<int> labels{0, 1, 1, 0, 1, 0, 0};
    const std::vector<float> y{0.5f, -1, 2, 0, 0.25f, 1, -0.5f};
    std::vector<double> gradient(weights.size());
    loss(network, weights, x, n, likelihood, {labels, y}, dropout, &gradient);
    expect_central_differences("weight", gradient, weights, [&] {
        return loss(network, weights, x, n, likelihood, {labels, y}, dropout);
    });
}

class EveryActivation : public testing::TestWithParam<ActivationKind> {};

TEST_P(EveryActivation, GradientMatchesDifferencesForEveryLikelihood)
{
    const auto network = [](int outputs) { return mlp(3, {6, 5}, outputs, GetParam()); };
    expect_gradient_matches_differences(network(2), Likelihood::categorical());
    expect_gradient_matches_differences(network(1), Likelihood::gaussian(0.4));
    expect_gradient_matches_differences(network(2), learned_noise());
    auto level                                    = network(2);
    std::get<Dense>(level.layers.back()).constant = 1;
    expect_gradient_matches_differences(level, learned_level());
}

TEST_P(EveryActivation, GradientMatchesDifferencesThroughDropout)
{
    const DropoutNoise masks{{5, Stream::dropout, 3}, 0};
    expect_gradient_matches_differences(with_dropout_before_weights(mlp(3, {6, 5}, 2, GetParam(), 0.3), 0.2),
                                        Likelihood::categorical(), masks);
}

TEST_P(EveryActivation, GradientOfTheInputsMatchesDifferences)
{
    expect_input_gradient_matches_differences(mlp(3, {6, 5}, 3, GetParam()), 7);
    expect_input_gradient_matches_differences(with_dropout_before_weights(mlp(3, {6, 5}, 2, GetParam(), 0.3), 0.2), 7,
                                              DropoutNoise{{5, Stream::dropout, 3}, 0});
}

TEST_P(EveryActivation, FloatAgreesWithDouble)
{
    const Architecture architecture = mlp(4, {33, 17}, 5, GetParam());
    const Network<float> single(architecture);
    const Network<double> exact(architecture);
    const int n                 = 9;
    const std::vector<double> w = normals(exact.layout().size(), 1, 0.4), x = normals(n * 4, 2, 1);
    const std::vector<float> wf(w.begin(), w.end()), xf(x.begin(), x.end());
    Network<float>::Workspace a(single, n);
    Network<double>::Workspace b(exact, n);
    const auto zf = single.forward(wf, xf.data(), n, a);
    const auto z  = exact.forward(w, x.data(), n, b);
    for (std::size_t i = 0; i < z.size(); ++i)
        EXPECT_NEAR(zf[i], z[i], 2e-5 * std::max(1.0, std::abs(z[i])));
}

TEST_P(EveryActivation, TangentsMatchDifferencesAndJacobians)
{
    expect_tangents_match(mlp(3, {6, 5}, 2, GetParam()));
    expect_tangents_match(Architecture{2,
                                       {Activation{GetParam()}, Dense{4}, Dropout{0.5}, Activation{GetParam()},
                                        Activation{ActivationKind::tanh}, Dense{3}, Activation{GetParam()}, Dense{2}}});
}

INSTANTIATE_TEST_SUITE_P(All, EveryActivation,
                         testing::Values(ActivationKind::relu, ActivationKind::tanh, ActivationKind::sigmoid,
                                         ActivationKind::softplus, ActivationKind::elu, ActivationKind::identity),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST(Network, ADenseLayerIsWeightsTimesInputPlusBias)
{
    const Network<double> network(mlp(2, {}, 3));
    const std::vector<double> w{1, 2, 3, 4, 5, 6, 10, 20, 30}, x{1, -1};
    Network<double>::Workspace workspace(network, 1);
    const auto z = network.forward(w, x.data(), 1, workspace);
    EXPECT_EQ(std::vector<double>(z.begin(), z.end()), (std::vector<double>{9, 19, 29}));
}

TEST(Network, AnActivationAfterDropoutIsNotFused)
{
    const Architecture odd{
        2, {Dense{4}, Dropout{0.5}, Activation{ActivationKind::tanh}, Activation{ActivationKind::sigmoid}, Dense{2}}};
    expect_gradient_matches_differences(odd, Likelihood::categorical(), DropoutNoise{{1, Stream::dropout, 0}, 0});
    expect_gradient_matches_differences(odd, Likelihood::categorical());
}

TEST(Network, DropoutKeepsTheExpectedShareAndScale)
{
    const Network<float> network(Architecture{1, {Dropout{0.2}, Dense{1}}});
    const int n = 100000;
    const std::vector<float> w{1, 0}, x(n, 1.0f);
    Network<float>::Workspace workspace(network, n);
    const auto z = network.forward(w, x.data(), n, workspace, DropoutNoise{{1, Stream::dropout, 0}, 0});
    int kept     = 0;
    for (float value : z) {
        if (value != 0) {
            EXPECT_FLOAT_EQ(value, 1.25f);
            ++kept;
        }
    }
    EXPECT_NEAR(kept / double(n), 0.8, 4 * std::sqrt(0.16 / n));
}

TEST(Network, MasksBelongToRowsHoweverTheInputsAreSplit)
{
    const Network<float> network(with_dropout_before_weights(mlp(3, {50}, 2), 0.3));
    std::vector<float> w(network.layout().size()), x(3 * 10);
    standard_normals({1, Stream::data, 0}, 0, std::span<float>(w));
    standard_normals({2, Stream::data, 0}, 0, std::span<float>(x));
    const NoiseKey key{7, Stream::prediction_dropout, 2};
    Network<float>::Workspace all(network, 10), part(network, 4);
    const auto z    = network.forward(w, x.data(), 10, all, DropoutNoise{key, 0});
    const auto late = network.forward(w, x.data() + 6 * 3, 4, part, DropoutNoise{key, 6});
    for (int i = 0; i < 8; ++i)
        EXPECT_FLOAT_EQ(late[i], z[12 + i]);
}

TEST(Network, BitsDoNotDependOnTheNumberOfThreads)
{
    expect_same_bits_for_any_threads(Network<float>(with_dropout_before_weights(mlp(300, {400, 500}, 10), 0.1)), 128);
}

TEST(Network, NamesTheFirstLayerWhoseOutputIsNotFinite)
{
    const Network<float> network(mlp(1, {2, 2}, 2));
    std::vector<float> w(network.layout().size(), 1.0f);
    const float x = 1;
    Network<float>::Workspace workspace(network, 1);
    network.forward(w, &x, 1, workspace);
    EXPECT_EQ(network.first_layer_not_finite(workspace), std::nullopt);
    w[network.layout().blocks[2].begin] = std::numeric_limits<float>::infinity();
    network.forward(w, &x, 1, workspace);
    EXPECT_EQ(network.first_layer_not_finite(workspace), 1);
}

}   // namespace
}   // namespace credence
