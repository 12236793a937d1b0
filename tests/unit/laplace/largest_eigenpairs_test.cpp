// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/laplace_gaussian.h"
#include "laplace/second_derivatives.h"
#include "laplace/symmetric_eigen.h"
#include "unit/laplace/small_nets.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "unit/network/likelihood_properties.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace credence {
namespace {

using namespace small_nets;

/// A v for an explicit matrix.
auto product_with(const std::vector<double>& matrix, std::size_t n)
{
    return [&matrix, n](std::span<const double> v, std::span<double> product) {
        for (std::size_t i = 0; i < n; ++i) {
            product[i] = 0;
            for (std::size_t j = 0; j < n; ++j)
                product[i] += matrix[i * n + j] * v[j];
        }
    };
}

/// Symmetric, with eigenvalues of both signs.
std::vector<double> symmetric_matrix(std::size_t n)
{
    std::vector<double> matrix = normals(n * n, 8);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j)
            matrix[i * n + j] = matrix[j * n + i];
    return matrix;
}

CurvatureOptions largest(int rank, CurvatureKind kind = CurvatureKind::ggn)
{
    return {full, CurvatureLayers::all, kind, KroneckerForm::joint, rank};
}

TEST(LargestEigenpairs, AreThoseOfTheWholeMatrix)
{
    const std::size_t n = 60;
    const auto matrix   = symmetric_matrix(n);
    const auto whole    = symmetric_eigen(matrix, static_cast<int>(n));
    const auto found    = largest_eigenpairs(n, 6, product_with(matrix, n)).value();
    ASSERT_EQ(found.values.size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_NEAR(found.values[i], whole.values[n - 6 + i], 1e-6);
        double along = 0;
        for (std::size_t j = 0; j < n; ++j)
            along += found.vectors[i * n + j] * whole.vectors[(n - 6 + i) * n + j];
        EXPECT_NEAR(std::abs(along), 1, 1e-6) << i;
    }
}

TEST(LargestEigenpairs, EndBeforeEveryProductIsTakenWhereTheSpectrumFalls)
{
    const std::size_t n = 500;
    int products        = 0;
    const auto diagonal = [&](std::span<const double> v, std::span<double> product) {
        ++products;
        for (std::size_t i = 0; i < n; ++i)
            product[i] = v[i] / static_cast<double>((i + 1) * (i + 1));
    };
    const auto found = largest_eigenpairs(n, 10, diagonal).value();
    ASSERT_EQ(found.values.size(), 10u);
    for (std::size_t i = 0; i < 10; ++i)
        EXPECT_NEAR(found.values[i], 1.0 / static_cast<double>((10 - i) * (10 - i)), 1e-8);
    EXPECT_LE(products, most_products(n, 10));
    EXPECT_LT(products, 80);
}

TEST(LargestEigenpairs, LeaveOutWhatIsNotPositiveAndStop)
{
    const std::size_t n  = 12;
    const auto one_above = [&](std::span<const double> v, std::span<double> product) {
        for (std::size_t i = 0; i < n; ++i)
            product[i] = (i == 3 ? 2.0 : -1.0 - static_cast<double>(i)) * v[i];
    };
    const auto found = largest_eigenpairs(n, 4, one_above).value();
    ASSERT_EQ(found.values.size(), 1u);
    EXPECT_NEAR(found.values[0], 2, 1e-9);
    EXPECT_NEAR(std::abs(found.vectors[3]), 1, 1e-9);
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(largest_eigenpairs(n, 4, one_above, source.get_token()));
}

TEST(CurvatureProducts, OfTheGaussNewtonAreThoseOfTheMatrix)
{
    for (const Small& s : {Small(mlp(3, {4, 5}, 3, ActivationKind::tanh), 30), Small(conv_net(), 12),
                           Small(mlp(2, {6}, 1, ActivationKind::sigmoid), 20, Likelihood::gaussian(0.4))}) {
        const std::size_t P = s.weights.size();
        const auto ggn = ggn_naively(s), v = normals(P, 9);
        std::vector<double> want(P), got(P);
        product_with(ggn, P)(v, want);
        CurvatureProducts products(s.model, s.weights, s.inputs, s.targets(), s.n, 0, CurvatureKind::ggn);
        products(v, got);
        expect_near(got, want, 1e-11, "GGN");
        EXPECT_NEAR(products.nll(), s.curvature(options(diagonal))->nll(), 1e-9);
    }
}

