// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/logistic_normal.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "simplex/laplace_bridge.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

namespace {

const LogitGaussian three = LogitGaussian::from_covariance({1, 1, -2}, {1, 0, 0.5, 0, 2, 0.3, 0.5, 0.3, 0.5});

LogitGaussian scaled(double sigma)
{
    return LogitGaussian::from_covariance(
        {0.5, -0.3, 0.1},
        {sigma * sigma, 0, 0.3 * sigma * sigma, 0, 2 * sigma * sigma, 0, 0.3 * sigma * sigma, 0, sigma * sigma});
}

}   // namespace

TEST(LogisticNormal, DoesNotDependOnTheReferenceClass)
{
    const std::vector<double> p{0.2, 0.7, 0.1};
    const double here = LogisticNormal(three).log_pdf(p);
    const LogisticNormal turned(three.among(std::vector<int>{2, 0, 1}));
    EXPECT_NEAR(turned.log_pdf(std::vector<double>{0.1, 0.2, 0.7}), here, 1e-13 * std::fabs(here));
}

TEST(LogisticNormal, AddingTheSameToAllLogitsChangesNothing)
{
    auto sigma = three.covariance();
    for (double& v : sigma)
        v += 3;
    const LogisticNormal moved(LogitGaussian::from_covariance({8, 8, 5}, sigma));
    const std::vector<double> p{0.2, 0.7, 0.1};
    EXPECT_NEAR(moved.log_pdf(p), LogisticNormal(three).log_pdf(p), 1e-12);
    EXPECT_NEAR(expectations(moved.logits()).mean[0], expectations(three).mean[0], 1e-14);
}

TEST(LogisticNormal, OfTwoClassesIsTheLogitNormalDistribution)
{
    const LogisticNormal distribution(LogitGaussian::from_covariance({0.4, -0.3}, {0.5, 0.1, 0.1, 0.8}));
    const double x = 0.2, u = (std::log(x / (1 - x)) - 0.7) / std::sqrt(1.1);
    EXPECT_NEAR(distribution.log_pdf(std::vector<double>{x, 1 - x}),
                -0.5 * u * u - 0.5 * std::log(2 * M_PI * 1.1) - std::log(x * (1 - x)), 1e-14);
    EXPECT_EQ(distribution.log_pdf(std::vector<double>{0, 1}), -INFINITY);
}

TEST(LogisticNormal, DrawsHaveTheIntegratedMoments)
{
    const LogisticNormal distribution(three);
    const auto e     = expectations(three);
    const int n      = 40000;
    const auto draws = distribution.sample({.seed = 1, .stream = Stream::logits, .index = 9}, n);
    for (int k = 0; k < 3; ++k) {
        double mean = 0, log_mean = 0, square = 0;
        for (int i = 0; i < n; ++i) {
            mean += draws[i * 3 + k] / n;
            square += draws[i * 3 + k] * draws[i * 3 + k] / n;
            log_mean += std::log(draws[i * 3 + k]) / n;
        }
        EXPECT_NEAR(mean, e.mean[k], 4 * std::sqrt(e.variance()[k] / n)) << k;
        EXPECT_NEAR(square - mean * mean, e.variance()[k], 0.05 * e.variance()[k]) << k;
        EXPECT_NEAR(log_mean, e.expected_log[k], 0.05) << k;
    }
}

TEST(LogitExpectations, DoNotDependOnTheNodes)
{
    // Two classes: E σ(d) and E softplus(d), d ~ N(m, s²), against a plain fine sum
    for (const double s : {1e-3, 0.3, 2.0, 30.0, 100.0}) {
        const double m = 0.7;
        const auto e   = expectations(LogitGaussian::from_diagonal({m, 0}, {0.5 * s * s, 0.5 * s * s}));
        double first = 0, lse = 0, weight = 0;
        for (int i = -400000; i <= 400000; ++i) {
            const double u = i * 2.2e-5, d = m + s * u, w = std::exp(-0.5 * u * u);
            weight += w;
            first += w / (1 + std::exp(-d));
            lse += w * (std::fmax(d, 0.0) + std::log1p(std::exp(-std::fabs(d))));
        }
        EXPECT_NEAR(e.mean[0], first / weight, 1e-12) << s;
        EXPECT_NEAR(e.jensen_gap, lse / weight - std::log1p(std::exp(m)), 1e-11 * (1 + s)) << s;
        EXPECT_EQ(e.standard_error, 0);
    }
}

TEST(LogitExpectations, ANarrowDistributionHasTheGapOfItsVariance)
{
    // E lse(z) − lse(μ) = ½ tr(H Σ) + O(σ⁴), H = diag s − ssᵀ
    for (const double sigma : {1e-3, 1e-5}) {
        const LogitGaussian distribution = scaled(sigma);
        const auto s                     = softmax(distribution.mu());
        double half_trace                = 0;
        for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l)
                half_trace += 0.5 * ((k == l ? s[k] : 0) - s[k] * s[l]) * distribution.covariance(k, l);
        EXPECT_NEAR(expectations(distribution).jensen_gap / half_trace, 1, 2 * sigma * sigma + 1e-12) << sigma;
    }
}

