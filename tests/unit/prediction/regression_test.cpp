// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/regression.h"

#include "foundation/error.h"
#include "foundation/statistics.h"
#include "unit/network/likelihood_properties.h"

#include <boost/math/distributions/students_t.hpp>
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

using namespace credence;
using testing::ElementsAre;

namespace {

double normal_density(double y, double f, double s)
{
    return std::exp(-0.5 * (y - f) * (y - f) / (s * s)) / (s * std::sqrt(2 * std::numbers::pi));
}

}   // namespace

TEST(RegressionSamples, ReturnToTheUnitsOfTheTarget)
{
    const std::vector<float> outputs{0, 1, 2, 0.5f};   // one input, two draws of (f, s)
    const auto samples = regression_samples(SampleView<float>{outputs, 2, 1, 2}, Likelihood::gaussian(1), 10, 3);
    EXPECT_THAT(samples.f, ElementsAre(10, 16));
    EXPECT_THAT(samples.s, ElementsAre(3, 1.5));
}

TEST(RegressionSamples, RejectOutputsThatAreNotPairs)
{
    const std::vector<float> outputs(3);
    EXPECT_THAT(
        [&] {
        regression_samples(SampleView<float>{outputs, 1, 1, 3}, Likelihood::gaussian(1));
        },
        testing::ThrowsMessage<Error>(
            "Regression: 3 outputs per input found, expected 2 (f and the noise's standard deviation)."));
}

TEST(MixtureQuantile, OfOneGaussianIsItsQuantile)
{
    const std::vector<double> f{2}, s{0.5};
    EXPECT_NEAR(mixture_quantile(*normal_noise(), f, s, 0.5), 2, 1e-14);
    EXPECT_NEAR(mixture_quantile(*normal_noise(), f, s, 0.975), 2 + 0.5 * 1.959963984540054,
                1e-13);   // R 4.2: qnorm(0.975)
    EXPECT_NEAR(mixture_quantile(*normal_noise(), f, s, 0.025), 2 - 0.5 * 1.959963984540054, 1e-13);
}

TEST(MixtureQuantile, IsTheInverseOfTheDistributionFunction)
{
    const std::vector<double> f{-3, 0, 0.1, 5}, s{0.1, 2, 1e-3, 0.7};
    for (const double p : {1e-6, 0.025, 0.25, 0.5, 0.75, 0.975, 1 - 1e-6})
        EXPECT_NEAR(normal_noise()->mixture_cdf(f, s, mixture_quantile(*normal_noise(), f, s, p)), p, 1e-9)
            << "p = " << p;
}

TEST(MixtureQuantile, IsFoundBetweenNeedlesFarApart)
{
    const std::vector<double> f{-1000, 1000, 1000}, s{1e-3, 1e-3, 1e-3};
    EXPECT_NEAR(mixture_quantile(*normal_noise(), f, s, 0.2), -1000 + 1e-3 * 0.2533471031357997,
                1e-10);   // 0.6 of the first needle; R 4.2: qnorm(0.6)
    EXPECT_NEAR(normal_noise()->mixture_cdf(f, s, mixture_quantile(*normal_noise(), f, s, 0.9)), 0.9, 1e-7);
}

TEST(MixtureQuantile, CommutesWithScaleAndShift)
{
    const std::vector<double> f{-1, 2}, s{0.4, 0.9}, f2{-1 * 3.0 + 7, 2 * 3.0 + 7}, s2{0.4 * 3, 0.9 * 3};
    EXPECT_NEAR(mixture_quantile(*normal_noise(), f2, s2, 0.3), 3 * mixture_quantile(*normal_noise(), f, s, 0.3) + 7,
                1e-12);
}

TEST(MixtureQuantile, RejectsSharesZeroAndOne)
{
    const std::vector<double> f{0}, s{1};
    EXPECT_THAT([&] { mixture_quantile(*normal_noise(), f, s, 1); },
                testing::ThrowsMessage<Error>("Mixture quantile: the share is 1, expected a number between 0 and 1."));
}

