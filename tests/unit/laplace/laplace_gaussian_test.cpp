// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/laplace_gaussian.h"

#include "foundation/error.h"
#include "laplace/symmetric_eigen.h"
#include "unit/random_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace credence {
namespace {

/// M Mᵀ of a random M [n × rank].
std::vector<double> random_positive(int n, int rank, std::uint64_t seed)
{
    const auto m = normals(static_cast<std::size_t>(n) * rank, seed);
    std::vector<double> matrix(static_cast<std::size_t>(n) * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int r = 0; r < rank; ++r)
                matrix[i * n + j] += m[i * rank + r] * m[j * rank + r];
    return matrix;
}

/// A network 3-4-2 with a made-up curvature.
ParameterLayout layout() { return layout_of(mlp(3, {4}, 2)); }

CurvatureData bare(CurvatureStructure structure, bool last_alone = false)
{
    CurvatureData data;
    data.options.structure = structure;
    data.options.layers    = last_alone ? CurvatureLayers::last : CurvatureLayers::all;
    data.layout            = layout();
    data.first_weight      = last_alone ? data.layout.layer(1).weights.begin : 0;
    data.map               = normals(data.layout.size(), 1);
    data.nll               = 12.5;
    data.n_data            = 40;
    return data;
}

CurvatureData made_up(CurvatureStructure structure, bool last_alone = false, KroneckerForm form = KroneckerForm::joint,
                      int rank = 100)
{
    CurvatureData data = bare(structure, last_alone);
    data.options.form  = form;
    const auto P       = static_cast<int>(data.covered());
    if (structure == CurvatureStructure::diagonal) {
        for (const double x : normals(data.covered(), 2))
            data.diagonal.push_back(x * x);
    } else if (structure == CurvatureStructure::full) {
        auto eigen      = positive_eigen(random_positive(P, rank, 3), P);
        const auto drop = static_cast<std::size_t>(std::max(0, P - rank));
        data.eigenvalues.assign(eigen.values.begin() + static_cast<std::ptrdiff_t>(drop), eigen.values.end());
        data.eigenvectors.assign(eigen.vectors.begin() + static_cast<std::ptrdiff_t>(drop * data.covered()),
                                 eigen.vectors.end());
        data.eigenvectors_float.assign(data.eigenvectors.begin(), data.eigenvectors.end());
    } else {
        for (int l = last_alone ? 1 : 0; l < 2; ++l) {
            const auto [w, b] = data.layout.layer(l);
            KroneckerFactor f{l,
                              static_cast<int>(b.size),
                              static_cast<int>(w.size / b.size) + 1,
                              static_cast<int>(w.size / b.size),
                              true,
                              w.begin,
                              b.begin,
                              {},
                              {},
                              {},
                              {}};
            const auto A = positive_eigen(random_positive(f.in, 2, 5), f.in),
                       B = positive_eigen(random_positive(f.out, 3, 6), f.out);
            f.a_values   = A.values;
            f.a_vectors  = A.vectors;
            f.b_values   = B.values;
            f.b_vectors  = B.vectors;
            data.kronecker.push_back(f);
        }
    }
    return data;
}

/// Σ of all weights by the linear map that transform is: column p from the p-th unit vector of noise.
std::vector<double> covariance_of(const LaplaceGaussian<double>& q)
{
    const std::size_t P = q.layout().size();
    std::vector<double> covariance(P * P);
    Draw<double> draw = q.make_draw();
    for (std::size_t p = 0; p < P; ++p) {
        std::fill(draw.noise.begin(), draw.noise.end(), 0.0);
        draw.noise[p] = 1;
        q.transform(draw);
        std::vector<double> column(P);
        for (std::size_t i = 0; i < P; ++i)
            column[i] = draw.weights[i] - q.means()[i];
        for (std::size_t i = 0; i < P; ++i)
            for (std::size_t j = 0; j < P; ++j)
                covariance[i * P + j] += column[i] * column[j];
    }
    return covariance;
}

/// The precision matrix of the covered weights, from the definition.
std::vector<double> precision_of(const CurvatureData& data, double lambda)
{
    const std::size_t P = data.covered();
    std::vector<double> matrix(P * P);
    for (std::size_t p = 0; p < data.diagonal.size(); ++p)
        matrix[p * P + p] = data.diagonal[p];
    for (std::size_t r = 0; r < data.eigenvalues.size(); ++r)
        for (std::size_t i = 0; i < P; ++i)
            for (std::size_t j = 0; j < P; ++j)
                matrix[i * P + j] += data.eigenvalues[r] * data.eigenvectors[r * P + i] * data.eigenvectors[r * P + j];
    const double N  = static_cast<double>(data.n_data);
    const bool root = data.options.form == KroneckerForm::square_root;
    for (const KroneckerFactor& f : data.kronecker) {
        const auto in = static_cast<std::size_t>(f.in), out = static_cast<std::size_t>(f.out);
        std::vector<double> A(in * in), B(out * out);
        for (std::size_t r = 0; r < in; ++r)
            for (std::size_t i = 0; i < in; ++i)
                for (std::size_t j = 0; j < in; ++j)
                    A[i * in + j] += f.a_values[r] * f.a_vectors[r * in + i] * f.a_vectors[r * in + j];
        for (std::size_t r = 0; r < out; ++r)
            for (std::size_t i = 0; i < out; ++i)
                for (std::size_t j = 0; j < out; ++j)
                    B[i * out + j] += f.b_values[r] * f.b_vectors[r * out + i] * f.b_vectors[r * out + j];
        if (root) {
            for (double& a : A)
                a *= std::sqrt(N);
            for (double& b : B)
                b *= std::sqrt(N) / N;
            for (std::size_t i = 0; i < in; ++i)
                A[i * in + i] += std::sqrt(lambda);
            for (std::size_t o = 0; o < out; ++o)
                B[o * out + o] += std::sqrt(lambda);
        }
        const auto place = [&](std::size_t o, std::size_t i) {
            return (i + 1 == in ? f.biases + o : f.weights + o * (in - 1) + i) - data.first_weight;
        };
        for (std::size_t o = 0; o < out; ++o)
            for (std::size_t i = 0; i < in; ++i)
                for (std::size_t u = 0; u < out; ++u)
                    for (std::size_t v = 0; v < in; ++v)
                        matrix[place(o, i) * P + place(u, v)] = B[o * out + u] * A[i * in + v];
    }
    if (!root)
        for (std::size_t p = 0; p < P; ++p)
            matrix[p * P + p] += lambda;
    return matrix;
}

std::vector<CurvatureData> every_structure()
{
    std::vector<CurvatureData> all;
    for (const bool last : {false, true}) {
        all.push_back(made_up(CurvatureStructure::diagonal, last));
        all.push_back(made_up(CurvatureStructure::kronecker, last));
        all.push_back(made_up(CurvatureStructure::kronecker, last, KroneckerForm::square_root));
        all.push_back(made_up(CurvatureStructure::full, last));
        all.push_back(made_up(CurvatureStructure::full, last, KroneckerForm::joint, 5));   // few directions
    }
    return all;
}

TEST(LaplaceGaussian, CovarianceOfTheSamplesTimesThePrecisionIsTheIdentity)
{
    for (const double lambda : {0.3, 20.0})
        for (const CurvatureData& data : every_structure()) {
            const LaplaceGaussian<double> q(std::make_shared<Curvature>(data), lambda);
            const auto covariance = covariance_of(q), precision = precision_of(data, lambda);
            const std::size_t P = data.layout.size(), n = data.covered(), first = data.first_weight;
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) {
                    double sum = 0;
                    for (std::size_t k = 0; k < n; ++k)
                        sum += covariance[(first + i) * P + first + k] * precision[k * n + j];
                    ASSERT_NEAR(sum, i == j ? 1 : 0, 1e-9)
                        << "structure " << static_cast<int>(data.options.structure) << ", entry " << i << ", " << j;
                }
            for (std::size_t p = 0; p < first; ++p)
                EXPECT_EQ(covariance[p * P + p], 0.0) << "fixed weight " << p;
        }
}