TEST(CurvatureProducts, OfTheLastLayerAreThoseOfItsBlock)
{
    const Small s(conv_net(), 12);
    const std::size_t P = s.weights.size();
    CurvatureProducts products(s.model, s.weights, s.inputs, s.targets(), s.n, 3, CurvatureKind::ggn);
    const std::size_t n = products.covered(), first = P - n;
    ASSERT_EQ(n, 15u);   // 4 units to 3 classes, and 3 biases
    const auto ggn = ggn_naively(s), v = normals(n, 9);
    std::vector<double> want(n), got(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            want[i] += ggn[(first + i) * P + first + j] * v[j];
    products(v, got);
    expect_near(got, want, 1e-11, "last layer");
}

TEST(CurvatureProducts, OfTheExactHessianAreThoseOfTheMatrix)
{
    for (const Small& s : {Small(mlp(3, {4, 5}, 3, ActivationKind::tanh), 150),
                           Small(mlp(2, {5}, 2, ActivationKind::softplus), 9, learned_noise()),
                           Small(mlp(3, {4, 5}, 3, ActivationKind::relu), 11),
                           Small(mlp(3, {4, 5}, 3, ActivationKind::relu), 3000), Small(conv_net(), 300)}) {
        const std::size_t P = s.weights.size();
        const auto hessian  = exact_hessian(s.model, s.weights, s.inputs, s.targets(), s.n, 0, true, {}, [](double) {
                             })->values;
        const auto v        = normals(P, 9);
        std::vector<double> want(P), first;
        product_with(hessian, P)(v, want);
        CurvatureProducts products(s.model, s.weights, s.inputs, s.targets(), s.n, 0, CurvatureKind::hessian);
        for (const int threads : {1, 2, 7}) {
            Threads pool(threads);
            std::vector<double> got(P);
            pool.run([&] { products(v, got); });
            expect_near(got, want, 1e-11, "Hessian");
            if (first.empty())
                first = got;
            EXPECT_EQ(got, first);
        }
    }
    const Small unknown({2 * 5 * 5, {Conv2d{2, 3}, ResponseNorm{3, 0.1, 0.75}, Dense{3}}, ImageShape{2, 5, 5}}, 3);
    EXPECT_THROW(CurvatureProducts(unknown.model, unknown.weights, unknown.inputs, unknown.targets(), unknown.n, 0,
                                   CurvatureKind::hessian),
                 Error);
}

TEST(LargestDirections, OfTheFullCurvatureAreItsLargestEigenvalues)
{
    for (const CurvatureKind kind : {CurvatureKind::ggn, CurvatureKind::hessian}) {
        const Small s(mlp(3, {4, 5}, 3, ActivationKind::tanh), 30);
        const auto whole = s.curvature(options(full, CurvatureLayers::all, kind)), some = s.curvature(largest(5, kind));
        const auto &all = whole->data().eigenvalues, &kept = some->data().eigenvalues;
        ASSERT_EQ(kept.size(), 5u);
        expect_near(kept, {all.end() - 5, all.end()}, 1e-6, "eigenvalues");
        // The posterior is the dense one of these directions and the prior in all others.
        const double precision = 0.7;
        CurvatureData cut      = whole->data();
        const std::size_t P    = s.weights.size();
        cut.eigenvectors.erase(cut.eigenvectors.begin(), cut.eigenvectors.end() - static_cast<std::ptrdiff_t>(5 * P));
        cut.eigenvalues.erase(cut.eigenvalues.begin(), cut.eigenvalues.end() - 5);
        std::vector<double> want(P, 1 / precision);
        for (std::size_t r = 0; r < 5; ++r)
            for (std::size_t i = 0; i < P; ++i)
                want[i] -= (1 / precision - 1 / (cut.eigenvalues[r] + precision)) * cut.eigenvectors[r * P + i]
                           * cut.eigenvectors[r * P + i];
        expect_near(LaplaceGaussian<double>(some, precision).variances(), want, 1e-5, "variances");
        EXPECT_NEAR(some->nll(), whole->nll(), 1e-9);
    }
}

TEST(LargestDirections, AreAvailableForNetworksWhoseMatrixIsTooLarge)
{
    const Small s(mlp(2, {50, 50}, 4), 40);   // 2,904 weights
    EXPECT_NE(refusal_of_curvature(s.model, s.n, options(full, CurvatureLayers::all, CurvatureKind::hessian)),
              std::nullopt);
    const auto curvature = s.curvature(largest(3, CurvatureKind::hessian));
    ASSERT_EQ(curvature->data().eigenvalues.size(), 3u);
    EXPECT_GT(curvature->data().eigenvalues.front(), 0);
    EXPECT_GT(LaplaceGaussian<float>(curvature, 0.5).variances().front(), 0);
    EXPECT_EQ(refusal_of_curvature({mlp(2, {100, 100, 100, 100}, 4), {}, false}, 480, largest(5000)),
              "The network has 31004 weights, and 5000 directions of largest curvature would hold 621 million numbers, "
              "of which at most 100 million fit: choose fewer directions, Kronecker or diagonal, or the last layer "
              "alone.");
    EXPECT_EQ(
        refusal_of_curvature({mlp(2, {100, 100, 100, 100}, 4), {}, false}, 480, largest(200, CurvatureKind::hessian)),
        std::nullopt);
}

}   // namespace
}   // namespace credence
