// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/dirichlet.h"

#include "foundation/error.h"
#include "simplex/gamma_functions.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

using namespace credence;

namespace {

double naive_log_beta(const std::vector<double>& alpha)
{
    double sum = 0, total = 0;
    for (const double a : alpha) {
        sum += gamma::log_gamma(a);
        total += a;
    }
    return sum - gamma::log_gamma(total);
}

const std::vector<std::vector<double>> moderate{{2.5, 0.7}, {1, 1, 1}, {4.9, 0.56, 0.56}, {0.1, 30, 2, 0.7, 11}};
const std::vector<std::vector<double>> extreme{
    {1e-6, 1e-6, 1e-6}, {1e8, 1e8, 1e8}, {1e8, 1e-6, 1}, {1e-6, 3, 1e5}, {1e8, 2e8}};

double sum(const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); }

}   // namespace

TEST(GammaFunctions, ADifferenceOfDigammasIsTheSumOfItsSteps)
{
    for (const double x : {1e-6, 0.3, 2.0, 40.0, 1e8}) {
        EXPECT_NEAR(gamma::digamma_difference(x, 1) * x, 1, 1e-14) << x;   // ψ(x + 1) − ψ(x) = 1/x
        const double tiny = 1e-9 * x;
        EXPECT_NEAR(gamma::digamma_difference(x, tiny) / tiny / gamma::trigamma(x + tiny / 2), 1, 1e-10) << x;
    }
    EXPECT_EQ(gamma::digamma_difference(5, 0), 0);
}

TEST(GammaFunctions, RemaindersMeetTheFunctionsWhereTheSeriesBegins)
{
    for (const double x : {15.999999, 16.0, 17.5}) {
        EXPECT_NEAR(gamma::stirling_remainder(x),
                    gamma::log_gamma(x) - (x - 0.5) * std::log(x) + x - 0.9189385332046727418, 2e-14);
        EXPECT_NEAR(gamma::log_minus_digamma(x), std::log(x) - gamma::digamma(x), 2e-15);
    }
    for (const double x : {-0.9, -0.0099, 1e-4, 0.0101, 0.29, 0.31, 3.0}) {
        EXPECT_NEAR(gamma::relative_excess(x) / (x * x), ((1 + x) * std::log1p(x) - x) / (x * x), 1e-10);
        EXPECT_NEAR(gamma::expm1_minus(x) / (x * x), (std::expm1(x) - x) / (x * x), 1e-7);
    }
    EXPECT_EQ(gamma::relative_excess(-1), 1);
}

TEST(Dirichlet, AgreesWithTheFormulasWrittenPlainly)
{
    for (const auto& alpha : moderate) {
        const Dirichlet distribution(alpha);
        const double K = distribution.n_classes(), total = sum(alpha), log_beta = naive_log_beta(alpha);
        EXPECT_NEAR(distribution.log_beta(), log_beta, 1e-12 * (1 + std::fabs(log_beta)));
        double entropy = log_beta + (total - K) * gamma::digamma(total), categorical = gamma::digamma(total + 1),
               of_mean = 0;
        for (const double a : alpha) {
            entropy -= (a - 1) * gamma::digamma(a);
            categorical -= a / total * gamma::digamma(a + 1);
            of_mean -= a / total * std::log(a / total);
        }
        EXPECT_NEAR(distribution.entropy(), entropy, 1e-12 * (1 + std::fabs(entropy)));
        EXPECT_NEAR(distribution.expected_categorical_entropy(), categorical, 1e-13);
        EXPECT_NEAR(distribution.mutual_information(), of_mean - categorical, 1e-13);
        std::vector<double> p(alpha.size());
        for (std::size_t k = 0; k < p.size(); ++k)
            p[k] = (k + 1.0) / (K * (K + 1) / 2);
        double log_pdf = -log_beta;
        for (std::size_t k = 0; k < p.size(); ++k)
            log_pdf += (alpha[k] - 1) * std::log(p[k]);
        EXPECT_NEAR(distribution.log_pdf(p), log_pdf, 1e-12 * (1 + std::fabs(log_pdf)));
        for (double& v : p)
            v = std::log(v);
        EXPECT_NEAR(distribution.log_pdf_of_log(p), log_pdf, 1e-12 * (1 + std::fabs(log_pdf)));
    }
}

TEST(Dirichlet, TheFlatDistributionHasDensityFactorialAndEntropyItsNegativeLogarithm)
{
    const Dirichlet distribution({1, 1, 1, 1});
    EXPECT_NEAR(distribution.log_pdf(std::vector<double>{0.1, 0.2, 0.3, 0.4}), std::log(6), 1e-14);
    EXPECT_NEAR(distribution.log_pdf(std::vector<double>{0, 0.2, 0.4, 0.4}), std::log(6), 1e-14);
    EXPECT_NEAR(distribution.entropy(), -std::log(6), 1e-14);
}

