// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/recalibrated_noise.h"

#include "foundation/error.h"
#include "network/noise_model.h"
#include "prediction/recalibration.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace credence;
using testing::ElementsAre;

namespace {

using Numbers = std::vector<double>;

const Numbers level_f{-0.5, 0.7, 2}, level_s{0.3, 1, 0.1};

std::shared_ptr<const LevelMap> five_segments()
{
    return std::make_shared<const LevelMap>(Numbers{0, 0.125, 0.25, 0.5, 0.75, 1}, Numbers{0, 0.02, 0.2, 0.6, 0.7, 1});
}

std::shared_ptr<const NoiseDistribution> student_of_five()
{
    return noise_model("student_t").likelihood(Numbers{1, 5})->noise();
}

struct LevelReference {
    double y, cdf, nll, crps;
};

void expect_equals(const RecalibratedNoise& noise, double mean, double sd, const std::vector<LevelReference>& values,
                   const std::vector<std::pair<double, double>>& quantiles)
{
    const auto moments = noise.mixture_moments(level_f, level_s);
    EXPECT_NEAR(moments.mean, mean, 1e-9);
    EXPECT_NEAR(moments.sd, sd, 1e-9);
    Numbers logs(3);
    for (const auto& at : values) {
        EXPECT_NEAR(noise.mixture_cdf(level_f, level_s, at.y), at.cdf, 1e-11);
        EXPECT_NEAR(noise.mixture_density(level_f, level_s, at.y), std::exp(-at.nll), 1e-10);
        noise.log_densities(level_f, level_s, at.y, logs);
        EXPECT_NEAR((std::exp(logs[0]) + std::exp(logs[1]) + std::exp(logs[2])) / 3, std::exp(-at.nll), 1e-10);
        EXPECT_NEAR(noise.mixture_crps(level_f, level_s, at.y), at.crps, 1e-6) << "y = " << at.y;
    }
    for (const auto& [p, q] : quantiles)
        EXPECT_NEAR(mixture_quantile(noise, level_f, level_s, p), q, 1e-8);
}

/// One sample with f = 0, s = 1 for each target.
RegressionSamples unit_gaussians(std::size_t n)
{
    return {.n_samples = 1, .n_inputs = static_cast<int>(n), .f = Numbers(n, 0), .s = Numbers(n, 1)};
}

/// Exponential noise with mean 0 and standard deviation 1: skewed.
Numbers skewed_targets(std::size_t n, unsigned seed)
{
    std::mt19937_64 random(seed);
    Numbers y(n);
    for (double& one : y)
        one = -std::log((static_cast<double>(random() >> 11) + 0.5) * 0x1p-53) - 1;
    return y;
}

}   // namespace

// scipy 1.10: integrate.quad of y R′(F(y)) f(y) and of (R(F(x)) − 1[x ≥ y])², optimize.brentq of F
TEST(RecalibratedNoise, EqualsScipyForAMixtureOfNormals)
{
    expect_equals({normal_noise(), five_segments()}, 0.671520042011, 1.126235009705,
                  {{-1, 0.004925643468, 3.785356193506, 1.0512673607},
                   {0.3, 0.515065534838, 1.529378563957, 0.3767046968},
                   {2.05, 0.841181787935, -0.386903664061, 0.8041838850},
                   {5, 0.999996584038, 11.080229265079, 3.7056435802}},
                  {{0.01, -0.843449898060},
                   {0.025, -0.658781314182},
                   {0.5, 0.231885589237},
                   {0.65, 1.781995838624},
                   {0.975, 2.266349876507}});
}

TEST(RecalibratedNoise, EqualsScipyForAMixtureOfStudentT)
{
    expect_equals({student_of_five(), five_segments()}, 0.683372005824, 1.123631543484,
                  {{-1, 0.004365161043, 4.157308689156, 1.0675017664},
                   {0.3, 0.495791003868, 1.400781426979, 0.3691188994},
                   {2.05, 0.862202374723, -0.463134328467, 0.7982247658},
                   {5, 0.999478134456, 7.535441147218, 3.6981254214}},
                  {{0.01, -0.792902821905},
                   {0.025, -0.621925497645},
                   {0.5, 0.317050858986},
                   {0.65, 1.685011341536},
                   {0.975, 2.250300496219}});
}

TEST(RecalibratedNoise, WithTheIdentityIsTheNoiseItself)
{
    const RecalibratedNoise same(normal_noise(), std::make_shared<const LevelMap>());
    const auto moments = same.mixture_moments(level_f, level_s),
               plain   = normal_noise()->mixture_moments(level_f, level_s);
    EXPECT_NEAR(moments.mean, plain.mean, 1e-14);
    EXPECT_NEAR(moments.sd, plain.sd, 1e-14);
    for (const double y : {-1.0, 0.4, 3.0})
        EXPECT_NEAR(same.mixture_crps(level_f, level_s, y), normal_noise()->mixture_crps(level_f, level_s, y), 1e-6);
}

