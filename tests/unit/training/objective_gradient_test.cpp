// SPDX-License-Identifier: GPL-3.0-or-later
// Finite differences of the whole objective, family × layers × loss × complexity, in double: draw,
// network, loss, pullback.
#include "network/likelihood.h"
#include "network/network.h"
#include "unit/families.h"
#include "unit/network/likelihood_properties.h"

#include <gtest/gtest.h>

#include <cmath>

namespace credence {
namespace {

constexpr int n = 6;
const std::vector<int> labels{0, 1, 1, 0, 1, 0};
const std::vector<float> values{0.5f, -1, 2, 0, 0.25f, 1};

struct Loss {
    const char* name;
    Likelihood likelihood;
    int outputs;
};
const std::vector<Loss> losses{{"softmax", Likelihood::categorical(), 2},
                               {"gaussian", Likelihood::gaussian(0.5), 1},
                               {"learned noise", learned_noise(), 2},
                               {"student-t", student_t(0.5, 4), 1}};

struct Layers {
    const char* name;
    Architecture (*make)(int outputs);
};
const std::vector<Layers> stacks{
    {"relu",
     [](int k) {
    return mlp(2, {4, 3}, k, ActivationKind::relu);
     }},
    {"tanh",
     [](int k) {
    return mlp(2, {4, 3}, k, ActivationKind::tanh);
     }},
    {"sigmoid",
     [](int k) {
    return mlp(2, {4, 3}, k, ActivationKind::sigmoid);
     }},
    {"softplus",
     [](int k) {
    return mlp(2, {4, 3}, k, ActivationKind::softplus);
     }},
    {"elu",
     [](int k) {
    return mlp(2, {4, 3}, k, ActivationKind::elu);
     }},
    {"identity",
     [](int k) {
    return mlp(2, {4, 3}, k, ActivationKind::identity);
     }},
    {"dropout",
     [](int k) {
    return with_dropout_before_weights(mlp(2, {4, 3}, k, ActivationKind::tanh, 0.3), 0.2);
     }},
    };

struct Objective {
    Network<double> network;
    Network<double>::Workspace workspace;
    Draw<double> draw;
    std::vector<double> inputs, dz, dw;

    Objective(const Architecture& architecture, const VariationalFamily<double>& q)
        : network(architecture), workspace(network, n), draw(q.make_draw()), inputs(n * 2),
          dz(n * architecture.outputs()), dw(network.layout().size())
    {
        standard_normals({3, Stream::data, 0}, 0, std::span<double>(inputs));
        q.draw({4, Stream::weight_noise, 0}, draw);
    }

    /// Mean nll at the draw for this noise, plus the weighted complexity.
    double value(const VariationalFamily<double>& q, const Likelihood& likelihood, const Complexity& complexity)
    {
        q.transform(draw);
        const auto z = network.forward(draw.weights, inputs.data(), n, workspace,
                                       DropoutNoise{{4, Stream::dropout, 0}, 0});
        double total = negative_log_likelihood<double>(likelihood, z, n, network.architecture().outputs(),
                                                       {labels, values}, dz, 1.0 / n)
                       / n;
        if (complexity.weight != 0)
            total += complexity.weight
                     * (complexity.kind == Complexity::Kind::closed ? *q.kl(*complexity.prior)
                                                                    : *q.sampled_complexity(draw, *complexity.prior));
        if (complexity.l2 != 0)
            for (double w : draw.weights)
                total += 0.5 * complexity.l2 * w * w;
        return total;
    }

