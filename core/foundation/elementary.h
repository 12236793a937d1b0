// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace credence {

/// softplus(t) = ln(1 + e^t) = max(t, 0) + log1p(e^{-|t|}), accurate in both tails.
inline double softplus(double t) { return std::fmax(t, 0.0) + std::log1p(std::exp(-std::fabs(t))); }
/// Inverse of softplus: t = y + ln(1 - e^{-y}), y > 0.
inline double inverse_softplus(double y) { return y + std::log(-std::expm1(-y)); }
/// σ(t) = 1/(1 + e^{-t}) = d softplus/dt.
inline double sigmoid(double t) { return t >= 0 ? 1 / (1 + std::exp(-t)) : std::exp(t) / (1 + std::exp(t)); }
/// ln (e^a + e^b); NaN if a or b is NaN.
inline double log_add_exp(double a, double b)
{
    if (std::isnan(a) || std::isnan(b))
        return a + b;
    const double high = std::fmax(a, b), low = std::fmin(a, b);
    return std::isinf(high) ? high : high + std::log1p(std::exp(low - high));
}
/// sgn with sgn(0) = +1 (docs/maths.md, notation).
template <class T>
inline T sign(T t)
{
    return t < T(0) ? T(-1) : T(1);
}

// Branch-free polynomials in float for loops over weights. They are inline so that the compiler can
// vectorise them under `#pragma omp simd`. The relative error is below 4e-7 over the whole range;
// arguments beyond it saturate; NaN stays NaN. The coefficients interpolate the function named next
// to them at the Chebyshev points of its interval, with the relative error in brackets.

/// e^t = power · (1 + rest), power a power of two: 1 for |t| < ln(2)/2.
struct FastExpParts {
    float power, rest;
};
inline FastExpParts fast_exp_parts(float t)
{
    t                          = t > 88.0f ? 88.0f : t;
    t                          = t < -87.3f ? -87.3f : t;
    constexpr float to_integer = 12582912.0f;   // 1.5 * 2^23: the sum's last bits are the nearest integer
    const float shifted        = t * 1.44269504f + to_integer;
    const float k              = shifted - to_integer;
    const float r              = (t - k * 0.693359375f) + k * 2.12194440e-4f;   // t - k ln 2, |r| <= ln(2)/2
    // (e^r - 1)/r [1.2e-8]
    const float p =
        1.0f + r * (0.5f + r * (1.666650526e-1f + r * (4.166646501e-2f + r * (8.369148491e-3f + r * 1.393364103e-3f))));
    return {std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted) << 23) + 0x3f800000u), r * p};   // 2^k
}

/// e^t for t in [-87.3, 88], clamped outside. No intermediate result is below the smallest normal
/// number, so flushing denormals changes no bit; power · rest would be for t < -70. Both versions
/// round once.
inline float fast_exp(float t)
{
    const auto [power, rest] = fast_exp_parts(t);
#if defined(__FMA__)
    return __builtin_fmaf(power, rest, power);
#else
    return power * (1.0f + rest);
#endif
}

/// e^t - 1 for t in [-87.3, 88], clamped outside; small relative error also near 0.
inline float fast_expm1(float t)
{
    const auto [power, rest] = fast_exp_parts(t);
    return (power - 1.0f) + power * rest;
}

/// ln t for t >= 2^-126, exact at 1. Smaller, zero and negative arguments give ln 2^-126.
inline float fast_log(float t)
{
    t                   = t < 1.17549435e-38f ? 1.17549435e-38f : t;
    const auto bits     = std::bit_cast<std::int32_t>(t);
    const auto exponent = (bits - 0x3f3504f3) >> 23;   // t = 2^exponent * m, m in [sqrt(1/2), sqrt(2))
    const float m       = std::bit_cast<float>(bits - (exponent << 23));
    const float f       = m - 1.0f;
    // (ln(1 + f) - f + f²/2)/f³: from ln(1 + f)/f [4.6e-9]
    const float p =
        3.333334535e-1f
        + f
              * (-2.500157910e-1f
                 + f
                       * (2.000093944e-1f
                          + f
                                * (-1.660836941e-1f
                                   + f
                                         * (1.419965010e-1f
                                            + f * (-1.326603136e-1f + f * (1.280661044e-1f + f * -7.451186227e-2f))))));
    const float e     = static_cast<float>(exponent);
    const float log_m = f + f * f * (f * p - 0.5f);
    const float log_t = e * 0.693359375f + (log_m - e * 2.12194440e-4f);
    return t == t ? log_t : t;
}

/// ln(1 + z) for z in [0, 1].
inline float fast_log1p_unit(float z)
{
    // ln(1 + z)/z [5.3e-9]
    const float p =
        -4.999989265e-1f
        + z
              * (3.332971050e-1f
                 + z
                       * (-2.495161626e-1f
                          + z
                                * (1.966327426e-1f
                                   + z
                                         * (-1.526966707e-1f
                                            + z
                                                  * (1.054362380e-1f
                                                     + z
                                                           * (-5.637361283e-2f
                                                              + z * (1.954252726e-2f + z * -3.176057018e-3f)))))));
    return z + z * z * p;
}

/// ln(1 + e^t): e^t for t << 0 (down to e^-87.3), t for t >> 0.
inline float fast_softplus(float t)
{
    const float positive = t > 0.0f ? t : 0.0f;
    return positive + fast_log1p_unit(fast_exp(-std::fabs(t)));
}

/// 1/(1 + e^{-t}), accurate in both tails: e^t for t << 0.
inline float fast_sigmoid(float t)
{
    const float z = fast_exp(-std::fabs(t));
    return (t < 0.0f ? z : 1.0f) / (1.0f + z);
}

inline float fast_tanh(float t)
{
    const float y = t * t;
    // tanh(t)/t on |t| < 0.625 [4e-9]
    const float small = t
                        + t * y
                              * (-3.333325986e-1f
                                 + y
                                       * (1.333111401e-1f
                                          + y * (-5.372010486e-2f + y * (2.058818431e-2f + y * -5.657128559e-3f))));
    const float z     = fast_exp(-2.0f * std::fabs(t));
    const float large = std::copysign((1.0f - z) / (1.0f + z), t);
    return std::fabs(t) < 0.625f ? small : large;
}

}   // namespace credence
