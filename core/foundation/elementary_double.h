// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

// The branch-free functions of elementary.h in double, for loops that the compiler vectorises under
// `#pragma omp simd`. The relative error is below 1e-15 over the whole range (2e-15 for sigmoid and
// softplus); arguments beyond it saturate; NaN stays NaN. The coefficients interpolate the function
// named next to them at the Chebyshev points of its interval, with the relative error of the result
// in brackets.
namespace credence {

/// e^t = power · (1 + rest), power a power of two: 1 for |t| < ln(2)/2.
struct ExpParts {
    double power, rest;
};
inline ExpParts fast_exp_parts(double t)
{
    t                           = t > 709.0 ? 709.0 : t;
    t                           = t < -708.0 ? -708.0 : t;
    constexpr double to_integer = 6755399441055744.0;   // 1.5 * 2^52: the sum's last bits are the nearest integer
    const double shifted        = t * 1.4426950408889634 + to_integer;
    const double k              = shifted - to_integer;
    const double r              = (t - k * 0x1.62e42feep-1) - k * 0x1.a39ef35793c76p-33;   // t - k ln 2, |r| <= ln(2)/2
    // (e^r - 1 - r - r²/2)/r³ [2.6e-17]
    const double q = 0x1.5555555555555p-3
                     + r
                           * (0x1.5555555554cb7p-5
                              + r
                                    * (0x1.1111111110e6ap-7
                                       + r
                                             * (0x1.6c16c1738ff55p-10
                                                + r
                                                      * (0x1.a01a01a4b322fp-13
                                                         + r
                                                               * (0x1.a019c9a5652d3p-16
                                                                  + r
                                                                        * (0x1.71de17e40edfep-19
                                                                           + r
                                                                                 * (0x1.2880411bad1aap-22
                                                                                    + r * 0x1.af236aac51d05p-26)))))));
    return {std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) << 52) + 0x3ff0000000000000u),
            r + r * r * (0.5 + r * q)};
}

/// e^t for t in [-708, 709], clamped outside.
inline double fast_exp(double t)
{
    const auto [power, rest] = fast_exp_parts(t);
    return power + power * rest;
}

/// e^t - 1 for t in [-708, 709], clamped outside; small relative error also near 0.
inline double fast_expm1(double t)
{
    const auto [power, rest] = fast_exp_parts(t);
    return (power - 1) + power * rest;
}

/// tanh t = -z/(2 + z), z = e^{-2|t|} - 1, with the sign of t.
inline double fast_tanh(double t)
{
    const double z = fast_expm1(-2 * std::fabs(t));
    return std::copysign(-z / (2 + z), t);
}

/// ln t for t >= 2^-1022, exact at 1. Smaller, zero and negative arguments give ln 2^-1022.
inline double fast_log(double t)
{
    t = t < 0x1p-1022 ? 0x1p-1022 : t;
    // t = 2^e * m, m in [sqrt(1/2), sqrt(2)). e is converted to double through the low bits of
    // 2^52, since every instruction set can vectorise this.
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(t) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
    const double e           = std::bit_cast<double>((bits >> 52) | 0x4330000000000000u) - (0x1p52 + 1023);
    const double m           = std::bit_cast<double>((bits & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu);
    const double f           = m - 1;
    const double s = f / (2 + f), z = s * s;   // ln m = 2 atanh s
    // (2 atanh(s)/s - 2)/s² [4.5e-18]
    const double p = 0x1.5555555555558p-1
                     + z
                           * (0x1.9999999995273p-2
                              + z
                                    * (0x1.2492492dfd86cp-2
                                       + z
                                             * (0x1.c71c62d5e53e0p-3
                                                + z
                                                      * (0x1.7462b91b8df65p-3
                                                         + z * (0x1.39fdcceb4bb45p-3 + z * 0x1.2b5f68a50d903p-3)))));
    const double half  = 0.5 * f * f;
    const double log_m = f - (half - s * (half + z * p));   // f - f²/2 + s (f²/2 + z p): f exact, the rest small
    const double log_t = e * 0x1.62e42feep-1 + (log_m + e * 0x1.a39ef35793c76p-33);
    return t == t ? log_t : t;
}

/// ln(1 + z) for z in [0, 1].
inline double fast_log1p_unit(double z)
{
    const double u = 1 + z;
    return fast_log(u) + (z - (u - 1)) / u;
}

/// ln(1 + e^t): e^t for t << 0 (down to e^-708), t for t >> 0.
inline double fast_softplus(double t)
{
    const double positive = t > 0 ? t : 0;
    const double log      = fast_log1p_unit(fast_exp(-std::fabs(t)));
    return t == t ? positive + log : t;
}

/// 1/(1 + e^{-t}), accurate in both tails: e^t for t << 0.
inline double fast_sigmoid(double t)
{
    const double z = fast_exp(-std::fabs(t));
    return (t < 0 ? z : 1) / (1 + z);
}

}   // namespace credence
