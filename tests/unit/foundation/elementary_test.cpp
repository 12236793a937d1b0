// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/elementary.h"

#include "foundation/flush_denormals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

using namespace credence;

namespace {

constexpr double accuracy = 4e-7;

/// Largest |fast/exact - 1| over `steps` points of [low, high].
template <class Fast, class Exact>
double worst_relative_error(Fast fast, Exact exact, float low, float high, int steps = 400000)
{
    double worst = 0;
    for (int k = 0; k <= steps; ++k) {
        const float t         = low + (high - low) * (static_cast<float>(k) / static_cast<float>(steps));
        const double expected = exact(static_cast<double>(t));
        const double found    = fast(t);
        worst                 = std::fmax(worst, expected == 0 ? std::fabs(found) : std::fabs(found / expected - 1));
    }
    return worst;
}

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float inf          = std::numeric_limits<float>::infinity();

}   // namespace

TEST(LogAddExp, PropagatesNaNAndAcceptsInfinities)
{
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    for (const double other : {1.0, -infinity, infinity, nan}) {
        EXPECT_TRUE(std::isnan(log_add_exp(nan, other))) << other;
        EXPECT_TRUE(std::isnan(log_add_exp(other, nan))) << other;
    }
    EXPECT_EQ(log_add_exp(infinity, 1), infinity);
    EXPECT_EQ(log_add_exp(-infinity, -infinity), -infinity);
    EXPECT_EQ(log_add_exp(-infinity, 3), 3);
}

TEST(FastExp, AgreesWithDoubleOverItsRange)
{
    EXPECT_LT(worst_relative_error(
                  fast_exp, [](double t) { return std::exp(t); }, -87.3f, 88.0f),
              accuracy);
    EXPECT_LT(worst_relative_error(
                  fast_exp, [](double t) { return std::exp(t); }, -1e-3f, 1e-3f),
              accuracy);
    EXPECT_EQ(fast_exp(0.0f), 1.0f);
}

TEST(FastExp, SaturatesBeyondItsRange)
{
    EXPECT_EQ(fast_exp(200.0f), fast_exp(88.0f));
    EXPECT_EQ(fast_exp(inf), fast_exp(88.0f));
    EXPECT_EQ(fast_exp(-200.0f), fast_exp(-87.3f));
    EXPECT_EQ(fast_exp(-inf), fast_exp(-87.3f));
    EXPECT_GT(fast_exp(-inf), 0.0f);
}

TEST(FastExpm1, IsRelativelyAccurateAroundZeroAndOverItsRange)
{
    const auto exact = [](double t) { return std::expm1(t); };
    EXPECT_LT(worst_relative_error(fast_expm1, exact, -87.3f, 88.0f), accuracy);
    EXPECT_LT(worst_relative_error(fast_expm1, exact, -2.0f, 2.0f), accuracy);
    for (float t = 1.0f; t > 1e-37f; t /= 4) {
        EXPECT_NEAR(fast_expm1(t) / exact(t), 1, accuracy) << t;
        EXPECT_NEAR(fast_expm1(-t) / exact(-t), 1, accuracy) << -t;
    }
    EXPECT_EQ(fast_expm1(0.0f), 0.0f);
    EXPECT_TRUE(std::isnan(fast_expm1(not_a_number)));
}

TEST(FastLog, AgreesWithDoubleInEveryBinade)
{
    for (int exponent = -126; exponent < 127; ++exponent) {
        const float low = std::ldexp(1.0f, exponent);
        EXPECT_LT(worst_relative_error(
                      fast_log, [](double t) { return std::log(t); }, low, 2 * low, 4000),
                  accuracy)
            << "from 2^" << exponent;
    }
}

TEST(FastLog, IsRelativelyAccurateAroundOne)
{
    EXPECT_LT(worst_relative_error(
                  fast_log, [](double t) { return std::log(t); }, 0.70f, 1.42f),
              accuracy);
    EXPECT_LT(worst_relative_error(
                  fast_log, [](double t) { return std::log(t); }, 0.999f, 1.001f),
              accuracy);
    EXPECT_EQ(fast_log(1.0f), 0.0f);
}

TEST(FastLog, SaturatesAtTheSmallestNormalNumber)
{
    EXPECT_EQ(fast_log(0.0f), fast_log(std::numeric_limits<float>::min()));
    EXPECT_NEAR(fast_log(0.0f), -126 * std::log(2.0), 1e-5);
}

TEST(FastLog, InvertsFastExp)
{
    for (float t = -80; t <= 80; t += 0.37f)
        EXPECT_NEAR(fast_log(fast_exp(t)), t, 4e-7f * std::fmax(1.0f, std::fabs(t)));
}

TEST(FastLog1pUnit, AgreesWithDouble)
{
    EXPECT_LT(worst_relative_error(
                  fast_log1p_unit, [](double t) { return std::log1p(t); }, 0.0f, 1.0f),
              accuracy);
    EXPECT_LT(worst_relative_error(
                  fast_log1p_unit, [](double t) { return std::log1p(t); }, 1e-12f, 1e-6f),
              accuracy);
}