TEST(LogitExpectations, BySamplingAgreeWithTheIntegralWithinTheirError)
{
    const auto exact = expectations(three), drawn = expectations(three, {.most_nodes = 1, .n_draws = 20000, .seed = 4});
    EXPECT_GT(drawn.standard_error, 0);
    EXPECT_NEAR(drawn.e_logsumexp, exact.e_logsumexp, 4 * drawn.standard_error);
    EXPECT_NEAR(drawn.mean[0], exact.mean[0], 0.01);
}

TEST(LogitExpectations, AreTheSameBitsOnAnyNumberOfThreads)
{
    for (const long nodes : {100000000L, 1L}) {
        LogitExpectations one, many;
        Threads(1).run([&] { one = expectations(three, {.most_nodes = nodes, .n_draws = 5000}); });
        for (const int n : {2, 7}) {
            Threads(n).run([&] { many = expectations(three, {.most_nodes = nodes, .n_draws = 5000}); });
            EXPECT_EQ(one.mean, many.mean);
            EXPECT_EQ(one.covariance, many.covariance);
            EXPECT_EQ(one.jensen_gap, many.jensen_gap);
        }
    }
}

TEST(LogisticNormalKl, ToTheBridgeOfPublishedGaussiansIsExact)
{
    // Hobbhahn 2020, Fig. 5.3: the exact values of docs/maths.md, section 13 (published ones are of
    // a 561-point lattice)
    const LogitGaussian cases[] = {LogitGaussian::from_diagonal({0, 0, 0}, {0.1, 0.1, 0.1}),
                                   LogitGaussian::from_diagonal({2, -1, -1}, {1, 1, 1}), three};
    const double plain[] = {0.094687, 0.308176, 2.252320}, conditioned[] = {0.006088, 0.263790, 6.114099};
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(kl_divergence(LogisticNormal(cases[i]), bridge(cases[i], BridgeVariant::plain).dirichlet()),
                    plain[i], 6e-7);
        EXPECT_NEAR(kl_divergence(LogisticNormal(cases[i]), bridge(cases[i], BridgeVariant::conditioned).dirichlet()),
                    conditioned[i], 6e-7);
    }
}

TEST(LogisticNormalKl, OfNarrowDistributionsStaysSmallAndPositive)
{
    // The bridge there and back keeps the Gaussian; a concentrated Dirichlet is that Gaussian up to 1/α_0
    for (const double alpha0 : {1e3, 1e5, 1e7, 1e8}) {
        const Dirichlet distribution({0.2 * alpha0, 0.5 * alpha0, 0.3 * alpha0});
        const LogisticNormal gauss(logit_gaussian(distribution));
        const double forward = kl_divergence(gauss, distribution), reverse = kl_divergence(distribution, gauss);
        EXPECT_GT(forward, 0) << alpha0;
        EXPECT_LT(forward, 3 / alpha0) << alpha0;
        EXPECT_NEAR(forward, reverse, 2 / alpha0) << alpha0;
    }
}

TEST(LogisticNormal, RejectsDistributionsWithoutADensityAndOtherMistakes)
{
    EXPECT_THAT(
        [] {
        LogisticNormal(LogitGaussian::from_covariance({0, 0}, {1, 1, 1, 1}));
        },
        testing::ThrowsMessage<Error>(
            "Distribution of softmax(z): the covariance of the differences of the logits is singular, expected a "
            "positive definite one."));
    EXPECT_THAT(
        [] {
        LogisticNormal(three).log_pdf(std::vector<double>{0.5, 0.5});
        },
        testing::ThrowsMessage<Error>(
            "Distribution of softmax(z): 2 probabilities found, expected one per class for 3 classes."));
    EXPECT_THAT(
        [] {
        LogisticNormal(three).log_pdf(std::vector<double>{0.5, 0.7, -0.2});
        },
        testing::ThrowsMessage<Error>(
            "Distribution of softmax(z): the probability of class 2 is -0.2, expected a number from 0 to 1."));
    EXPECT_THAT(
        [] {
        kl_divergence(LogisticNormal(three), Dirichlet({1, 1}));
        },
        testing::ThrowsMessage<Error>(
            "KL of distributions on the simplex: 3 and 2 classes found, expected the same number."));
}

TEST(MergedByMoments, KeepsAGaussianWhoseGroupsAreSingleClasses)
{
    const auto same = merged_by_moments(three, std::vector<int>{0, 1, 2}, 1, 40000);
    const auto a = expectations(three), b = expectations(same);
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(a.mean[k], b.mean[k], 0.01);
}

TEST(MergedByMoments, HasNearlyTheMeanOfTheMergedDistribution)
{
    const auto five   = LogitGaussian::from_diagonal({1, 0, 0.5, -1, -1}, {0.5, 0.3, 0.4, 0.6, 0.6});
    const auto merged = merged_by_moments(five, std::vector<int>{0, 1, 2, 2, 2}, 1);
    const auto whole = expectations(five), part = expectations(merged);
    EXPECT_NEAR(part.mean[0], whole.mean[0], 0.01);
    EXPECT_NEAR(part.mean[2], whole.mean[2] + whole.mean[3] + whole.mean[4], 0.01);
    EXPECT_THAT(
        [&] {
        merged_by_moments(five, std::vector<int>{0, 0, 0, 0, 2}, 1);
        },
        testing::ThrowsMessage<Error>(
            "Merged classes: group 1 has no class, expected groups numbered 0, 1, 2, … without gaps."));
}
