// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/network_density.h"

#include "chains.h"
#include "foundation/error.h"
#include "posterior/prior_terms.h"
#include "unit/network/likelihood_properties.h"
#include "unit/random_values.h"

namespace credence::testing {
namespace {

using Way = NetworkDensity::Way;

struct Problem {
    const char* name;
    Architecture architecture;
    Likelihood likelihood;
    int rows;
    bool mixture    = false;
    float dead_from = 1;   // inputs beyond this share are 0 everywhere

    Prior prior() const
    {
        const ParameterLayout layout = layout_of(architecture);
        if (mixture)
            return Prior::same(layout, ScaleMixturePrior{0.4, 0.9, 0.2});
        return Prior::weights_and_biases(layout, GaussianPrior{0.1, 0.7}, GaussianPrior{-0.2, 1.5});
    }
    NetworkDensity density(Way way = Way::fastest) const
    {
        const auto d = static_cast<std::size_t>(architecture.inputs), n = static_cast<std::size_t>(rows);
        auto inputs = normals<float>(n * d, 3);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (static_cast<float>(i % d) >= dead_from * static_cast<float>(d))
                inputs[i] = 0;
        const auto values = normals<float>(n, 4);
        std::vector<int> labels(n);
        for (std::size_t i = 0; i < n; ++i)
            labels[i] = static_cast<int>(i * 7 % 5) % architecture.outputs();
        return {architecture, likelihood, prior(), inputs, {labels, values}, way};
    }
    std::vector<double> weights() const { return normals(layout_of(architecture).size(), 5, 0.5); }
};

Architecture with_activations(std::vector<ActivationKind> kinds)
{
    Architecture net{3, {}, {}};
    int units = 4;
    for (const ActivationKind kind : kinds) {
        net.layers.push_back(Dense{++units});
        net.layers.push_back(Activation{kind});
    }
    net.layers.push_back(Dense{2});
    return net;
}

const Likelihood softmax, gaussian_noise = Likelihood::gaussian(0.3), learned = learned_noise(),
                          heavy_tails = student_t(0.3, 4);
using enum ActivationKind;

Architecture with_constant_output(Architecture net)
{
    std::get<Dense>(net.layers.back()).constant = 1;
    return net;
}

const Problem problems[] = {
    {"small", mlp(2, {10}, 2, ActivationKind::tanh), softmax, 60},
    {"no_hidden_layer", mlp(3, {}, 4), softmax, 13},
    {"regression", mlp(1, {7, 5}, 1, ActivationKind::tanh), gaussian_noise, 33},
    {"learned_noise", mlp(2, {9}, 2, ActivationKind::tanh), learned, 21},
    {"learned_level", with_constant_output(mlp(2, {9}, 2, ActivationKind::tanh)), learned_level(), 21},
    {"heavy_tails", mlp(1, {7, 5}, 1, ActivationKind::tanh), heavy_tails, 33},
    {"wide_inputs", mlp(70, {6}, 10, ActivationKind::tanh), softmax, 45},
    {"dead_inputs", mlp(100, {6}, 10, ActivationKind::tanh), softmax, 45, false, 0.6F},
    {"many_rows", mlp(2, {130}, 3, ActivationKind::tanh), softmax, 777},
    {"one_row", mlp(2, {3}, 2, ActivationKind::sigmoid), softmax, 1},
    {"every_smooth_activation", with_activations({ActivationKind::tanh, sigmoid, softplus, elu, identity}), softmax,
     40},
    {"relu", with_activations({relu, relu}), learned, 40},
    {"mixture_prior", mlp(2, {5}, 2, ActivationKind::tanh), softmax, 20, true},
};

class OfNets : public ::testing::TestWithParam<Problem> {};

TEST_P(OfNets, GradientIsTheSlopeOfTheDensity)
{
    NetworkDensity density = GetParam().density();
    EXPECT_LT(worst_gradient_error(density, GetParam().weights()), 2e-7);
}

TEST_P(OfNets, DensityAndGradientAreThoseOfTheNetworkInDouble)
{
    NetworkDensity fast = GetParam().density(), slow = GetParam().density(Way::network);
    const auto weights = GetParam().weights();
    std::vector<double> ours(weights.size()), theirs(weights.size());
    const double value = fast.evaluate(weights, ours), expected = slow.evaluate(weights, theirs);
    EXPECT_NEAR(value, expected, 1e-12 * (1 + std::fabs(expected)));
    EXPECT_NEAR(fast.log_likelihood(), slow.log_likelihood(), 1e-12 * (1 + std::fabs(expected)));
    for (std::size_t i = 0; i < weights.size(); ++i)
        ASSERT_NEAR(ours[i], theirs[i], 1e-11 * (1 + std::fabs(theirs[i]))) << i;
}

TEST_P(OfNets, PriorIsTheSumOverItsBlocks)
{
    NetworkDensity density = GetParam().density();
    const auto weights     = GetParam().weights();
    std::vector<double> gradient(weights.size());
    density.evaluate(weights, gradient);
    const Prior prior = GetParam().prior();
    double sum        = 0;
    for (std::size_t b = 0; b < prior.blocks.size(); ++b)
        for (std::size_t i = density.layout().blocks[b].begin; i < density.layout().blocks[b].end(); ++i)
            sum += log_density(prior.blocks[b], weights[i]);
    EXPECT_NEAR(density.log_prior(), sum, 1e-11 * std::fabs(sum));
}

INSTANTIATE_TEST_SUITE_P(NetworkDensity, OfNets, ::testing::ValuesIn(problems),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(NetworkDensity, OtherNetworksUseTheNetworkItself)
{
    Architecture images{36, {Conv2d{2, 3}, Activation{ActivationKind::tanh}, Dense{3}}, ImageShape{1, 6, 6}};
    const Problem problem{"images", images, softmax, 9};
    NetworkDensity density = problem.density();
    EXPECT_LT(worst_gradient_error(density, problem.weights()), 2e-7);
    // Dropout passes its input through.
    const Problem with{"dropout", mlp(2, {4}, 2, ActivationKind::tanh, 0.5), softmax, 9},
        without{"none", mlp(2, {4}, 2, ActivationKind::tanh), softmax, 9};
    NetworkDensity a = with.density(), b = without.density();
    std::vector<double> gradient(b.dimension());
    EXPECT_NEAR(a.evaluate(with.weights(), gradient), b.evaluate(with.weights(), gradient), 1e-11);
}

TEST(NetworkDensity, AListOfPriorMeansIsUsed)
{
    const Problem problem{"means", mlp(2, {3}, 2, ActivationKind::tanh), softmax, 8};
    Prior prior = problem.prior();
    prior.means = normals(layout_of(problem.architecture).size(), 8);
    NetworkDensity density(problem.architecture, softmax, prior, std::vector<float>(16), {std::vector<int>(8), {}});
    std::vector<double> gradient(prior.means.size());
    density.evaluate(prior.means, gradient);
    double constant = 0;
    for (const Block& block : density.layout().blocks)
        constant -= static_cast<double>(block.size)
                    * (std::log(block.kind == BlockKind::weights ? 0.7 : 1.5) + 0.5 * std::log(2 * M_PI));
    EXPECT_NEAR(density.log_prior(), constant, 1e-12);
}

TEST(NetworkDensity, ACopyGivesTheSameBits)
{
    NetworkDensity density = problems[0].density();
    const auto other       = density.another();
    const auto weights     = problems[0].weights();
    std::vector<double> a(weights.size()), b(weights.size());
    EXPECT_EQ(density.evaluate(weights, a), other->evaluate(weights, b));
    EXPECT_EQ(a, b);
}

TEST(NetworkDensity, RejectsDataThatDoNotFit)
{
    const Architecture net = mlp(2, {3}, 2);
    const Prior prior      = Prior::same(layout_of(net), GaussianPrior{});
    const auto sentence    = [&](const Likelihood& likelihood, std::size_t numbers, std::vector<int> labels) {
        try {
            NetworkDensity(net, likelihood, prior, std::vector<float>(numbers), {labels, {}});
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("nothing refused");
    };
    EXPECT_EQ(sentence(softmax, 5, {0, 1}),
              "Log density of a network: found 5 numbers as inputs, expected 2 rows of 2.");
    EXPECT_EQ(sentence(softmax, 4, {0, 2}), "Log density of a network: label 2 is 2, expected 0 to 1.");
    EXPECT_EQ(sentence(gaussian_noise, 0, {}),
              "Log density of a network: the net has 2 outputs, the likelihood expects 1.");
}

}   // namespace
}   // namespace credence::testing
