// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/second_derivatives.h"
#include "unit/laplace/small_nets.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "unit/network/likelihood_properties.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace credence {
namespace {

using namespace small_nets;

constexpr double step = 1e-7;   // of differences: short, since a kink within it would count for all

std::vector<double> exact_diagonal(const Small& s, std::size_t first = 0)
{
    return exact_hessian(s.model, s.weights, s.inputs, s.targets(), s.n, first, false, {}, [](double) {})->values;
}

std::vector<double> exact_matrix(const Small& s, std::size_t first = 0)
{
    return exact_hessian(s.model, s.weights, s.inputs, s.targets(), s.n, first, true, {}, [](double) {})->values;
}

std::vector<double> fitted_diagonal(const Small& s, CurvatureKind kind)
{
    return s.curvature(options(diagonal, CurvatureLayers::all, kind))->data().diagonal;
}

double worst_difference(const std::vector<double>& a, const std::vector<double>& b)
{
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        worst   = std::max(worst, std::abs(a[i] - b[i]));
        largest = std::max(largest, std::abs(b[i]));
    }
    return worst / largest;
}

TEST(HessianDiagonal, OfASmoothNetWithConvolutionsIsTheSecondDerivativeOfTheLoss)
{
    for (const ActivationKind kind : {ActivationKind::tanh, ActivationKind::softplus, ActivationKind::elu}) {
        const Small s(conv_net(kind), 12);
        const auto want = diagonal_of(hessian_by_differences(s, step));
        expect_near(exact_diagonal(s), want, 1e-5, name_of(kind));
        expect_near(fitted_diagonal(s, CurvatureKind::hessian), want, 1e-5, name_of(kind));
        EXPECT_GT(worst_difference(fitted_diagonal(s, CurvatureKind::ggn), want), 1e-3);   // which is something else
    }
}

TEST(HessianDiagonal, OfAPiecewiseLinearNetIsThatOfTheGaussNewton)
{
    const Small s(conv_net(ActivationKind::relu), 12);
    const auto want = diagonal_of(hessian_by_differences(s, step));
    expect_near(fitted_diagonal(s, CurvatureKind::ggn), want, 1e-5, "GGN and differences");
    expect_near(exact_diagonal(s), fitted_diagonal(s, CurvatureKind::ggn), 1e-12, "second derivatives and the GGN");
    EXPECT_EQ(fitted_diagonal(s, CurvatureKind::hessian), fitted_diagonal(s, CurvatureKind::ggn));
    const auto whole = hessian_by_differences(s, step);   // between layers the two differ
    expect_near(exact_matrix(s), whole, 1e-5, "matrix and differences");
    EXPECT_GT(worst_difference(whole, ggn_naively(s)), 1e-3);
}

TEST(HessianDiagonal, IsThatOfTheMatrix)
{
    for (const Small& s : {Small(mlp(3, {4, 5}, 3, ActivationKind::tanh), 21),
                           Small(mlp(2, {6}, 1, ActivationKind::sigmoid), 20, Likelihood::gaussian(0.4)),
                           Small(mlp(2, {5}, 2, ActivationKind::tanh), 9, learned_noise()), Small(conv_net(), 41)}) {
        const auto want = diagonal_of(exact_matrix(s));
        EXPECT_EQ(fitted_diagonal(s, CurvatureKind::hessian), exact_diagonal(s));
        expect_near(exact_diagonal(s), want, 1e-12, "all");
        expect_near(exact_diagonal(s, 7), {want.begin() + 7, want.end()}, 1e-12, "from weight 7 on");
    }
}