TEST(LaplaceGaussian, VariancesAndMomentsAreTheDiagonalOfTheCovariance)
{
    for (const CurvatureData& data : every_structure()) {
        const LaplaceGaussian<double> q(std::make_shared<Curvature>(data), 0.7);
        const auto covariance = covariance_of(q), variance = q.variances();
        const std::size_t P = data.layout.size();
        std::vector<float> mean(P), sd(P);
        q.moments(mean, sd);
        for (std::size_t p = 0; p < P; ++p) {
            EXPECT_NEAR(variance[p], covariance[p * P + p], 1e-12);
            EXPECT_EQ(mean[p], static_cast<float>(data.map[p]));
            EXPECT_NEAR(sd[p], std::sqrt(variance[p]), 1e-6);
        }
    }
}

TEST(LaplaceGaussian, DrawsInFloatFollowTheSameFormulaAsInDouble)
{
    for (const CurvatureData& data : every_structure()) {
        const auto curvature = std::make_shared<Curvature>(data);
        const LaplaceGaussian<double> exact(curvature, 0.7);
        const LaplaceGaussian<float> narrow(curvature, 0.7);
        auto a = exact.make_draw();
        auto b = narrow.make_draw();
        standard_normals({3, Stream::data, 0}, 0, std::span<double>(a.noise));
        std::copy(a.noise.begin(), a.noise.end(), b.noise.begin());
        exact.transform(a);
        narrow.transform(b);
        for (std::size_t p = 0; p < a.weights.size(); ++p)
            EXPECT_NEAR(a.weights[p], b.weights[p], 2e-5);
    }
}