TEST(PredictiveBand, WithoutDisagreementIsTheNoiseAndTheFunctionBandHasNoWidth)
{
    const RegressionSamples samples{3, 1, {1, 1, 1}, {0.2, 0.2, 0.2}};
    const std::vector<double> p{0.025, 0.975};
    const auto f = function_quantiles(samples, p), y = predictive_quantiles(samples, p);
    EXPECT_EQ(f[0][0], 1);
    EXPECT_EQ(f[1][0], 1);
    EXPECT_NEAR(y[1][0] - y[0][0], 2 * 0.2 * 1.959963984540054, 1e-12);
}

TEST(FunctionBand, IsMadeOfType7QuantilesOverSamples)
{
    const RegressionSamples samples{4, 2, {0, 10, 1, 11, 3, 13, 2, 12}, std::vector<double>(8, 1)};
    const auto q = function_quantiles(samples, std::vector<double>{0.25, 0.5});
    EXPECT_THAT(q[0], ElementsAre(0.75, 10.75));
    EXPECT_THAT(q[1], ElementsAre(1.5, 11.5));
}

TEST(RegressionNll, IsMinusTheLogOfTheMeanDensity)
{
    const RegressionSamples samples{3, 2, {0, 1, 0.5, 1.5, -0.2, 0.9}, {1, 0.5, 0.3, 2, 0.8, 0.1}};
    const std::vector<double> y{0.4, 1.2};
    const auto nll = regression_nll_each(samples, y);
    for (int i = 0; i < 2; ++i) {
        double density = 0;
        for (int j = 0; j < 3; ++j)
            density += normal_density(y[i], samples.f[j * 2 + i], samples.s[j * 2 + i]) / 3;
        EXPECT_NEAR(nll[i], -std::log(density), 1e-13) << "input " << i;
    }
}

TEST(RegressionNll, StaysFiniteWhereEveryDensityUnderflows)
{
    const RegressionSamples samples{2, 1, {0, 1}, {0.01, 0.01}};
    const double y        = 101;   // 10,000 standard deviations from the nearer draw: exp(-5e7)
    const double expected = 0.5 * 1e8 + std::log(0.01) + 0.5 * std::log(2 * std::numbers::pi) + std::log(2);
    EXPECT_NEAR(regression_nll_each(samples, {&y, 1})[0], expected, 1e-6);
}

namespace {

const std::vector<double> four_f{-1.2, 0.3, 0.4, 2.5}, four_s{0.5, 0.2, 1.1, 0.05};

}   // namespace

// SciPy 1.10: integrate.quad of (F(x) − 1[x ≥ y])² between the components, epsrel 1e-12
TEST(Crps, OfAMixtureEqualsTheIntegralOfTheDistributionFunction)
{
    for (const auto& [y, expected] : {std::pair{-4.0, 3.676964781085892},
                                      {0.35, 0.3628070197895653},
                                      {2.5, 1.1928722007803467},
                                      {9.0, 7.676960850741828}}) {
        EXPECT_NEAR(normal_noise()->mixture_crps(four_f, four_s, y), expected, 1e-10) << "y = " << y;
        EXPECT_NEAR(normal_noise()->NoiseDistribution::mixture_crps(four_f, four_s, y), expected, 1e-5)
            << "by quadrature, y = " << y;
    }
    const auto student = student_t(1, 5)->noise();
    for (const auto& [y, expected] :
         {std::pair{-4.0, 3.6832537499912688}, {0.35, 0.34890826399489316}, {9.0, 7.682088083225505}})
        EXPECT_NEAR(student->mixture_crps(four_f, four_s, y), expected, 1e-5) << "Student-t, y = " << y;
}

