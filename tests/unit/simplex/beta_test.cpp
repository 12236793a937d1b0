// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "simplex/beta.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

using namespace credence;

namespace {

/// Shapes from 1e-6 to 1e12, all pairs.
std::vector<Beta> all_shapes()
{
    std::vector<Beta> distributions;
    for (const double a : {1e-6, 1e-3, 0.3, 1.0, 7.5, 400.0, 1e5, 1e8})
        for (const double b : {1e-6, 1e-3, 0.3, 1.0, 7.5, 400.0, 1e5, 1e8, 1e12})
            distributions.push_back({a, b});
    return distributions;
}

}   // namespace

TEST(Beta, TheQuantileHasTheShareBelowIt)
{
    for (const Beta& distribution : all_shapes())
        for (const double p : {0.005, 0.3, 0.5, 0.975}) {
            const UnitPlace x = quantile(distribution, p);
            if (std::min(x.value, x.complement) < 1e-290)
                continue;   // cdf takes x as a double
            const double below = x.value < 0.5 ? cdf(distribution, x.value)
                                               : cdf_complement({distribution.b, distribution.a}, x.complement);
            EXPECT_NEAR(below / p, 1, 1e-8) << distribution.a << ", " << distribution.b << " at " << p;
        }
}

TEST(Beta, MirroredShapesHaveMirroredQuantiles)
{
    for (const Beta& distribution : all_shapes())
        for (const double p : {0.005, 0.25, 0.975}) {
            const UnitPlace x = quantile(distribution, p), y = upper_quantile({distribution.b, distribution.a}, p);
            EXPECT_NEAR(x.logit, -y.logit, 1e-9 * std::fabs(x.logit) + 1e-13)
                << distribution.a << ", " << distribution.b;
            EXPECT_NEAR(x.value, y.complement, 1e-9 * x.value);
        }
}