TEST(LaplaceGaussian, ASampleIsAFunctionOfItsKey)
{
    const LaplaceGaussian<float> q(std::make_shared<Curvature>(made_up(CurvatureStructure::kronecker)), 1);
    auto a = q.make_draw(), b = q.make_draw(), c = q.make_draw();
    q.draw({5, Stream::prediction, 3}, a);
    q.draw({5, Stream::prediction, 3}, b);
    q.draw({5, Stream::prediction, 4}, c);
    EXPECT_EQ(a.weights, b.weights);
    EXPECT_NE(a.weights, c.weights);
}

TEST(LaplaceGaussian, AnotherPrecisionIsAnotherGaussianOfTheSameCurvature)
{
    const auto curvature = std::make_shared<Curvature>(made_up(CurvatureStructure::kronecker));
    const LaplaceGaussian<double> q(curvature, 1);
    const auto moved = q.with_precision(9);
    EXPECT_EQ(moved->curvature(), curvature);
    EXPECT_EQ(moved->precision(), 9);
    EXPECT_EQ(moved->variances(), LaplaceGaussian<double>(curvature, 9).variances());
    for (std::size_t p = 0; p < q.layout().size(); ++p)
        EXPECT_LT(moved->variances()[p], q.variances()[p]);
}

TEST(LaplaceGaussian, WithALargePrecisionThePriorDominates)
{
    for (const CurvatureData& data : every_structure()) {
        if (data.options.form == KroneckerForm::square_root)
            continue;   // mixes √λ into the curvature
        const LaplaceGaussian<double> q(std::make_shared<Curvature>(data), 1e8);
        const auto variance = q.variances();
        for (std::size_t p = data.first_weight; p < data.layout.size(); ++p)
            EXPECT_NEAR(variance[p] * 1e8, 1, 1e-5);   // curvatures stay below 1,000
    }
}

TEST(LaplaceGaussian, KlIsThatOfTwoGaussians)
{
    // Diagonal: a sum of one-dimensional KLs. Full: the trace and the determinant by the precision matrix.
    const CurvatureData data = made_up(CurvatureStructure::diagonal);
    const LaplaceGaussian<double> q(std::make_shared<Curvature>(data), 0.7);
    const double m = 0.2, s = 1.5;
    double want = 0;
    for (std::size_t p = 0; p < data.map.size(); ++p) {
        const double v = 1 / (data.diagonal[p] + 0.7);
        want += std::log(s) - 0.5 * std::log(v) + (v + (data.map[p] - m) * (data.map[p] - m)) / (2 * s * s) - 0.5;
    }
    EXPECT_NEAR(*q.kl(Prior::same(data.layout, GaussianPrior{m, s})), want, 1e-10);
    EXPECT_FALSE(q.kl(Prior::same(data.layout, ScaleMixturePrior{})));
    const LaplaceGaussian<double> last(std::make_shared<Curvature>(made_up(CurvatureStructure::diagonal, true)), 0.7);
    EXPECT_FALSE(last.kl(Prior::same(data.layout, GaussianPrior{m, s})));
}

TEST(LaplaceGaussian, DescribesEveryBlock)
{
    const CurvatureData data = made_up(CurvatureStructure::diagonal, true);
    const LaplaceGaussian<double> q(std::make_shared<Curvature>(data), 0.7);
    const auto layers = q.describe();
    ASSERT_EQ(layers.size(), 4u);
    EXPECT_EQ(layers[0].median_sd, 0);   // fixed
    EXPECT_GT(layers[2].median_sd, 0);
    EXPECT_EQ(layers[3].block, "dense 2 biases");
}