TEST(Crps, OfOneGaussianHasItsClosedForm)
{
    const std::vector<double> f{2}, s{0.5};
    for (const double y : {-9.0, 1.9, 2.0, 3.7}) {
        const double z = (y - 2) / 0.5;   // Gneiting and Raftery 2007
        EXPECT_NEAR(normal_noise()->mixture_crps(f, s, y),
                    0.5
                        * (z * std::erf(z / std::numbers::sqrt2) + 2 * normal_density(z, 0, 1)
                           - 1 / std::sqrt(std::numbers::pi)),
                    1e-11);
    }
}

TEST(Crps, OfNarrowComponentsIsThatOfTheirMeansAndOfOneSampleTheAbsoluteError)
{
    const std::vector<double> f{0, 1, 4}, s(3, 1e-9);
    EXPECT_NEAR(normal_noise()->mixture_crps(f, s, 2), 5.0 / 3 - 0.5 * 2 * (1 + 4 + 3) / 9, 1e-8);
    EXPECT_NEAR(normal_noise()->mixture_crps(std::vector<double>{4}, std::vector<double>{1e-9}, 1), 3, 1e-8);
}

// All pairs of 200,000 components would take about a minute.
TEST(Crps, OfManyComponentsIsFastAndThatOfTheirDistribution)
{
    constexpr int n = 200'000;
    std::vector<double> f, s(n, 0.5), alternating;
    for (int j = 0; j < n; ++j) {
        f.push_back(normal_noise()->quantile_of_e((j + 0.5) / n));
        alternating.push_back(j % 2 == 0 ? 0.2 : 1);
    }
    const double sd = std::sqrt(1.25);   // of the sum of two normal numbers
    for (const double y : {-2.0, 0.1}) {
        const double one = normal_noise()->mixture_crps(std::vector{0.0}, std::vector{sd}, y);
        EXPECT_NEAR(normal_noise()->mixture_crps(f, s, y), one, 2e-5) << y;
        const double two = normal_noise()->mixture_crps(std::vector{0.0, 0.0},
                                                        std::vector{std::sqrt(1.04), std::sqrt(2.0)}, y);
        EXPECT_NEAR(normal_noise()->mixture_crps(f, alternating, y), two, 1e-4) << "two standard deviations, " << y;
    }
}

TEST(Crps, CommutesWithScaleAndShift)
{
    std::vector<double> f = four_f, s = four_s;
    for (std::size_t j = 0; j < f.size(); ++j) {
        f[j] = 1e4 * f[j] + 3e5;
        s[j] *= 1e4;
    }
    EXPECT_NEAR(normal_noise()->mixture_crps(f, s, 1e4 * 0.9 + 3e5) / 1e4,
                normal_noise()->mixture_crps(four_f, four_s, 0.9), 1e-9);
}

TEST(Pit, IsTheDistributionFunctionAtTheTarget)
{
    const RegressionSamples samples{
        4, 2, {-1.2, -1.2, 0.3, 0.3, 0.4, 0.4, 2.5, 2.5}, {0.5, 0.5, 0.2, 0.2, 1.1, 1.1, 0.05, 0.05}};
    const auto pit = pit_each(samples, std::vector<double>{0.35, 2.5});   // SciPy 1.10: mean of stats.norm.cdf
    EXPECT_NEAR(pit[0], 0.5199028062293798, 1e-13);
    EXPECT_NEAR(pit[1], 0.8679687043397372, 1e-13);
}

TEST(IntervalScore, IsTheWidthPlusThePenaltyOutside)
{
    EXPECT_DOUBLE_EQ(interval_score(1, 3, 2, 0.9), 2);
    EXPECT_NEAR(interval_score(1, 3, 0.5, 0.9), 2 + 20 * 0.5, 1e-12);   // 2/α = 20
    EXPECT_NEAR(interval_score(1, 3, 3.25, 0.9), 2 + 20 * 0.25, 1e-12);
}