TEST(Dirichlet, IsInfiniteOrZeroOnTheBorder)
{
    EXPECT_EQ(Dirichlet({0.5, 2, 2}).log_pdf(std::vector<double>{0, 0.5, 0.5}), INFINITY);
    EXPECT_EQ(Dirichlet({1.5, 2, 2}).log_pdf(std::vector<double>{0, 0.5, 0.5}), -INFINITY);
}

TEST(Dirichlet, CovarianceRowsAddUpToZeroAndTheDiagonalIsTheVariance)
{
    for (const auto& alphas : {moderate, extreme})
        for (const auto& alpha : alphas) {
            const Dirichlet distribution(alpha);
            const auto variance = distribution.variance(), covariance = distribution.covariance();
            for (int k = 0; k < distribution.n_classes(); ++k) {
                const auto row = distribution.covariance_row(k);
                EXPECT_NEAR(sum(row), 0, 1e-15 * variance[k] * distribution.n_classes()) << "class " << k;
                EXPECT_EQ(row[k], variance[k]);
                EXPECT_EQ(covariance[k * distribution.n_classes() + k], variance[k]);
            }
        }
}

TEST(Dirichlet, MutualInformationIsTotalMinusAleatoricUncertaintyAlsoAtTheExtremes)
{
    for (const auto& alpha : extreme) {
        const Dirichlet distribution(alpha);
        EXPECT_NEAR(distribution.entropy_of_mean() - distribution.expected_categorical_entropy(),
                    distribution.mutual_information(), 4e-15)
            << alpha[0];
        EXPECT_GT(distribution.mutual_information(), 0);
    }
    EXPECT_NEAR(Dirichlet({1e8, 1e8, 1e8}).mutual_information(), 2 / (2 * 3e8), 1e-16);   // (K − 1)/(2 α_0)
}

TEST(Dirichlet, SharpDistributionsHaveTheEntropyOfTheirGaussian)
{
    // y = ln(π_k/π_K) has covariance δ/α_k + 1/α_K: det = α_0/Πα; π has entropy ½ ln((2πe)^(K−1) det) + Σ ln m_k
    const Dirichlet distribution({1e8, 3e8, 2e8});
    const double gaussian = std::log(2 * M_PI * M_E) + 0.5 * std::log(6e8 / (6e24)) + std::log(1.0 / 6 * 0.5 / 3);
    EXPECT_NEAR(distribution.entropy(), gaussian, 1e-7);
    EXPECT_NEAR(distribution.log_pdf(distribution.mean()), gaussian * -1 + 1,
                1e-7);   // the density at the peak: entropy minus one half for each dimension
}

TEST(Dirichlet, ExpectedLogarithmsAreTheGradientOfTheLogBetaFunction)
{
    for (const auto& alpha : moderate)
        for (std::size_t k = 0; k < alpha.size(); ++k) {
            auto up = alpha, down = alpha;
            const double h = 1e-5 * alpha[k];
            up[k] += h;
            down[k] -= h;
            EXPECT_NEAR((Dirichlet(up).log_beta() - Dirichlet(down).log_beta()) / (2 * h),
                        Dirichlet(alpha).expected_log()[k], 1e-7 * (1 + 1 / alpha[k]));
        }
}

TEST(DirichletKl, IsZeroForItselfAndPositiveElsewhere)
{
    for (const auto& alphas : {moderate, extreme})
        for (const auto& alpha : alphas) {
            const Dirichlet distribution(alpha);
            EXPECT_EQ(kl_divergence(distribution, distribution), 0);
            auto other = alpha;
            other[0] *= 1.5;
            EXPECT_GT(kl_divergence(distribution, Dirichlet(other)), 0) << alpha[0];
        }
}

TEST(DirichletKl, AgreesWithTheFormulaWrittenPlainly)
{
    const std::vector<double> a{3.5, 0.4, 7}, b{1.2, 4.2, 0.9};
    double plain = naive_log_beta(b) - naive_log_beta(a);
    for (int k = 0; k < 3; ++k)
        plain += (a[k] - b[k]) * (gamma::digamma(a[k]) - gamma::digamma(10.9));
    EXPECT_NEAR(kl_divergence(Dirichlet(a), Dirichlet(b)), plain, 1e-12);
}

