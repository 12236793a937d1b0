// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/calibration.h"

#include "foundation/error.h"
#include "random/noise.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;

namespace {

std::vector<double> uniform_pit(std::size_t n, std::uint32_t repetition)
{
    std::vector<double> out(n);
    uniforms({11, Stream::figures, repetition}, 0, std::span<double>(out));
    return out;
}

/// Share of repetitions in which calibrated predictions leave the range somewhere.
template <class Outside>
double false_alarms(std::size_t n, std::uint32_t repetitions, Outside outside)
{
    int alarms = 0;
    for (std::uint32_t r = 0; r < repetitions; ++r)
        alarms += outside(uniform_pit(n, r)) > 0 ? 1 : 0;
    return static_cast<double>(alarms) / repetitions;
}

// NumPy 1.24, default_rng(7): 30 beta(1.4, 1.1) variates
const std::vector<double> pit{0.9088, 0.6717, 0.0057, 0.323,  0.3233, 0.1858, 0.728,  0.5036, 0.8282, 0.8183,
                              0.1347, 0.4948, 0.3148, 0.7728, 0.8739, 0.8884, 0.906,  0.1111, 0.7421, 0.0611,
                              0.4706, 0.451,  0.5959, 0.8435, 0.4925, 0.0934, 0.3836, 0.6606, 0.8596, 0.6489};

}   // namespace

// SciPy 1.10: first k with binom.cdf(k) > outside/2, first k with binom.sf(k) <= outside/2
TEST(BinomialRange, EqualsThatOfSciPy)
{
    EXPECT_EQ(binomial_range(100, 0.1, 0.005), std::pair(3L, 19L));
    EXPECT_EQ(binomial_range(1000, 0.05, 0.0025), std::pair(30L, 72L));
    EXPECT_EQ(binomial_range(37, 0.95, 0.05 / 19), std::pair(30L, 37L));
}

TEST(UniformHistogram, CountsEveryNumberOnce)
{
    const auto histogram = uniform_histogram(std::vector<double>{0, 0.2, 0.25, 0.5, 0.74, 0.75, 1}, 4);
    EXPECT_THAT(histogram.counts, ElementsAre(2, 1, 2, 2));
    EXPECT_EQ(histogram.n, 7);
}

TEST(UniformHistogram, RejectsNumbersOutsideTheUnitInterval)
{
    EXPECT_THAT(
        [] {
        uniform_histogram(std::vector<double>{0.5, 1.5}, 4);
        },
        testing::ThrowsMessage<Error>("PIT value 1 is 1.5, expected a number from 0 to 1."));
}

TEST(UniformHistogram, RaisesAFalseAlarmInAtMostFivePercentOfCalibratedRuns)
{
    for (const std::size_t n : {60U, 300U}) {
        const double share = false_alarms(n, 2000, [&](const auto& u) {
            return uniform_histogram(u, histogram_bins(static_cast<long>(n))).outside();
        });
        EXPECT_LT(share, 0.05 + 0.0146) << n;   // three standard errors of 2,000 repetitions
        EXPECT_GT(share, 0.005) << n << ": the range is not much too wide";
    }
}

// NumPy 1.24: the share of |2 u − 1| <= level; the gap on a grid of two million points
TEST(CoverageCurve, EqualsThatOfNumPy)
{
    const auto curve = coverage_curve(pit);
    const std::vector<int> inside{3, 5, 5, 6, 7, 8, 10, 13, 13, 15, 16, 16, 18, 20, 23, 25, 28, 29, 29};
    ASSERT_EQ(curve.level.size(), inside.size());
    for (std::size_t i = 0; i < inside.size(); ++i) {
        EXPECT_NEAR(curve.level[i], 0.05 * static_cast<double>(i + 1), 1e-15);
        EXPECT_NEAR(curve.coverage[i], inside[i] / 30.0, 1e-15) << "level " << curve.level[i];
    }
    EXPECT_NEAR(curve.mean_gap, 0.036759297777583355, 1e-7);
}

TEST(CoverageCurve, OfOneValueHasTheGapOfAStep)
{
    EXPECT_NEAR(coverage_curve(std::vector<double>{0.75}).mean_gap, 0.25, 1e-15);   // step at ½
    EXPECT_NEAR(coverage_curve(std::vector<double>{0.5}).mean_gap, 0.5, 1e-15);     // too wide: always inside
    EXPECT_NEAR(coverage_curve(std::vector<double>{1}).mean_gap, 0.5, 1e-15);       // too narrow: never inside
}

TEST(CoverageCurve, RaisesAFalseAlarmInAtMostFivePercentOfCalibratedRuns)
{
    const double share = false_alarms(200, 400, [](const auto& u) { return coverage_curve(u).outside(); });
    EXPECT_LT(share, 0.05);
    EXPECT_GT(share, 0.001);
    std::vector<double> narrow = uniform_pit(200, 0);   // intervals with half the right width
    for (double& u : narrow)
        u = u < 0.5 ? u / 2 : 1 - (1 - u) / 2;
    EXPECT_GT(coverage_curve(narrow).outside(), 5);
}