TEST(Beta, QuantilesRiseWithTheShare)
{
    for (const Beta& distribution : all_shapes()) {
        double before = -INFINITY;
        for (const double p : {1e-12, 0.01, 0.2, 0.5, 0.9, 0.999, 1 - 1e-12}) {
            const double now = quantile(distribution, p).logit;
            EXPECT_GT(now, before) << distribution.a << ", " << distribution.b << " at " << p;
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
    std::vector<Beta> distributions;
    for (const double a : {1e-6, 0.3, 7.5, 400.0, 1e5})
        for (const double b : {1e-6, 0.3, 7.5, 400.0, 1e5})
            distributions.push_back({a, b});
    for (const double share : {1e-4, 0.025, 0.4})
        for (const Beta& f : distributions)
            for (const Beta& g : distributions)
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
    // v = −1e-6 ln x at the left end: ½ e^−v against (2/3) e^−2v, which cross at ln 4/3; at the
    // right end ½ against 2/3 of one form
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

namespace {

/// Shapes, a logit from the mode, and ln P(T <= ·) and ln P(T > ·) there by mpmath with 60 digits
/// and more: Gauss–Legendre pieces of one standard deviation of the density of the logit, until it
/// has fallen by e^−55.
struct Known {
    Beta shapes;
    double u, log_lower, log_upper;
};
const std::vector<Known>& known()
{
    static const std::vector<Known> rows{
        {{10000.0, 10000.0}, -0.4242640687119285, -450.97135014612564, 0},
        {{10000.0, 10000.0}, -0.04242640687119285, -6.6072338145604634, -0.0013514757265305564},
        {{10000.0, 10000.0}, 1.414213562373095e-05, -0.69234962423822999, -0.69394537348550822},
        {{10000.0, 10000.0}, 0.1131370849898476, -6.3347268431418457e-16, -34.995314793744477},
        {{10000.0, 100000000.0}, -0.080003999900005, -34.137275947139976, -1.4940647828282858e-15},
        {{10000.0, 100000000.0}, 0.0, -0.69049149225958995, -0.69580994032442101},
        {{10000.0, 100000000.0}, 0.030001499962501874, -0.0012713847702580125, -6.6682842272859784},
        {{30000.0, 1000000000000.0}, -0.017320508335496393, -6.5731000635199539, -0.0013984358358249517},
        {{30000.0, 1000000000000.0}, 0.004041451944949158, -0.27603841850770927, -1.4220615645695172},
        {{30000.0, 1000000000000.0}, 0.17320508335496393, 0, -481.55498174714722},
        {{10000.0, 1e300}, -0.3, -412.35719762678082, -8.2327418487090739e-180},
        {{10000.0, 1e300}, -0.005, -1.1716366683689754, -0.37085991805145663},
        {{10000.0, 1e300}, 0.08, -2.5016833569592366e-16, -35.924397639840421},
        {{100000000.0, 100000000.0}, -0.001131370849898476, -35.013435346142494, -6.2209718576864734e-16},
        {{100000000.0, 100000000.0}, 0.00042426406871192855, -0.0013508100313157792, -6.6077261722638712},
        {{10000000000.0, 30000000.0}, -0.0005485435260760991, -6.6088203245691348, -0.00134933185063124},
        {{10000000000.0, 30000000.0}, 0.001462782736202931, -6.3227588865438616e-16, -34.997205842317648},
        {{1000000000000000.0, 1000000000000000.0}, -1.3416407864998739e-06, -454.32124395630933, 0},
        {{1000000000000000.0, 1000000000000000.0}, 3.1304951684997056e-08, -0.27702394227713129, -1.4189677615315315},
        {{1e200, 1e250}, -3e-100, -6.6077262215103492, -0.0013508099647481938},
        {{1e200, 1e250}, 8e-100, -6.2209605742717839e-16, -35.013437159914552},
        {{1e300, 1e300}, -1.131370849898476e-149, -35.013437159914545, -6.2209605742718095e-16},
        {{1e300, 1e300}, -7.071067811865475e-151, -1.1759117615936185, -0.3689464152886564},
        {{1e300, 1e300}, 4.242640687119285e-149, -4.9067139271483862e-198, -454.32124395634315},
        {{9999.0, 1000000000000.0}, -0.080004000700005, -34.137107474104077, -1.4943165136624083e-15},
        {{9999.0, 1000000000000.0}, 0.0, -0.69049096180357783, -0.69581047360943493},
        {{9999.0, 1000000000000.0}, 0.080004000700005, -2.5015672021034439e-16, -35.924444071596916},
        {{3.0, 1000000000000.0}, -1.7320508075714753, -4.0847097283847162, -0.01697122327706117},
        {{3.0, 1000000000000.0}, 0.40414518843334424, -0.1914593564103807, -1.7472825135722416},
        {{3.0, 1000000000000.0}, 4.6188021535239345, 0, -293.36933383041827},
        {{0.25, 1000000000000.0}, -3, -1.0007856073727557, -0.45821822414466945},
        {{0.25, 1000000000000.0}, 0.0, -0.29614720784899978, -1.3613205967642252},
        {{0.25, 1000000000000.0}, 0.75, -0.15732608934282163, -1.9270665703133585},
        {{0.25, 1e300}, -3, -1.0007856073726613, -0.4582182241447243},
        {{0.25, 1e300}, 0.75, -0.15732608934271791, -1.9270665703139673},
        {{0.001, 10000000000000.0}, -0.5, -0.006831967513705804, -4.9895566164602538},
        {{0.001, 10000000000000.0}, 0.75, -0.0055834754487286802, -5.1907342949575765},
        {{10000.0, 990000000000.0}, -0.0800000004040404, -34.137150451857529, -1.4942522926757544e-15},
        {{10000.0, 990000000000.0}, 0.03000000015151515, -0.001271373013893191, -6.6682934683494262},
        {{5000.0, 1100000000000.0}, -0.0424264069676165, -6.5233489632580621, -0.0014698217524248922},
        {{5000.0, 1100000000000.0}, 0.424264069676165, 0, -525.54632285099206},
        {{9999.0, 999000000000.0}, -0.03000150026265202, -6.547906164455922, -0.0014341410511269582},
        {{9999.0, 999000000000.0}, 0.08000400070040538, -2.501567202139311e-16, -35.924444071582577},
        {{9999.0, 10000.0}, -0.04242746762418068, -6.6072295342707132, -0.0013514815151613689},
        {{9999.0, 10000.0}, 0.11313991366448183, -6.3343329070337443e-16, -34.995376982433456},
        {{0.7, 999000000000.0}, -3, -2.2681607347707202, -0.10925963338951528},
        {{0.7, 999000000000.0}, 0.75, -0.14676413558828627, -1.9914132414885428},
    };
    return rows;
}

constexpr std::array both_sides{9e3, 9999.999999, 1e4, 1.1e4, 1e6, 9e11, 9.99999999e11, 1e12, 1.1e12, 1e40, 1e300};

}   // namespace

TEST(LargeBeta, TailsAreThoseOfManyDigits)
{
    for (const auto& [shapes, u, log_lower, log_upper] : known()) {
        // t = ln(a/b) + u is rounded: 1e-13 at ln(a/b) = −691, times the slope of the tail's logarithm
        const bool both    = large_beta::both_large(shapes);
        const double t     = large_beta::mode(shapes) + u;
        const double lower = both ? large_beta::log_lower_tail(shapes, u) : log_cdf_of_logit(shapes, t);
        const double upper = both ? large_beta::log_lower_tail({shapes.b, shapes.a}, -u)
                                  : log_cdf_complement_of_logit(shapes, t);
        EXPECT_NEAR(lower, log_lower, 1e-12 * (1 + std::fabs(log_lower)))
            << shapes.a << ", " << shapes.b << " at " << u;
        EXPECT_NEAR(upper, log_upper, 1e-12 * (1 + std::fabs(log_upper)))
            << shapes.a << ", " << shapes.b << " at " << u;
    }
}

TEST(LargeBeta, QuantilesAreWhereTheTailsAre)
{
    for (const auto& [shapes, u, log_lower, log_upper] : known()) {
        if (std::min(log_lower, log_upper) < -34)   // the share of the other tail is 1
            continue;
        const bool low   = log_lower < log_upper;
        const auto place = low ? quantile(shapes, std::exp(log_lower)) : upper_quantile(shapes, std::exp(log_upper));
        const double sd = std::sqrt(1 / shapes.a + 1 / shapes.b), t = large_beta::mode(shapes) + u;
        EXPECT_NEAR(place.logit, t, 1e-9 * sd + 4e-16 * std::fabs(t)) << shapes.a << ", " << shapes.b << " at " << u;
        EXPECT_NEAR(place.value / std::exp(t - std::log1p(std::exp(t))), 1, 1e-9 * sd + 1e-15 * (1 + std::fabs(t)))
            << shapes.a << ", " << shapes.b;
        EXPECT_NEAR(place.complement * (1 + std::exp(t)), 1, 1e-9 * sd + 1e-15 * (1 + std::fabs(t)))
            << shapes.a << ", " << shapes.b;
    }
}

TEST(LargeBeta, IsContinuousWhereTheAlgorithmChanges)
{
    for (const double other : {0.3, 40.0, 9.9e3, 1e4, 1e7, 2e12})
        for (const double border : {large_beta::both_from, large_beta::larger_one_from})
            for (const double p : {1e-9, 0.02, 0.5, 0.9}) {
                const Beta below{std::nextafter(border, 0), other}, from{border, other};
                const double sd = std::sqrt(1 / border + 1 / other), t = quantile(from, p).logit;
                const double rounding = 4e-16 * (1 + std::fabs(t))
                                        / sd;   // of the shape and of t, in standard deviations
                EXPECT_NEAR((quantile(below, p).logit - t) / sd, 0, 1e-10 + rounding)
                    << border << ", " << other << " at " << p;
                EXPECT_NEAR(log_cdf_of_logit(below, t), log_cdf_of_logit(from, t), 1e-10 + 7 * rounding)
                    << border << ", " << other << " at " << p;
                EXPECT_NEAR(cdf(below, quantile(from, p).value), cdf(from, quantile(from, p).value), 1e-10 + rounding)
                    << border << ", " << other << " at " << p;
                const double far = 30 * std::min(sd, 1.0);
                EXPECT_NEAR(log_cdf_of_logit(below, t - far) / log_cdf_of_logit(from, t - far), 1, 1e-11 + rounding)
                    << border << ", " << other << " at " << p;
                EXPECT_NEAR(log_cdf_complement_of_logit(below, t + far) / log_cdf_complement_of_logit(from, t + far), 1,
                            1e-11 + rounding)
                    << border << ", " << other << " at " << p;
            }
}

TEST(LargeBeta, FarTailsAreFiniteAndFall)
{
    for (const double a : both_sides)
        for (const double b : {1e-6, 0.3, 1.0, 50.0, 9999.0, 1e4, 1e9, 1e12, 1e300}) {
            double before = 0;
            for (const double u : {0.0, -1e-3, -0.5, -3.0, -40.0, -800.0, -1e5, -1e7}) {
                const double log_tail = log_cdf_of_logit({a, b}, large_beta::mode({a, b}) + u);
                EXPECT_TRUE(log_tail <= before && std::isfinite(log_tail))
                    << a << ", " << b << " at " << u << ": " << log_tail;
                before = log_tail;
            }
            EXPECT_LT(before, -1e7 * a / 2);
        }
}

TEST(LargeBeta, EqualShapesHaveHalfOfTheirMassOnEitherSide)
{
    for (const double a : both_sides) {
        EXPECT_NEAR(cdf({a, a}, 0.5), 0.5, 1e-13) << a;
        EXPECT_NEAR(quantile({a, a}, 0.5).logit * std::sqrt(a), 0, 1e-9) << a;
        EXPECT_NEAR(upper_quantile({a, a}, 0.1).logit, -quantile({a, a}, 0.1).logit, 1e-9 / std::sqrt(a)) << a;
    }
}

TEST(LargeBeta, PropagatesNaN)
{
    for (const Beta shapes : {Beta{1e5, 1e6}, {3, 1e15}, {1e15, 3}, {1e300, 1e300}}) {
        EXPECT_TRUE(std::isnan(log_cdf_of_logit(shapes, NAN)));
        EXPECT_TRUE(std::isnan(cdf(shapes, NAN)));
    }
}

TEST(LargeBeta, DensitiesAndOverlapsDoNotCancel)
{
    // X ~ Beta(a, a) is normal of variance 1/(8a) but for a relative error 1/a
    for (const double a : {1e14, 1e17})
        EXPECT_NEAR(log_pdf(Beta{a, a}, 0.5), 0.5 * std::log(4 * a / std::numbers::pi), 1e-12 * std::log(a)) << a;
    // two normals of one mean, one of twice the variance of the other: they cross z = √(ln 2) of
    // its standard deviations from the mean; 2 Φ(−√2 z) + 2 Φ(z) − 1
    const double z        = std::sqrt(std::log(2.0));
    const double expected = std::erfc(z) + std::erf(z / std::sqrt(2.0));
    for (const double a : {1e14, 1e17})
        EXPECT_NEAR(overlap({a, a}, {2 * a, 2 * a}), expected, 1e-10) << a;
}
