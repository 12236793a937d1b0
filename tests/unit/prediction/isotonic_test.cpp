// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/calibration.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "random/noise.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace credence;
using testing::ElementsAre;

namespace {

// NumPy 1.24, default_rng(7): beta variates rounded to one decimal, so with ties
const std::vector<double> probabilities{0.7, 0.6, 0.4, 0.7, 0.9, 0.3, 1.0, 0.9, 0.3, 0.6, 1.0, 0.3,
                                        0.3, 0.6, 0.7, 0.4, 0.9, 0.2, 0.8, 0.9, 0.9, 0.4, 0.5, 0.7};
const std::vector<char> events{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 0, 1};

std::vector<double> uniform_numbers(std::size_t n, std::uint64_t seed, std::uint32_t index = 0)
{
    std::vector<double> out(n);
    uniforms({seed, Stream::figures, index}, 0, std::span<double>(out));
    return out;
}

}   // namespace

// scikit-learn 1.2: IsotonicRegression().fit(p, y).predict(p), and the Brier scores from it
TEST(Isotonic, FitAndDecompositionEqualThoseOfScikitLearn)
{
    const std::vector<double> y(events.begin(), events.end());
    const IsotonicFit fit(probabilities, y);
    const std::vector<std::pair<double, double>> expected{{0.2, 0},        {0.3, 1.0 / 11}, {0.5, 1.0 / 11},
                                                          {0.6, 1.0 / 11}, {0.7, 0.75},     {0.8, 5.0 / 6},
                                                          {0.9, 5.0 / 6},  {1.0, 1}};
    for (const auto& [p, value] : expected)
        EXPECT_NEAR(fit.at(p), value, 1e-12) << "p = " << p;
    EXPECT_NEAR(fit.at(0.65), (1.0 / 11 + 0.75) / 2, 1e-12) << "linear between blocks";
    EXPECT_EQ(fit.at(0), 0);
    const auto corp = corp_reliability(probabilities, events, 1, 0.95, 0);
    EXPECT_NEAR(corp.miscalibration, 0.0736489898989899, 1e-12);
    EXPECT_NEAR(corp.discrimination, 0.14441287878787884, 1e-12);
    EXPECT_NEAR(corp.uncertainty, 0.24826388888888892, 1e-12);
}

TEST(Isotonic, BlocksRiseHoldAllRowsAndKeepTheMean)
{
    const auto x = uniform_numbers(500, 1), noise = uniform_numbers(500, 2);
    std::vector<double> y;
    for (std::size_t i = 0; i < x.size(); ++i)
        y.push_back(std::sin(3 * x[i]) + noise[i]);
    const IsotonicFit fit(x, y);
    long rows  = 0;
    double sum = 0;
    for (std::size_t b = 0; b < fit.blocks().size(); ++b) {
        const auto& block = fit.blocks()[b];
        rows += block.count;
        sum += static_cast<double>(block.count) * block.value;
        EXPECT_LE(block.lower, block.upper);
        if (b > 0) {
            EXPECT_LT(fit.blocks()[b - 1].upper, block.lower);
            EXPECT_LT(fit.blocks()[b - 1].value, block.value);
        }
    }
    EXPECT_EQ(rows, 500);
    double total = 0;
    for (const double value : y)
        total += value;
    EXPECT_NEAR(sum, total, 1e-9);
}

TEST(Isotonic, OfRisingValuesIsTheIdentityAndOfFallingOnesTheMean)
{
    const std::vector<double> x{3, 1, 2}, rising{9, 0, 4}, falling{0, 5, 4};
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_EQ(IsotonicFit(x, rising).at(x[i]), rising[i]);
        EXPECT_EQ(IsotonicFit(x, falling).at(x[i]), 3);
    }
}

TEST(Isotonic, RejectsNumbersThatDoNotFit)
{
    EXPECT_THAT(
        [] {
        IsotonicFit(std::vector<double>{1, 2}, std::vector<double>{1});
        },
        testing::ThrowsMessage<Error>("Isotonic regression: 1 values for 2 positions."));
    EXPECT_THAT([] { corp_reliability({}, {}, 1); },
                testing::ThrowsMessage<Error>("Reliability: there are no predictions."));
}

TEST(CorpBand, ContainsCalibratedReliabilityAtAboutItsLevelAndIsTheSameOnAnyNumberOfThreads)
{
    constexpr std::size_t n = 300, repetitions = 60;
    long outside = 0, points = 0;
    for (std::uint32_t r = 0; r < repetitions; ++r) {
        const auto p = uniform_numbers(n, 3, r), u = uniform_numbers(n, 4, r);
        std::vector<char> event;
        for (std::size_t i = 0; i < n; ++i)
            event.push_back(u[i] < p[i] ? 1 : 0);
        const auto corp = corp_reliability(p, event, r, 0.95, 200);
        const IsotonicFit fit(p, std::vector<double>(event.begin(), event.end()));
        for (std::size_t i = 0; i < corp.band.p.size(); ++i) {
            const double at = fit.at(corp.band.p[i]);
            outside += at < corp.band.lower[i] || at > corp.band.upper[i] ? 1 : 0;
            ++points;
        }
    }
    const double share = static_cast<double>(outside) / static_cast<double>(points);
    EXPECT_GT(share, 0.02);
    EXPECT_LT(share, 0.08);   // 5 % at each point; neighbours are correlated
    CorpReliability one, two;
    Threads(1).run([&] { one = corp_reliability(probabilities, events, 5); });
    Threads(2).run([&] { two = corp_reliability(probabilities, events, 5); });
    EXPECT_EQ(one.band.lower, two.band.lower);
    EXPECT_EQ(one.band.upper, two.band.upper);
    EXPECT_EQ(one.band.p.front(), 0.2);
    EXPECT_EQ(one.band.p.back(), 1);
}