TEST(LaplaceGaussian, RejectsAPrecisionThatIsNotPositiveOrTooSmallForItsHessian)
{
    const auto curvature = std::make_shared<Curvature>(made_up(CurvatureStructure::diagonal));
    EXPECT_THROW(LaplaceGaussian<double>(curvature, 0), Error);
    EXPECT_THROW(LaplaceGaussian<double>(curvature, std::nan("")), Error);
    CurvatureData data  = made_up(CurvatureStructure::diagonal);
    data.diagonal[3]    = -2.5;
    const auto negative = std::make_shared<Curvature>(data);
    try {
        LaplaceGaussian<double>(negative, 2);
        FAIL() << "nothing was refused";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "The prior precision is 2, expected more than 2.5: the exact Hessian has a negative eigenvalue "
                     "there; the GGN has none.");
    }
    EXPECT_NO_THROW(LaplaceGaussian<double>(negative, 3));
    EXPECT_EQ(negative->log_evidence(2), -INFINITY);
    EXPECT_GT(negative->best_precision(), 2.5);
}

TEST(Curvature, EvidenceIsTheIntegralOfLikelihoodTimesPriorWhereTheLikelihoodIsGaussian)
{
    // One weight: exp(−nll − ½ d (w − θ)²) N(w; 0, 1/λ) has its maximum elsewhere, so use the
    // Laplace approximation around θ: its value
    // is exp(−nll) N(θ; 0, 1/λ) √(2π/(d + λ)).
    CurvatureData data = made_up(CurvatureStructure::diagonal);
    const Curvature curvature(data);
    for (const double lambda : {1e-6, 0.3, 1e8}) {
        double want = -data.nll;
        for (std::size_t p = 0; p < data.map.size(); ++p) {
            const double log_prior = 0.5 * std::log(lambda / (2 * std::numbers::pi))
                                     - 0.5 * lambda * data.map[p] * data.map[p];
            want += log_prior + 0.5 * std::log(2 * std::numbers::pi / (data.diagonal[p] + lambda));
        }
        EXPECT_NEAR(curvature.log_evidence(lambda), want, 1e-9 * std::fabs(want));
    }
}

TEST(Curvature, EvidenceHasTheDeterminantOfThePrecision)
{
    for (const CurvatureData& data : every_structure()) {
        const Curvature curvature(data);
        const auto eigen = symmetric_eigen(precision_of(data, 0.9), static_cast<int>(data.covered()));
        double want      = 0;
        for (const double e : eigen.values)
            want += std::log(e);
        EXPECT_NEAR(curvature.log_determinant(0.9), want, 1e-9);
    }
}

TEST(Curvature, BestPrecisionIsALocalMaximum)
{
    for (const CurvatureData& data : every_structure()) {
        const Curvature curvature(data);
        const double best = curvature.best_precision(), evidence = curvature.log_evidence(best);
        for (double l = -6; l <= 8; l += 0.05)
            EXPECT_LE(curvature.log_evidence(std::pow(10.0, l)), evidence + 1e-9) << "at 10^" << l << ", best " << best;
    }
}

TEST(Curvature, BestPrecisionIsAnEndOfTheRangeWhereTheEvidenceStillGrowsThere)
{
    CurvatureData data = bare(CurvatureStructure::diagonal);
    data.diagonal.assign(data.layout.size(), 5.0);
    data.map.assign(data.layout.size(), 0.0);   // no evidence against a narrow prior
    EXPECT_DOUBLE_EQ(Curvature(data).best_precision(), 1e8);
    data.map.assign(data.layout.size(), 1e4);   // a wide one is preferred
    EXPECT_DOUBLE_EQ(Curvature(data).best_precision(), 1e-6);
}

TEST(Curvature, BestPrecisionOfOneWeightIsTheClosedForm)
{
    // d/dλ of −½λθ² + ½ ln λ − ½ ln(d + λ) = 0 for all weights alike: λ² θ² + λ θ² d − d = 0
    CurvatureData data = bare(CurvatureStructure::diagonal);
    const double d = 50, theta = 0.4;
    data.diagonal.assign(data.layout.size(), d);
    data.map.assign(data.layout.size(), theta);
    const double t2 = theta * theta, want = (-t2 * d + std::sqrt(t2 * t2 * d * d + 4 * t2 * d)) / (2 * t2);
    EXPECT_NEAR(Curvature(data).best_precision(), want, 1e-6 * want);
}

TEST(Curvature, WithoutCurvatureTheEvidenceIsThePriorAtTheMode)
{
    // C = 0 (no data pull): ½P ln λ and ½ ln det cancel, what remains decreases with λ
    CurvatureData data = bare(CurvatureStructure::diagonal);
    data.diagonal.assign(data.layout.size(), 0.0);
    const Curvature curvature(data);
    EXPECT_NEAR(curvature.log_evidence(1e-6) + data.nll, 0, 1e-4);
    EXPECT_DOUBLE_EQ(curvature.best_precision(), 1e-6);
}

}   // namespace
}   // namespace credence