TEST(TabulatedMixture, EqualsTheExactOneAndItsDerivatives)
{
    for (const auto& noise : {normal_noise(), student_of_five()})
        for (double y = -12; y <= 14; y += 0.037) {
            const auto at = noise->tabulated_mixture(level_f, level_s, y);
            EXPECT_NEAR(at.cdf, noise->mixture_cdf(level_f, level_s, y), 1e-9) << "y = " << y;
            EXPECT_NEAR(at.density, noise->mixture_density(level_f, level_s, y), 1e-6) << "y = " << y;
            const double h = 1e-4, slope = (noise->mixture_density(level_f, level_s, y + h)
                                            - noise->mixture_density(level_f, level_s, y - h))
                                           / (2 * h);
            EXPECT_NEAR(at.slope, slope, 2e-4) << "y = " << y;   // the smallest s is 0.1
        }
}

TEST(MappedMixtureCrps, EqualsNumericalIntegration)
{
    const auto map      = *five_segments();
    const auto integral = [&](const NoiseDistribution& noise, const Numbers& f, const Numbers& s, double y) {
        constexpr double h = 4e-4;   // midpoints; y is between two cells
        double sum         = 0;
        for (double x = y - 40 - h / 2; x < y + 40; x += h) {
            const double gap = map(std::clamp(noise.mixture_cdf(f, s, x), 0.0, 1.0)) - (x < y ? 0 : 1);
            sum += h * gap * gap;
        }
        return sum;
    };
    const Numbers spread{-0.4, 0.1, 0.15, 0.8, 1.3}, alike{1, 0.9, 1.2, 0.8, 1}, apart{-6, 6}, narrow{0.2, 0.2};
    for (const double y : {-20.0, -0.7, 0.3, 7.0}) {
        const auto of = [&](const NoiseDistribution& noise, const Numbers& f, const Numbers& s) {
            return mapped_mixture_crps(noise, f, s, y, map.levels(), map.frequencies());
        };
        EXPECT_NEAR(of(*normal_noise(), spread, alike), integral(*normal_noise(), spread, alike, y), 1e-6);
        EXPECT_NEAR(of(*normal_noise(), apart, narrow), integral(*normal_noise(), apart, narrow, y), 1e-6);
        EXPECT_NEAR(of(*normal_noise(), level_f, level_s), integral(*normal_noise(), level_f, level_s, y), 1e-6);
    }
}

TEST(MappedMixtureCrps, OfNarrowComponentsFarApartNeedsNoStepsThroughTheGaps)
{
    const Numbers identity{0, 1}, f{-2, -0.31, 0.4, 1e6};
    for (const double width : {1e-3, 1e-9})
        for (const double y : {-3.0, 0.4, 7e5, 2e6}) {
            const Numbers s(f.size(), width);
            const double unit = normal_noise()->mixture_moments(f, s).sd;
            EXPECT_NEAR(mapped_mixture_crps(*normal_noise(), f, s, y, identity, identity) / unit,
                        normal_noise()->mixture_crps(f, s, y) / unit, 1e-6);
        }
}

TEST(PartialMoments, OfTheNoiseEqualQuadrature)
{
    for (const auto& noise : {normal_noise(), student_of_five()})
        for (const double z : {-2.5, 0.0, 1.3}) {
            const auto exact = noise->partial_moments_of_e(z), slow = noise->NoiseDistribution::partial_moments_of_e(z);
            EXPECT_NEAR(exact.share, slow.share, 1e-7);
            EXPECT_NEAR(exact.first, slow.first, 1e-7);
            EXPECT_NEAR(exact.second, slow.second, 1e-6);
        }
}

TEST(LevelMap, IsInvertedAndDifferentiated)
{
    const auto map = *five_segments();
    for (double v = 0; v <= 1; v += 1.0 / 64)
        EXPECT_NEAR(map.inverse(map(v)), v, 1e-15);
    EXPECT_DOUBLE_EQ(map.slope(0), 0.16);
    EXPECT_DOUBLE_EQ(map.slope(0.125), 1.44);   // after the knot
    EXPECT_DOUBLE_EQ(map.slope(1), 1.2);
    EXPECT_THROW(LevelMap({0, 0.5, 1}, {0, 0.6, 0.6}), Error);
    EXPECT_THROW(fit_level_map(Numbers{0.5, 1.5}), Error);
}

TEST(LevelMap, OfUniformValuesIsTheIdentity)
{
    Numbers values;
    for (int i = 0; i < 500; ++i)
        values.push_back((i + 0.5) / 500);
    EXPECT_TRUE(fit_level_map(values).is_identity());
    EXPECT_TRUE(fit_level_map({}).is_identity());
}

