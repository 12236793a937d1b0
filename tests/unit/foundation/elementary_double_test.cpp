// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/elementary_double.h"

#include "foundation/elementary.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

using namespace credence;

namespace {

constexpr double precision  = 1e-15;
const double nan_of_doubles = std::numeric_limits<double>::quiet_NaN();
const double infinite       = std::numeric_limits<double>::infinity();

/// Largest |fast/exact - 1| over 400,001 points of [low, high]; exact in long double.
template <class Fast, class Exact>
double worst_error_in_double(Fast fast, Exact exact, double low, double high)
{
    double worst = 0;
    for (int k = 0; k <= 400000; ++k) {
        const double t             = low + (high - low) * (k / 400000.0);
        const long double expected = exact(static_cast<long double>(t));
        const double found         = fast(t);
        const auto error           = static_cast<double>(expected == 0 ? found : found / expected - 1);
        worst                      = std::fmax(worst, std::fabs(error));
    }
    return worst;
}

double exp_of(double t) { return fast_exp(t); }
double expm1_of(double t) { return fast_expm1(t); }
double tanh_of(double t) { return fast_tanh(t); }
double log_of(double t) { return fast_log(t); }
double log1p_of(double t) { return fast_log1p_unit(t); }
double softplus_of(double t) { return fast_softplus(t); }
double sigmoid_of(double t) { return fast_sigmoid(t); }

}   // namespace

TEST(FastFunctionsInDouble, AgreeWithTheLibraryToTheLastBits)
{
    const auto exp = [](long double t) { return std::exp(t); };
    EXPECT_LT(worst_error_in_double(exp_of, exp, -708, 709), precision);
    EXPECT_LT(worst_error_in_double(exp_of, exp, -1, 1), precision);
    const auto expm1 = [](long double t) { return std::expm1(t); };
    EXPECT_LT(worst_error_in_double(expm1_of, expm1, -708, 700), precision);
    EXPECT_LT(worst_error_in_double(expm1_of, expm1, -1e-3, 1e-3), precision);
    const auto tanh = [](long double t) { return std::tanh(t); };
    EXPECT_LT(worst_error_in_double(tanh_of, tanh, -20, 20), precision);
    EXPECT_LT(worst_error_in_double(tanh_of, tanh, -1e-3, 1e-3), precision);
    const auto log = [](long double t) { return std::log(t); };
    EXPECT_LT(worst_error_in_double(log_of, log, 1e-300, 1e-290), precision);
    EXPECT_LT(worst_error_in_double(log_of, log, 0.5, 2), precision);
    EXPECT_LT(worst_error_in_double(log_of, log, 1, 1e300), precision);
    EXPECT_LT(worst_error_in_double(
                  log1p_of, [](long double t) { return std::log1p(t); }, 0, 1),
              precision);
    EXPECT_LT(worst_error_in_double(
                  softplus_of,
                  [](long double t) { return t > 0 ? t + std::log1p(std::exp(-t)) : std::log1p(std::exp(t)); }, -700,
                  700),
              2 * precision);
    EXPECT_LT(worst_error_in_double(
                  sigmoid_of, [](long double t) { return 1 / (1 + std::exp(-t)); }, -700, 700),
              2 * precision);
}

TEST(FastFunctionsInDouble, AreExactWhereTheValueIs)
{
    EXPECT_EQ(fast_exp(0.0), 1);
    EXPECT_EQ(fast_log(1.0), 0);
    EXPECT_EQ(fast_tanh(0.0), 0);
    EXPECT_TRUE(std::signbit(fast_tanh(-0.0)));
    EXPECT_EQ(fast_tanh(40.0), 1);
    EXPECT_EQ(fast_tanh(-infinite), -1);
    EXPECT_EQ(fast_sigmoid(0.0), 0.5);
}

TEST(FastFunctionsInDouble, SaturateBeyondTheirRange)
{
    EXPECT_EQ(fast_exp(infinite), fast_exp(709.0));
    EXPECT_EQ(fast_exp(-infinite), fast_exp(-708.0));
    EXPECT_EQ(fast_log(0.0), fast_log(0x1p-1022));
    EXPECT_EQ(fast_log(-1.0), fast_log(0x1p-1022));
    EXPECT_EQ(fast_softplus(1e10), 1e10);
}

TEST(FastFunctionsInDouble, PropagateNan)
{
    for (const auto f : {exp_of, expm1_of, tanh_of, log_of, log1p_of, softplus_of, sigmoid_of})
        EXPECT_TRUE(std::isnan(f(nan_of_doubles)));
}

TEST(FastFunctionsInDouble, GiveTheSameInALoopOverVectorsAsAlone)
{
    std::vector<double> t(1003), together(t.size());
    for (std::size_t i = 0; i < t.size(); ++i)
        t[i] = 0.05 * (static_cast<double>(i) - 500);
#pragma omp simd
    for (std::size_t i = 0; i < t.size(); ++i)
        together[i] = fast_tanh(t[i]) * fast_softplus(t[i]);
    for (std::size_t i = 0; i < t.size(); ++i)
        EXPECT_DOUBLE_EQ(together[i], fast_tanh(t[i]) * fast_softplus(t[i]));
}
