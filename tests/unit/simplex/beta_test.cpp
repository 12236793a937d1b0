// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/beta.h"

#include "foundation/error.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

namespace {

/// Shapes from 1e-6 to 1e12, all pairs.
std::vector<Beta> all_shapes()
{
    std::vector<Beta> laws;
    for (const double a : {1e-6, 1e-3, 0.3, 1.0, 7.5, 400.0, 1e5, 1e8})
        for (const double b : {1e-6, 1e-3, 0.3, 1.0, 7.5, 400.0, 1e5, 1e8, 1e12})
            laws.push_back({a, b});
    return laws;
}

}   // namespace

TEST(Beta, TheQuantileHasTheShareBelowIt)
{
    for (const Beta& law : all_shapes())
        for (const double p : {0.005, 0.3, 0.5, 0.975}) {
            const UnitPlace x = quantile(law, p);
            if (std::min(x.value, x.complement) < 1e-290)
                continue;   // cdf takes x as a double
            const double below = x.value < 0.5 ? cdf(law, x.value) : cdf_complement({law.b, law.a}, x.complement);
            EXPECT_NEAR(below / p, 1, 1e-8) << law.a << ", " << law.b << " at " << p;
        }
}

TEST(Beta, MirroredShapesHaveMirroredQuantiles)
{
    for (const Beta& law : all_shapes())
        for (const double p : {0.005, 0.25, 0.975}) {
            const UnitPlace x = quantile(law, p), y = upper_quantile({law.b, law.a}, p);
            EXPECT_NEAR(x.logit, -y.logit, 1e-9 * std::fabs(x.logit) + 1e-13) << law.a << ", " << law.b;
            EXPECT_NEAR(x.value, y.complement, 1e-9 * x.value);
        }
}

TEST(Beta, QuantilesRiseWithTheShare)
{
    for (const Beta& law : all_shapes()) {
        double before = -INFINITY;
        for (const double p : {1e-12, 0.01, 0.2, 0.5, 0.9, 0.999, 1 - 1e-12}) {
            const double now = quantile(law, p).logit;
            EXPECT_GT(now, before) << law.a << ", " << law.b << " at " << p;
            before = now;
        }
    }
}

TEST(Beta, TinyShapesPutHalfOfTheirMassBelowEverySmallNumber)
{
    const UnitPlace x = quantile({1e-6, 1}, 0.25);   // x^a = p
    EXPECT_EQ(x.value, 0);
    EXPECT_EQ(x.complement, 1);
    EXPECT_NEAR(x.logit, std::log(0.25) / 1e-6, 1e-3);
}

TEST(Beta, PowerLawsHaveQuantilesInClosedForm)
{
    for (const double a : {1e-3, 0.2, 3.0, 2e4})
        for (const double p : {0.001, 0.4, 0.999}) {
            const double log_x = std::log(p) / a;
            EXPECT_NEAR(quantile({a, 1}, p).logit, log_x - std::log(-std::expm1(log_x)), 1e-11 * (1 + std::fabs(log_x)))
                << a;
            EXPECT_NEAR(quantile({1, a}, p).complement, std::pow(1 - p, 1 / a), 1e-12);
        }
}

TEST(Beta, TheFunctionKeepsItsPrecisionForLargeShapes)
{
    // B(a, b + 1) = B(a, b) b/(a + b)
    for (const auto& [a, b] : {std::pair{1e8, 1e8}, {1e8, 1e-6}, {3e7, 2.0}, {0.5, 1e-6}, {1e-6, 1e-6}})
        EXPECT_NEAR(log_beta_function(a, b + 1) - log_beta_function(a, b), std::log(b / (a + b)),
                    1e-7 * (a > 1e6 && b > 1e6) + 1e-12 * (1 + std::fabs(std::log(b / (a + b)))));
    EXPECT_NEAR(log_beta_function(1e8, 1), -std::log(1e8), 1e-13);
    EXPECT_NEAR(log_beta_function(2, 3), std::log(1.0 / 12), 1e-14);
}