TEST(LevelMap, EqualsTheRecursionInPython)   // the formulas of recalibrated_noise.h written with numpy and math.lgamma
{
    Numbers values;
    double gain = 0;
    for (int i = 1; i <= 120; ++i)
        values.push_back(std::pow(std::fmod(i * 0.6180339887498949, 1), 2));
    const auto map = fit_level_map(values);
    EXPECT_THAT(map.levels(), ElementsAre(0, 0.0625, 0.125, 0.25, 0.5, 1));
    const Numbers expected{0, 0.253778582383114, 0.354484369043080, 0.497093023255814, 0.706611570247934, 1};
    for (std::size_t k = 0; k < expected.size(); ++k)
        EXPECT_NEAR(map.frequencies()[k], expected[k], 1e-14);
    for (const double v : values)
        gain += std::log(map.slope(v)) / 120;
    EXPECT_NEAR(gain, 0.236082936292223, 1e-13);
}

TEST(LevelMap, NeverLowersTheMeanLogDensityOfItsValues)
{
    std::mt19937_64 random(5);
    for (int n : {1, 2, 5, 30, 200})
        for (const double power : {0.2, 1.0, 1.3, 8.0}) {
            Numbers values(static_cast<std::size_t>(n));
            for (double& v : values)
                v = std::pow(std::uniform_real_distribution<double>()(random), power);
            values.push_back(1);   // of a target far above the prediction
            const auto map = fit_level_map(values);
            double sum     = 0;
            for (const double v : values)
                sum += std::log(map.slope(v));
            EXPECT_GE(sum, 0) << n << " values, power " << power;
        }
}

TEST(CdfRecalibration, HelpsOnSkewedNoiseWhereScalingCannot)
{
    const auto y = skewed_targets(1000, 1), fresh = skewed_targets(4000, 2);
    const auto samples = unit_gaussians(y.size());
    const auto sigma = fit_sigma_scaling(samples, y), cdf = fit_cdf(samples, y);
    EXPECT_LT(cdf.nll_after, sigma.nll_after - 0.2);
    EXPECT_NEAR(cdf.nll_after, recalibrated_nll(cdf, samples, y), 1e-12);

    auto scaled = unit_gaussians(fresh.size()), mapped = scaled;
    recalibrate(sigma, scaled);
    recalibrate(cdf, mapped);
    mapped.moments.clear();   // the same at every row, and not needed here
    const auto mean_nll = [&](const RegressionSamples& s) {
        double sum = 0;
        for (const double nll : regression_nll_each(s, fresh))
            sum += nll / 4000;
        return sum;
    };
    EXPECT_LT(mean_nll(mapped), mean_nll(scaled) - 0.2);
    // Coverage of new rows at every level, each tail by itself: 4 standard deviations of fit and new rows
    auto one = unit_gaussians(1);
    recalibrate(cdf, one);
    for (const double p : {0.025, 0.1, 0.5, 0.9, 0.975}) {
        const double q = mixture_quantile(*one.noise, one.f, one.s, p);
        double below   = 0;
        for (const double target : fresh)
            below += target <= q ? 1.0 / 4000 : 0;
        EXPECT_NEAR(below, p, 4 * std::sqrt(p * (1 - p) * (1 / 1000.0 + 1 / 4000.0)) + 0.005) << "level " << p;
    }
    EXPECT_NEAR(mean_function(one)[0], 0, 0.1);
    // Beyond the last knot the tail is as long as that of the Gaussian, shorter than the exponential's.
    EXPECT_NEAR(spread_at(one, mean_function(one)[0], 0).y, 1, 0.15);
}

TEST(CdfRecalibration, IsTheIdentityAfterScalingIfThatIsEnough)
{
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    Numbers y(400);
    for (double& one : y)
        one = 2.5 * normal(random);
    const auto fitted = fit_cdf(unit_gaussians(400), y);
    EXPECT_NEAR(fitted.factor, 2.5, 0.3);
    EXPECT_TRUE(fitted.levels.is_identity());
    auto same = fitted;
    same.kind = RecalibrationKind::sigma;
    EXPECT_EQ(same, fit_sigma_scaling(unit_gaussians(400), y));
}

TEST(CdfRecalibration, PartsOfTheSpreadKeepTheirShares)
{
    RegressionSamples samples{.n_samples = 3, .n_inputs = 1, .f = level_f, .s = level_s};
    const auto before = spread_at(samples, mean_function(samples)[0], 0);
    recalibrate({.kind = RecalibrationKind::cdf, .levels = *five_segments()}, samples);
    const auto after = spread_at(samples, mean_function(samples)[0], 0);
    EXPECT_NEAR(after.y, 1.126235009705, 1e-9);
    EXPECT_NEAR(after.function / after.noise, before.function / before.noise, 1e-14);
    EXPECT_NEAR(std::hypot(after.function, after.noise), after.y, 1e-14);
}