TEST(FastSoftplus, AgreesWithDoubleInBothTails)
{
    EXPECT_LT(worst_relative_error(
                  fast_softplus, [](double t) { return softplus(t); }, -87.0f, 88.0f),
              accuracy);
    EXPECT_LT(worst_relative_error(
                  fast_softplus, [](double t) { return softplus(t); }, -1.0f, 1.0f),
              accuracy);
    EXPECT_EQ(fast_softplus(1e30f), 1e30f);
    EXPECT_GT(fast_softplus(-1e30f), 0.0f);
}

TEST(FastSigmoid, AgreesWithDoubleInBothTails)
{
    EXPECT_LT(worst_relative_error(
                  fast_sigmoid, [](double t) { return sigmoid(t); }, -87.0f, 88.0f),
              accuracy);
    EXPECT_EQ(fast_sigmoid(0.0f), 0.5f);
    EXPECT_EQ(fast_sigmoid(inf), 1.0f);
    EXPECT_GT(fast_sigmoid(-inf), 0.0f);
}

TEST(FastTanh, AgreesWithDoubleAndIsOdd)
{
    EXPECT_LT(worst_relative_error(
                  fast_tanh, [](double t) { return std::tanh(t); }, -20.0f, 20.0f),
              accuracy);
    EXPECT_LT(worst_relative_error(
                  fast_tanh, [](double t) { return std::tanh(t); }, -1e-3f, 1e-3f),
              accuracy);
    EXPECT_LT(worst_relative_error(
                  fast_tanh, [](double t) { return std::tanh(t); }, 0.6f, 0.65f),
              accuracy);
    for (float t = 0; t < 12; t += 0.01f)
        EXPECT_EQ(fast_tanh(-t), -fast_tanh(t));
    EXPECT_EQ(fast_tanh(inf), 1.0f);
    EXPECT_EQ(fast_tanh(-inf), -1.0f);
}

TEST(FastFunctions, HaveTheSameBitsWhereSmallNumbersAreFlushed)
{
    std::vector<float> t;
    for (float at = -100; at <= 100; at += 0.00137f)
        t.push_back(at);
    const float least = std::numeric_limits<float>::min();
    t.insert(t.end(),
             {-inf, inf, -87.3f, -86.6f, -126 * std::numbers::ln2_v<float>, least, -least, least / 8, -least / 8});
    for (const auto f : {fast_exp, fast_softplus, fast_sigmoid, fast_log}) {
        std::vector<float> kept(t.size()), flushed(t.size());
        for (std::size_t i = 0; i < t.size(); ++i)
            kept[i] = f(t[i]);
        {
            const FlushDenormals here;
            for (std::size_t i = 0; i < t.size(); ++i)
                flushed[i] = f(t[i]);
        }
        EXPECT_EQ(kept, flushed);
    }
}

TEST(FastExp, DecreasesToItsLowerBoundThroughNormalNumbers)
{
    const FlushDenormals here;
    EXPECT_LT(worst_relative_error(
                  fast_exp, [](double t) { return std::exp(t); }, -87.3f, -70.0f),
              accuracy);
    EXPECT_GE(fast_exp(-87.3f), std::numeric_limits<float>::min());
    EXPECT_EQ(fast_exp(-87.4f), fast_exp(-87.3f));
    EXPECT_LT(worst_relative_error(
                  fast_softplus, [](double t) { return softplus(t); }, -87.0f, -70.0f),
              accuracy);
    EXPECT_LT(worst_relative_error(
                  fast_sigmoid, [](double t) { return sigmoid(t); }, -87.0f, -70.0f),
              accuracy);
}

TEST(FastFunctions, PropagateNan)
{
    for (const auto f : {fast_exp, fast_log, fast_log1p_unit, fast_softplus, fast_sigmoid, fast_tanh})
        EXPECT_TRUE(std::isnan(f(not_a_number)));
}

TEST(FastFunctions, GiveTheSameInALoopOverVectorsAsAlone)
{
    std::vector<float> t(1003), together(t.size());
    for (std::size_t i = 0; i < t.size(); ++i)
        t[i] = 0.05f * (static_cast<float>(i) - 500);
#pragma omp simd
    for (std::size_t i = 0; i < t.size(); ++i)
        together[i] = fast_softplus(t[i]) * fast_sigmoid(t[i]);
    for (std::size_t i = 0; i < t.size(); ++i)
        EXPECT_FLOAT_EQ(together[i], fast_softplus(t[i]) * fast_sigmoid(t[i]));
}

TEST(Softplus, HasItsInverseAndItsDerivative)
{
    for (double t = -30; t <= 30; t += 0.25) {
        EXPECT_NEAR(inverse_softplus(softplus(t)), t, 1e-11);
        EXPECT_NEAR((softplus(t + 1e-5) - softplus(t - 1e-5)) / 2e-5, sigmoid(t), 1e-9);
    }
}

TEST(LogAddExp, IsSymmetricAndCorrectAtInfinity)
{
    EXPECT_DOUBLE_EQ(log_add_exp(1, 2), std::log(std::exp(1) + std::exp(2)));
    EXPECT_EQ(log_add_exp(-700, 3), log_add_exp(3, -700));
    EXPECT_EQ(log_add_exp(-std::numeric_limits<double>::infinity(), 5), 5);
    EXPECT_EQ(log_add_exp(1000, 1000), 1000 + std::log(2));
}

TEST(Sign, OfZeroIsPlusOne)
{
    EXPECT_EQ(sign(0.0f), 1.0f);
    EXPECT_EQ(sign(-3.0), -1.0);
}