TEST(HessianDiagonal, AcceptsLeadingPreprocessingAndRejectsUnknownLaterLayers)
{
    const Architecture in_front{
        3 * 5 * 5,
        {Grey{}, LocalNorm{3, 0.1}, Conv2d{2, 3}, Activation{ActivationKind::tanh}, Dropout{0.5}, Flatten{}, Dense{3}},
        ImageShape{3, 5, 5}};
    EXPECT_EQ(refusal_of_second_derivatives(in_front), std::nullopt);
    const Small s(in_front, 8);
    expect_near(exact_diagonal(s), diagonal_of(hessian_by_differences(s, 1e-5)), 1e-6,
                "after grey and local normalisation");
    const Architecture norm_after_weights{
        2 * 5 * 5,
        {Conv2d{2, 3}, ResponseNorm{3, 0.1, 0.75}, Activation{ActivationKind::relu}, Dense{3}},
        ImageShape{2, 5, 5}};
    EXPECT_FALSE(piecewise_linear_in_each_weight(norm_after_weights));
    EXPECT_THAT(refusal_of_curvature({norm_after_weights, {}, false}, 10,
                                     options(diagonal, CurvatureLayers::all, CurvatureKind::hessian))
                    .value_or(""),
                ::testing::AllOf(::testing::HasSubstr("The exact Hessian does not support the layer 'norm 3"),
                                 ::testing::HasSubstr("choose the GGN")));
    const Small refused(norm_after_weights, 3);
    EXPECT_THROW(exact_matrix(refused), Error);
}

TEST(ExactHessian, IsTheDerivativeOfTheGradient)
{
    for (const Small& s : {Small(conv_net(), 12), Small(conv_net(ActivationKind::softplus), 41),
                           Small({2,
                                  {Dense{3}, Dropout{0.5}, Activation{ActivationKind::elu}, Dense{4},
                                   Activation{ActivationKind::sigmoid}, Activation{ActivationKind::tanh}, Dense{3}}},
                                 70),
                           Small({12, {Dense{5}, Activation{ActivationKind::tanh}, Dense{2}}, ImageShape{3, 2, 2}}, 9),
                           Small(residual_net(), 12)}) {
        const auto want = hessian_by_differences(s);
        expect_near(exact_matrix(s), want, 1e-7, "matrix");
        expect_near(exact_diagonal(s), diagonal_of(want), 1e-7, "diagonal");
        const std::size_t P = s.weights.size(), last = P - 3;
        const auto rest = exact_matrix(s, last);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                EXPECT_NEAR(rest[3 * i + j], want[(last + i) * P + last + j], 1e-6);
        EXPECT_NEAR(exact_hessian(s.model, s.weights, s.inputs, s.targets(), s.n, last, false, {}, [](double) {})->nll,
                    s.curvature(options(diagonal))->nll(), 1e-9 * s.n);
    }
}

TEST(ExactHessian, IsSymmetricAndHasTheSameBitsForAnyNumberOfThreads)
{
    const Small s(mlp(2, {6, 7}, 3, ActivationKind::tanh), 700);
    std::vector<double> first;
    for (const int threads : {1, 2, 7}) {
        Threads pool(threads);
        std::vector<double> now;
        pool.run([&] { now = exact_matrix(s); });
        if (first.empty())
            first = now;
        EXPECT_EQ(now, first) << threads;
    }
    const std::size_t P = s.weights.size();
    for (std::size_t i = 0; i < P; ++i)
        for (std::size_t j = 0; j < i; ++j)
            ASSERT_EQ(first[i * P + j], first[j * P + i]);
}

TEST(ExactHessian, StopsBetweenProducts)
{
    const Small net({2, {Dense{30}, Activation{ActivationKind::tanh}, Dense{2}}}, 3);
    std::stop_source source;
    int calls       = 0;
    const auto stop = [&](double share) {
        EXPECT_LT(share, 0.2);
        ++calls;
        source.request_stop();
    };
    EXPECT_FALSE(
        exact_hessian(net.model, net.weights, net.inputs, net.targets(), net.n, 0, true, source.get_token(), stop));
    EXPECT_EQ(calls, 1);
}

TEST(HessianDiagonal, HasTheSameBitsForAnyNumberOfThreadsAndStops)
{
    const Small s(conv_net(), 19);
    std::vector<double> first;
    for (const int threads : {1, 2, 7}) {
        Threads pool(threads);
        std::vector<double> now;
        pool.run([&] { now = exact_diagonal(s); });
        if (first.empty())
            first = now;
        EXPECT_EQ(now, first) << threads;
    }
    std::stop_source source;
    EXPECT_FALSE(exact_hessian(s.model, s.weights, s.inputs, s.targets(), s.n, 0, false, source.get_token(),
                               [&](double) { source.request_stop(); }));
}

}   // namespace
}   // namespace credence
