// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/parallel.h"
#include "network/architecture.h"
#include "network/likelihood.h"
#include "network/network.h"
#include "unit/network/input_gradients.h"
#include "unit/network/tangent_checks.h"
#include "unit/network/thread_bits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace credence {
namespace {

Architecture of(ImageShape image, std::vector<Layer> layers)
{
    Architecture network{image.size(), std::move(layers), image};
    network.check();
    return network;
}

double loss(const Network<double>& network, const std::vector<double>& weights, const std::vector<double>& x,
            const std::vector<int>& labels, const std::optional<DropoutNoise>& dropout,
            std::vector<double>* gradient = nullptr)
{
    const int n = static_cast<int>(labels.size());
    Network<double>::Workspace workspace(network, n);
    const auto outputs = network.forward(weights, x.data(), n, workspace, dropout);
    std::vector<double> dz(outputs.size());
    const double total = negative_log_likelihood<double>(Likelihood::categorical(), outputs, n,
                                                         network.architecture().outputs(), {labels, {}}, dz, 1.0);
    if (gradient)
        network.backward(weights, dz, workspace, *gradient);
    return total;
}

void expect_gradient_matches_differences(const Architecture& architecture, int n,
                                         std::optional<DropoutNoise> dropout = {})
{
    const Network<double> network(architecture);
    std::vector<double> weights = normals<double>(network.layout().size(), 1, 0.4);
    const std::vector<double> x = normals<double>(static_cast<std::size_t>(n) * architecture.inputs, 2, 1);
    std::vector<int> labels(n);
    for (int i = 0; i < n; ++i)
        labels[i] = i % architecture.outputs();
    std::vector<double> gradient(weights.size(), std::numeric_limits<double>::quiet_NaN());
    loss(network, weights, x, labels, dropout, &gradient);
    expect_central_differences("weight", gradient, weights, [&] { return loss(network, weights, x, labels, dropout); });
}

constexpr Activation tanh_{ActivationKind::tanh}, relu{ActivationKind::relu};
constexpr Pool::Kind maximum = Pool::Kind::maximum, average = Pool::Kind::average;

struct Case {
    const char* name;
    Architecture architecture;
};
class EveryImageLayer : public testing::TestWithParam<Case> {};

TEST_P(EveryImageLayer, GradientMatchesDifferences) { expect_gradient_matches_differences(GetParam().architecture, 3); }

TEST_P(EveryImageLayer, GradientMatchesDifferencesThroughDropoutAndOverSeveralChunks)
{
    expect_gradient_matches_differences(with_dropout_before_weights(GetParam().architecture, 0.3), 11,
                                        DropoutNoise{{5, Stream::dropout, 3}, 0});
}

TEST_P(EveryImageLayer, GradientOfTheInputsMatchesDifferences)
{
    expect_input_gradient_matches_differences(GetParam().architecture, 3);
    expect_input_gradient_matches_differences(with_dropout_before_weights(GetParam().architecture, 0.3), 11,
                                              DropoutNoise{{5, Stream::dropout, 3}, 0});
}

TEST_P(EveryImageLayer, TangentsMatchDifferencesAndJacobians) { expect_tangents_match(GetParam().architecture); }

TEST_P(EveryImageLayer, FloatAgreesWithDouble)
{
    const Network<float> single(GetParam().architecture);
    const Network<double> exact(GetParam().architecture);
    const int n  = 9;
    const auto w = normals<double>(exact.layout().size(), 1, 0.4),
               x = normals<double>(static_cast<std::size_t>(n) * GetParam().architecture.inputs, 2, 1);
    const std::vector<float> wf(w.begin(), w.end()), xf(x.begin(), x.end());
    Network<float>::Workspace a(single, n);
    Network<double>::Workspace b(exact, n);
    const auto zf = single.forward(wf, xf.data(), n, a);
    const auto z  = exact.forward(w, x.data(), n, b);
    for (std::size_t i = 0; i < z.size(); ++i)
        EXPECT_NEAR(zf[i], z[i], 2e-5 * std::max(1.0, std::abs(z[i])));
}

INSTANTIATE_TEST_SUITE_P(
    All, EveryImageLayer,
    testing::Values(
        Case{"Convolution", of({2, 6, 5}, {Conv2d{3, 3}, tanh_, Dense{2}})},
        Case{"ConvolutionWithoutActivation", of({1, 6, 6}, {Conv2d{3, 3}, Conv2d{2, 2}, Dense{3}})},
        Case{"ConvolutionWithPadding", of({2, 4, 5}, {Conv2d{3, 3, 1, 1}, relu, Conv2d{2, 5, 1, 2}, tanh_, Dense{2}})},
        Case{"ConvolutionWithStride", of({1, 9, 8}, {Conv2d{2, 3, 2}, tanh_, Conv2d{3, 2, 3, 1}, tanh_, Dense{2}})},
        Case{"ConvolutionByMinimalFiltering", of({2, 9, 12}, {Conv2d{8, 5}, tanh_, Dense{2}})},
        Case{"MaximumOfPairs", of({1, 9, 9}, {Conv2d{2, 2}, Pool{maximum, 2, 2}, Conv2d{3, 3}, Pool{maximum, 2, 2},
                                              Dense{4}, relu, Dense{2}})},
        Case{"MaximumOfManyPairs", of({1, 3, 61}, {Conv2d{2, 2}, Pool{maximum, 2, 2}, Dense{2}})},
        Case{"MaximumOfClippedWindows",
             of({1, 8, 7}, {Conv2d{2, 2}, tanh_, Pool{maximum, 3, 2}, Conv2d{3, 2}, Pool{maximum, 2, 2}, Dense{2}})},
        Case{"AverageOfClippedWindows",
             of({1, 8, 7}, {Conv2d{2, 2}, tanh_, Pool{average, 3, 2}, Conv2d{3, 2}, Pool{average, 2, 2}, Dense{2}})},
        Case{"ResponseNorm", of({2, 5, 6}, {Conv2d{2, 2}, ResponseNorm{3, 0.5, 0.75}, tanh_, Conv2d{2, 3},
                                            ResponseNorm{5, 0.7, 1.3}, Dense{2}})},
        Case{"ResidualBlock", of({2, 5, 6}, {Conv2d{3, 3, 1, 1}, Save{}, FilterResponseNorm{}, tanh_,
                                             Conv2d{3, 3, 1, 1}, tanh_, Conv2d{3, 3, 1, 1}, Add{}, tanh_, Dense{2}})},
        Case{"ResidualBlockWithStrideAndMoreChannels",
             of({2, 5, 6}, {Conv2d{2, 3, 1, 1}, Save{}, FilterResponseNorm{0.1}, tanh_, Conv2d{3, 3, 2, 1},
                            FilterResponseNorm{0.1}, tanh_, Conv2d{4, 3, 1, 1}, Add{}, Dense{2}})},
        Case{"ResidualBlockWithProjection",
             of({2, 6, 5}, {Conv2d{3, 3, 1, 1}, Save{}, Conv2d{2, 3, 2, 1}, tanh_, Conv2d{2, 3, 1, 1}, Swap{},
                            Conv2d{2, 1}, Add{}, tanh_, Pool{average, 3, 3}, Dense{2}})},
        Case{"ResidualBlocksFirstWithPoolingAndDropout",
             of({2, 6, 6}, {Save{}, Pool{maximum, 2, 2}, Conv2d{2, 3, 1, 1}, Dropout{0.4}, Add{}, Save{},
                            Conv2d{2, 3, 1, 1}, Pool{average, 2, 2}, Swap{}, Dropout{0.3}, Add{}, Dense{2}})},
        Case{"PoolingFirst",
             of({2, 6, 6}, {Pool{average, 2, 2}, ResponseNorm{3, 0.5, 0.75}, tanh_, Conv2d{2, 2}, Dense{2}})},
        Case{"NoConvolution", of({1, 6, 6}, {Pool{maximum, 3, 3}, Flatten{}, Dense{4}, tanh_, Dense{2}})},
        Case{"DropoutAmongImages", of({1, 6, 6}, {Conv2d{2, 3}, Dropout{0.4}, tanh_, Pool{average, 2, 2}, Flatten{},
                                                  tanh_, Dropout{0.2}, Dense{2}})}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(ImageNetwork, BitsDoNotDependOnTheNumberOfThreads)
{
    expect_same_bits_for_any_threads(Network<float>(with_dropout_before_weights(lenet_caffe({1, 28, 28}, 30, 10), 0.1)),
                                     30);
}

TEST(ImageNetwork, AnImagesOutputDoesNotDependOnTheOthers)
{
    const Network<float> network(with_dropout_before_weights(lenet_caffe({1, 28, 28}, 30, 10), 0.1));
    const auto w = normals<float>(network.layout().size(), 1, 0.1), x = normals<float>(784 * 21, 2, 1);
    const NoiseKey key{7, Stream::prediction_dropout, 2};
    Network<float>::Workspace all(network, 21), part(network, 6);
    const auto z    = network.forward(w, x.data(), 21, all, DropoutNoise{key, 0});
    const auto late = network.forward(w, x.data() + 15 * 784, 6, part, DropoutNoise{key, 15});
    for (int i = 0; i < 60; ++i)
        EXPECT_NEAR(late[i], z[150 + i], 1e-5 * std::max(1.0f, std::abs(z[150 + i])));
}

TEST(ImageNetwork, GivesTheGradientOfItsInputs)
{
    const Architecture fronts[] = {
        of({2, 6, 6}, {Conv2d{3, 3, 1, 1}, Pool{maximum, 2, 2}, ResponseNorm{3, 0.5, 0.75}, Dense{4}, tanh_, Dense{2}}),
        of({1, 6, 6}, {Pool{average, 3, 2}, Dense{2}}), mlp(5, {4}, 2, ActivationKind::tanh)};
    for (const Architecture& architecture : fronts) {
        const Network<double> network(architecture);
        const auto w  = normals<double>(network.layout().size(), 1, 0.4);
        auto x        = normals<double>(static_cast<std::size_t>(3) * architecture.inputs, 2, 1);
        const auto dz = normals<double>(6, 3, 1);
        Network<double>::Workspace workspace(network, 3);
        const auto total = [&] {
            const auto z = network.forward(w, x.data(), 3, workspace);
            double sum   = 0;
            for (std::size_t i = 0; i < 6; ++i)
                sum += dz[i] * z[i];
            return sum;
        };
        total();
        std::vector<double> dw(w.size()), dx(x.size());
        network.backward(w, dz, workspace, dw, dx);
        expect_central_differences("input", dx, x, total, 1e-8);
    }
}

TEST(ImageNetwork, SeveralSamplesGiveTheBitsOfOneAfterTheOther)
{
    for (const double rate : {0.0, 0.3}) {
        Architecture architecture = lenet_caffe({1, 28, 28}, 30, 10);
        if (rate > 0)
            architecture = with_dropout_before_weights(architecture, rate);
        const Network<float> network(architecture);
        const int n  = 9;
        const auto x = normals<float>(784 * n, 2, 1);
        std::vector<std::vector<float>> draws;
        std::vector<std::span<const float>> weights;
        std::vector<DropoutNoise> masks;
        for (std::uint32_t d = 0; d < 3; ++d) {
            draws.push_back(normals<float>(network.layout().size(), 10 + d, 0.1));
            if (rate > 0)
                masks.push_back({{7, Stream::prediction_dropout, d}, 4});
        }
        for (const auto& draw : draws)
            weights.emplace_back(draw);
        Network<float>::Workspace many(network, n, 3), one(network, n, 1), plain(network, n);
        network.forward_draws(weights, x.data(), n, many, masks, [&](std::size_t d, std::span<const float> z) {
            const auto draw = std::span(weights).subspan(d, 1);
            const auto mask = rate > 0 ? std::span<const DropoutNoise>(masks).subspan(d, 1)
                                       : std::span<const DropoutNoise>();
            network.forward_draws(draw, x.data(), n, one, mask, [&](std::size_t, std::span<const float> want) {
                for (std::size_t i = 0; i < z.size(); ++i)
                    ASSERT_EQ(z[i], want[i]) << "draw " << d << ", output " << i;
            });
            const auto want = network.forward(weights[d], x.data(), n, plain,
                                              rate > 0 ? std::optional(masks[d]) : std::nullopt);
            for (std::size_t i = 0; i < z.size(); ++i)
                ASSERT_EQ(z[i], want[i]) << "draw " << d << ", output " << i;
        });
    }
}

/// Batches of one image, of less and more than one chunk of images, and of whole chunks.
TEST(ImageNetwork, TrainingAndPredictionHaveTheSameBits)
{
    const Architecture networks[] = {lenet_caffe({1, 28, 28}, 30, 10), bridge_cnn({1, 28, 28}, 10),
                                     signs_lenet({1, 32, 32}, 24), resnet({3, 13, 10}, 1, 4),
                                     of({2, 13, 17}, {Conv2d{9, 5}, tanh_, Pool{average, 3, 2}, Dense{4}})};
    for (const Architecture& architecture : networks) {
        const Network<float> network(architecture);
        const auto w                           = normals<float>(network.layout().size(), 1, 0.1);
        const std::span<const float> weights[] = {w};
        for (const int n : {1, 3, 8, 21, 64})
            for (const int threads : {1, 2, 7})
                Threads(threads).run([&] {
                    const auto x = normals<float>(static_cast<std::size_t>(n) * architecture.inputs, 2, 1);
                    Network<float>::Workspace training(network, n), prediction(network, n, 1);
                    const auto want = network.forward(w, x.data(), n, training);
                    network.forward_draws(weights, x.data(), n, prediction, {},
                                          [&](std::size_t, std::span<const float> z) {
                        EXPECT_TRUE(std::equal(z.begin(), z.end(), want.begin(), want.end()))
                            << architecture.inputs << " inputs, " << n << " images, " << threads << " threads";
                    });
                });
    }
}

TEST(ImageNetwork, AnImageHasTheSameDrawsAloneAndAmongOthers)
{
    const Network<float> network(lenet_caffe({1, 28, 28}, 30, 10));
    const int n  = 9;
    const auto x = normals<float>(784 * n, 2, 1), w = normals<float>(network.layout().size(), 10, 0.1);
    const std::span<const float> weights[] = {w};
    std::vector<float> all;
    Network<float>::Workspace many(network, n, 1), one(network, 1, 1);
    network.forward_draws(weights, x.data(), n, many, {},
                          [&](std::size_t, std::span<const float> z) { all.assign(z.begin(), z.end()); });
    for (int i = 0; i < n; ++i)
        network.forward_draws(weights, x.data() + std::ptrdiff_t{784} * i, 1, one, {},
                              [&](std::size_t, std::span<const float> z) {
            for (std::size_t k = 0; k < 10; ++k)   // dense layers group their sums by the number of rows
                ASSERT_NEAR(z[k], all[static_cast<std::size_t>(i) * 10 + k], 1e-5) << "image " << i;
        });
}

TEST(ImageNetwork, TangentsOfAnImageDependNeitherOnTheOthersNorOnThreadsNorOnOtherDirections)
{
    const Network<float> network(lenet_caffe({1, 28, 28}, 30, 10));
    const int n  = 21;
    const auto w = normals<float>(network.layout().size(), 1, 0.1), x = normals<float>(784 * n, 2, 1);
    const auto one = normals<float>(w.size(), 3, 0.1), other = normals<float>(w.size(), 4, 0.1);
    const std::span<const float> both[] = {one, other};
    std::vector<std::vector<float>> outputs;
    for (const int threads : {1, 2, 7})
        Threads(threads).run([&] {
            Network<float>::Workspace workspace(network, n);
            network.forward_linearised(w, both, x.data(), n, workspace, 0, [&](std::size_t, std::span<const float> z) {
                outputs.emplace_back(z.begin(), z.end());
            });
        });
    EXPECT_EQ(outputs[0], outputs[2]);
    EXPECT_EQ(outputs[0], outputs[4]);
    EXPECT_EQ(outputs[1], outputs[5]);
    Network<float>::Workspace part(network, 6);
    network.forward_linearised(w, std::span(both).subspan(1), x.data() + 15 * 784, 6, part, 0,
                               [&](std::size_t, std::span<const float> z) {
        for (int i = 0; i < 60; ++i)
            EXPECT_NEAR(z[i], outputs[1][150 + i], 1e-5 * std::max(1.0f, std::abs(z[i])));
    });
}

TEST(ImageNetwork, NamesTheFirstConvolutionWhoseOutputIsNotFinite)
{
    const Network<float> network(lenet_caffe({1, 28, 28}, 10, 10));
    auto w       = normals<float>(network.layout().size(), 1, 0.1);
    const auto x = normals<float>(784 * 5, 2, 1);
    Network<float>::Workspace workspace(network, 5);
    network.forward(w, x.data(), 5, workspace);
    EXPECT_EQ(network.first_layer_not_finite(workspace), std::nullopt);
    w[network.layout().blocks[5].begin] = std::numeric_limits<float>::infinity();
    network.forward(w, x.data(), 5, workspace);
    EXPECT_EQ(network.first_layer_not_finite(workspace), 2);
    w[network.layout().blocks[2].begin] = -std::numeric_limits<float>::infinity();
    network.forward(w, x.data(), 5, workspace);
    EXPECT_EQ(network.first_layer_not_finite(workspace), 1);
}

}   // namespace
}   // namespace credence
