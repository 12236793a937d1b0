// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/gamma_functions.h"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <array>
#include <cmath>
#include <numbers>

namespace credence::gamma {

namespace {

constexpr double series_from = 16;   // the asymptotic series below have full precision from here on

/// Bernoulli numbers B_2n/(2n (2n − 1)) and B_2n/(2n), n = 1..7.
constexpr std::array stirling_terms{1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                    1.0 / 1188, -691.0 / 360360, 1.0 / 156};
constexpr std::array digamma_terms{1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12};

template <std::size_t n>
double horner(const std::array<double, n>& terms, double y)
{
    double sum = 0;
    for (std::size_t k = n; k-- > 0;)
        sum = sum * y + terms[k];
    return sum;
}

}   // namespace

double log_gamma(double x) { return boost::math::lgamma(x); }
double digamma(double x) { return boost::math::digamma(x); }
double trigamma(double x) { return boost::math::trigamma(x); }

double stirling_remainder(double x)
{
    if (x >= series_from)
        return horner(stirling_terms, 1 / (x * x)) / x;
    return log_gamma(x) - (x - 0.5) * std::log(x) + x - 0.5 * std::log(2 * std::numbers::pi);
}

double log_minus_digamma(double x)
{
    if (x >= series_from)
        return 0.5 / x + horner(digamma_terms, 1 / (x * x)) / (x * x);
    return std::log(x) - digamma(x);
}

double digamma_difference(double x, double d)
{
    double sum = 0;
    for (; x < series_from; x += 1)   // ψ(x + 1) = ψ(x) + 1/x
        sum += d / (x * (x + d));
    // ln(1 + d/x) + ½ (1/x − 1/(x + d)) + Σ B_2n/(2n) (p^n − q^n), p = 1/x², q = 1/(x + d)²
    const double p = 1 / (x * x), q = 1 / ((x + d) * (x + d));
    const double p_minus_q = d / x * (2 + d / x) * q;
    double tail = 0, quotient = 1, power = 1;   // quotient = (p^n − q^n)/(p − q)
    for (const double term : digamma_terms) {
        tail += term * quotient;
        power *= q;
        quotient = quotient * p + power;
    }
    return sum + std::log1p(d / x) + 0.5 * d / (x * (x + d)) + p_minus_q * tail;
}

double log1p_minus(double x)
{
    if (std::fabs(x) > 0.01)
        return std::log1p(x) - x;
    double sum = 0;
    for (int n = 9; n >= 2; --n)
        sum = sum * -x + (-1.0) / n;
    return sum * x * x;
}

double relative_excess(double x)
{
    if (x <= -1)
        return 1;
    return std::fabs(x) > 0.01 ? (1 + x) * std::log1p(x) - x : (1 + x) * log1p_minus(x) + x * x;
}

double expm1_minus(double x)
{
    if (std::fabs(x) > 0.3)
        return std::expm1(x) - x;
    double sum = 0;
    for (int n = 14; n >= 3; --n)
        sum = (sum + 1) * x / n;
    return (sum + 1) * x * x / 2;
}

}   // namespace credence::gamma