TEST(StudentTPredictions, QuantilesAndNllAreThoseOfTheMixture)
{
    const double degrees = 5, factor = std::sqrt(degrees / (degrees - 2));   // standard deviation of t_5
    const RegressionSamples samples{2, 1, {0, 1}, {0.5 * factor, 2 * factor}, student_t(1, degrees)->noise()};
    const boost::math::students_t t(degrees);
    const auto quantiles = predictive_quantiles(samples, std::vector<double>{0.025, 0.5, 0.99});
    for (const auto& [i, p] : {std::pair{0, 0.025}, {1, 0.5}, {2, 0.99}}) {
        const double y = quantiles[static_cast<std::size_t>(i)][0];
        EXPECT_NEAR(0.5 * (cdf(t, y / 0.5) + cdf(t, (y - 1) / 2)), p, 1e-12) << "p = " << p;
    }
    const double y = 3, density = 0.5 * (pdf(t, y / 0.5) / 0.5 + pdf(t, (y - 1) / 2) / 2);
    EXPECT_NEAR(regression_nll_each(samples, {&y, 1})[0], -std::log(density), 1e-13);
}

TEST(StudentTPredictions, StandardDeviationsReturnToTheUnitsOfTheTarget)
{
    const Likelihood likelihood = student_t(0.5, 4);
    const std::vector<float> outputs{0.25f};
    std::vector<float> predicted(2), entropy(1);
    likelihood->predict(outputs, 1, predicted.data(), entropy.data());
    const auto samples = regression_samples(SampleView<float>{predicted, 1, 1, 2}, likelihood, 10, 3);
    EXPECT_THAT(samples.f, ElementsAre(10.75));
    EXPECT_NEAR(samples.s[0], 3 * 0.5 * std::sqrt(2.0), 1e-6);
    EXPECT_EQ(samples.noise, likelihood->noise());
}

TEST(RegressionScores, EqualTheFormulasWrittenTheNaiveWay)
{
    const RegressionSamples samples{2, 3, {0, 1, 2, 1, 1, 4}, {0.1, 0.1, 0.1, 0.3, 0.3, 0.3}};
    const std::vector<double> y{0.5, 3, 3};
    const auto out = regression_scores(samples, y, 0.9);
    EXPECT_NEAR(out.rmse, std::sqrt((0.0 + 4.0 + 0.0) / 3), 1e-14);
    EXPECT_NEAR(out.mean_function_sd, (0.5 + 0 + 1) / 3, 1e-14);
    EXPECT_NEAR(out.mean_noise_sd, 0.2, 1e-14);
    EXPECT_NEAR(out.coverage, 2.0 / 3, 1e-14);
    EXPECT_NEAR(out.mae, 2.0 / 3, 1e-14);
    EXPECT_NEAR(out.crps, mean_of(crps_each(samples, y)), 1e-14);
    const auto ends = predictive_quantiles(samples, std::vector<double>{0.05, 0.95});
    double interval = 0;
    for (std::size_t i = 0; i < 3; ++i)
        interval += interval_score(ends[0][i], ends[1][i], y[i], 0.9) / 3;
    EXPECT_NEAR(out.interval_score, interval, 1e-12);
    EXPECT_EQ(out.n, 3);
}

TEST(RegressionScores, RejectNoTargetsAndTargetsThatDoNotFit)
{
    EXPECT_THAT(
        [] {
        regression_scores({1, 0, {}, {}}, {});
        },
        testing::ThrowsMessage<Error>("Regression scores: there are no targets."));
    EXPECT_THAT(
        [] {
        regression_scores({1, 1, {0}, {1}}, std::vector<double>{1, 2});
        },
        testing::ThrowsMessage<Error>("Regression scores: 2 targets for 1 predictions."));
}

TEST(Coverage, CountsTheBoundsAsInside)
{
    EXPECT_DOUBLE_EQ(coverage(std::vector<double>{0, 0}, std::vector<double>{1, 1}, std::vector<double>{1, 1.1}), 0.5);
}

TEST(FunctionQuantiles, NeedNoNoise)
{
    const RegressionSamples samples{.n_samples = 3, .n_inputs = 2, .f = {1, 10, 2, 20, 3, 30}, .s = {}};
    EXPECT_THAT(function_quantiles(samples, std::vector<double>{0.5})[0], ElementsAre(2, 20));
}