    std::vector<double> gradient(const VariationalFamily<double>& q, const Likelihood& likelihood,
                                 const Complexity& complexity)
    {
        value(q, likelihood, complexity);
        network.backward(draw.weights, dz, workspace, dw);
        std::vector<double> result(q.parameters().size(), std::nan(""));
        q.pullback(draw, dw, complexity, [&](std::size_t first, std::span<const double> piece) {
            std::copy(piece.begin(), piece.end(), result.begin() + first);
        });
        return result;
    }
};

void expect_differences(const std::string& family, const Layers& stack, const Loss& loss,
                        const Complexity& complexity_without_prior, const BlockPrior& block_prior)
{
    SCOPED_TRACE(std::string(stack.name) + ", " + loss.name);
    const Architecture architecture = stack.make(loss.outputs);
    const ParameterLayout layout    = layout_of(architecture);
    const Prior prior               = Prior::same(layout, block_prior);
    Complexity complexity           = complexity_without_prior;
    complexity.prior                = &prior;
    PosteriorOptions options;
    options.family      = family;
    options.initial_sd  = 0.3;
    options.initial_tau = {0.4, 0.3};
    options.initial_rho = {-0.3, 0.2};
    std::vector<float> means(layout.size());
    standard_normals({1, Stream::initial_weights, 0}, 0, std::span<float>(means));
    const auto q = make_posterior<double>(layout, options, means);
    Objective objective(architecture, *q);
    const std::vector<double> gradient = objective.gradient(*q, loss.likelihood, complexity);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        // Fourth order: [8 (f(+h) - f(-h)) - (f(+2h) - f(-2h))] / 12h, so that h may be wide and rounding small.
        double& parameter = q->parameters()[i];
        const double at = parameter, h = 1e-4 * std::max(1.0, std::abs(at));
        const auto value_at = [&](double steps) {
            parameter          = at + steps * h;
            const double value = objective.value(*q, loss.likelihood, complexity);
            parameter          = at;
            return value;
        };
        const double difference = (8 * (value_at(1) - value_at(-1)) - (value_at(2) - value_at(-2))) / (12 * h);
        ASSERT_NEAR(gradient[i], difference, 1e-6 * std::max(1.0, std::abs(gradient[i])))
            << "parameter " << i << " of " << gradient.size();
    }
}

void expect_differences_everywhere(const std::string& family, const Complexity& complexity, const BlockPrior& prior)
{
    for (const Layers& stack : stacks)
        for (const Loss& loss : losses)
            expect_differences(family, stack, loss, complexity, prior);
}

constexpr double kl_weight = 0.01;
const BlockPrior wide      = GaussianPrior{0.1, 0.7};
const BlockPrior mixture   = ScaleMixturePrior{0.25, 1.0, 0.1};
const Complexity closed{nullptr, Complexity::Kind::closed, kl_weight, 0, 1, 0};
const Complexity sampled{nullptr, Complexity::Kind::sampled, kl_weight, 0, 1, 0};

TEST(ObjectiveGradient, PointEstimateWithWeightDecay)
{
    expect_differences_everywhere("point_estimate", {nullptr, Complexity::Kind::closed, 0, 0, 1, 0.02}, wide);
}
TEST(ObjectiveGradient, BernoulliDropoutWithWeightDecay)
{
    expect_differences_everywhere("bernoulli_dropout", {nullptr, Complexity::Kind::closed, 0, 0, 1, 0.02}, wide);
}
TEST(ObjectiveGradient, MeanFieldClosedGaussian) { expect_differences_everywhere("mean_field", closed, wide); }
TEST(ObjectiveGradient, MeanFieldSampledGaussian) { expect_differences_everywhere("mean_field", sampled, wide); }
TEST(ObjectiveGradient, MeanFieldSampledMixture) { expect_differences_everywhere("mean_field", sampled, mixture); }
TEST(ObjectiveGradient, LayerScaleClosedGaussian) { expect_differences_everywhere("layer_scale", closed, wide); }
TEST(ObjectiveGradient, LayerScaleSampledMixture) { expect_differences_everywhere("layer_scale", sampled, mixture); }
TEST(ObjectiveGradient, TridiagonalClosedGaussian) { expect_differences_everywhere("tridiagonal", closed, wide); }
TEST(ObjectiveGradient, TridiagonalSampledMixture) { expect_differences_everywhere("tridiagonal", sampled, mixture); }

}   // namespace
}   // namespace credence