TEST(DirichletKl, OfCloseDistributionsIsTheQuadraticFormOfTheFisherInformation)
{
    for (const auto& alpha : {std::vector<double>{2, 3, 0.5}, {1e6, 2e6, 3e6}}) {
        const double h = 1e-5;
        auto other     = alpha;
        other[1] *= 1 + h;
        const double total = sum(alpha), step = h * alpha[1];
        const double fisher = step * step * (gamma::trigamma(alpha[1]) - gamma::trigamma(total));
        EXPECT_NEAR(kl_divergence(Dirichlet(alpha), Dirichlet(other)) / (0.5 * fisher), 1, 1e-4) << alpha[0];
    }
}

TEST(Dirichlet, MergingAddsPseudoCountsAndKeepsMeansAndVariances)
{
    const Dirichlet distribution({0.5, 2, 3, 1.5}), merged = distribution.grouped(std::vector<int>{0, 1, 0, 1});
    EXPECT_THAT(merged.alpha(), testing::ElementsAre(3.5, 3.5));
    const auto c = distribution.covariance();
    EXPECT_NEAR(merged.variance()[0], c[0] + c[10] + 2 * c[2], 1e-15);
    const Dirichlet pair = distribution.among(std::vector<int>{3, 0});
    EXPECT_THAT(pair.alpha(), testing::ElementsAre(1.5, 0.5));
}

TEST(Dirichlet, DrawsHaveItsMeanAndVariance)
{
    const Dirichlet distribution({0.5, 2, 3.5});
    const int n      = 20000;
    const auto draws = distribution.sample({.seed = 3, .stream = Stream::logits, .index = 0}, n);
    for (int k = 0; k < 3; ++k) {
        double mean = 0, square = 0;
        for (int i = 0; i < n; ++i) {
            mean += draws[i * 3 + k] / n;
            square += draws[i * 3 + k] * draws[i * 3 + k] / n;
        }
        EXPECT_NEAR(mean, distribution.mean()[k], 4 * std::sqrt(distribution.variance()[k] / n));
        EXPECT_NEAR(square - mean * mean, distribution.variance()[k], 0.05 * distribution.variance()[k]);
    }
    const auto fewer = distribution.sample({.seed = 3, .stream = Stream::logits, .index = 0}, 100);
    EXPECT_TRUE(std::equal(fewer.begin(), fewer.end(), draws.begin()));
}

TEST(Proposition1, HoldsWhereTheDerivativeOfTheVarianceIsPositive)
{
    // Under the bridge a larger Var z_k divides α_k: Var π_k = α R/((α + R)²(α + R + 1)) falls with
    // α beyond the threshold
    const auto variance = [](double a, double R) { return a * R / ((a + R) * (a + R) * (a + R + 1)); };
    for (const double R : {1e-3, 0.3, 2.0, 50.0, 1e4}) {
        const double t = proposition1_threshold(R), h = 1e-3 * t;
        EXPECT_GT(variance(t, R), variance(t - h, R)) << R;
        EXPECT_GT(variance(t, R), variance(t + h, R)) << R;
        EXPECT_NEAR(t, 0.25 * (std::sqrt(9 * R * R + 10 * R + 1) - R - 1), 1e-9 * t);
    }
    EXPECT_THAT(proposition1_holds(Dirichlet({2, 1})), testing::ElementsAre(1, 0));
}

TEST(Dirichlet, RejectsWithOneSentence)
{
    EXPECT_THAT([] { Dirichlet({3}); },
                testing::ThrowsMessage<Error>("Dirichlet: 1 class found, expected at least 2."));
    EXPECT_THAT(
        [] {
        Dirichlet({1, 0});
        },
        testing::ThrowsMessage<Error>("Dirichlet: alpha of class 1 is 0, expected a positive number."));
    EXPECT_THAT(
        [] {
        Dirichlet({NAN, 1});
        },
        testing::ThrowsMessage<Error>("Dirichlet: alpha of class 0 is nan, expected a positive number."));
    EXPECT_THAT(
        [] {
        Dirichlet({1e308, 1e308});
        },
        testing::ThrowsMessage<Error>("Dirichlet: the sum of alpha overflows, expected a finite number."));
    EXPECT_THAT(
        [] {
        Dirichlet({1, 1}).log_pdf(std::vector<double>{1});
        },
        testing::ThrowsMessage<Error>("Dirichlet density: 1 values found, expected one per class for 2 classes."));
    EXPECT_THAT(
        [] {
        Dirichlet({1, 1, 1}).grouped(std::vector<int>{0, 2, 2});
        },
        testing::ThrowsMessage<Error>(
            "Dirichlet groups: group 1 has no class, expected groups numbered without gaps."));
    EXPECT_THAT(
        [] {
        kl_divergence(Dirichlet({1, 1}), Dirichlet({1, 1, 1}));
        },
        testing::ThrowsMessage<Error>("KL of Dirichlets: 2 and 3 classes found, expected the same number."));
}