TEST(Beta, TwoDistributionsAreComparedAsTheirQuantilesAre)
{
    std::vector<Beta> laws;
    for (const double a : {1e-6, 0.3, 7.5, 400.0, 1e5})
        for (const double b : {1e-6, 0.3, 7.5, 400.0, 1e5})
            laws.push_back({a, b});
    for (const double share : {1e-4, 0.025, 0.4})
        for (const Beta& f : laws)
            for (const Beta& g : laws)
                EXPECT_EQ(lower_quantile_is_below_upper(f, g, share), quantile(f, share) < upper_quantile(g, share))
                    << f.a << " " << f.b << " and " << g.a << " " << g.b << " at " << share;
}

TEST(Beta, TheLogarithmOfATailIsFiniteWhereTheTailUnderflows)
{
    // Beta(a, 1): ln P(X <= x) = a ln x;  Beta(1, b): ln P(X > x) = b ln(1 − x)
    for (const double a : {1e-6, 0.7, 30.0, 1e4, 1e8})
        for (const double t : {-30.0, -2.0, 0.0, 3.0}) {
            const double log_x = -std::log1p(std::exp(-t));
            EXPECT_NEAR(log_cdf_of_logit({a, 1}, t) / (a * log_x), 1, 1e-9) << a << " at " << t;
            EXPECT_NEAR(log_cdf_complement_of_logit({1, a}, -t) / (a * log_x), 1, 1e-9) << a << " at " << t;
        }
    EXPECT_EQ(log_cdf_of_logit({2, 3}, -INFINITY), -INFINITY);
    EXPECT_EQ(log_cdf_of_logit({2, 3}, INFINITY), 0);
}

TEST(BetaOverlap, OfADistributionWithItselfIsOne) { EXPECT_DOUBLE_EQ(overlap({2.5, 0.3}, {2.5, 0.3}), 1); }

TEST(BetaOverlap, IsTheIntegralOfTheSmallerDensity)
{
    for (const auto& [f, g] : {std::pair{Beta{2, 5}, Beta{4, 3}},
                               {Beta{20, 20}, Beta{3, 3}},
                               {Beta{1.5, 9}, Beta{9, 1.5}},
                               {Beta{3, 2}, Beta{3, 4}}}) {
        double sum      = 0;
        constexpr int n = 200000;
        for (int i = 0; i < n; ++i) {
            const double x = (i + 0.5) / n;
            sum += std::exp(std::min(log_pdf(f, x), log_pdf(g, x))) / n;
        }
        EXPECT_NEAR(overlap(f, g), sum, 1e-6) << f.a << " " << f.b << " and " << g.a << " " << g.b;
        EXPECT_DOUBLE_EQ(overlap(f, g), overlap(g, f));
    }
}

TEST(BetaOverlap, OfSharpDistributionsFarApartIsZeroAndOfTinyShapesFinite)
{
    EXPECT_LT(overlap({1e8, 10}, {10, 1e8}), 1e-300);
    // v = −1e-6 ln x at the left end: ½ e^−v against (2/3) e^−2v, which cross at ln 4/3; at the right end ½ against 2/3 of one form
    EXPECT_NEAR(overlap({1e-6, 1e-6}, {2e-6, 1e-6}), 0.125 + 0.1875 + 0.5, 1e-5);
}

TEST(Beta, RejectsShapesAndSharesWithOneSentence)
{
    EXPECT_THAT(
        [] {
        quantile({0, 1}, 0.5);
        },
        testing::ThrowsMessage<Error>("Beta distribution: the shapes are 0 and 1, expected two positive numbers."));
    EXPECT_THAT(
        [] {
        quantile({1, 1}, 1);
        },
        testing::ThrowsMessage<Error>("Beta quantile: the share is 1, expected a number between 0 and 1."));
    EXPECT_THAT(
        [] {
        log_pdf(Beta{1, 1}, NAN);
        },
        testing::ThrowsMessage<Error>("Beta density: the probability is nan, expected a number from 0 to 1."));
}
