// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "random/noise.h"

#include <cmath>

namespace credence {

// The numerical guards of Posch and Pilz 2021, pseudocode lines 7–25 (docs/maths.md, section 10).
// `coin` is +1 or -1, the sign given to a value near zero.

inline constexpr double guard_smallest_gamma = 0.04000533;   ///< |ρ| >= 0.01
inline constexpr double guard_largest_gamma  = 10;           ///< |ρ| <= 0.4999546
inline constexpr double guard_smallest_delta = -4.600166;    ///< τ >= 0.01
inline constexpr double guard_smallest_mean  = 1e-6;

template <class T>
T away_from_zero(T value, T smallest, T coin)
{
    return std::fabs(value) < smallest ? coin * smallest : value;
}
template <class T>
T guarded_mean(T mean, T coin)
{
    return away_from_zero(mean, T(guard_smallest_mean), coin);
}
template <class T>
T guarded_delta(T delta)
{
    return delta < T(guard_smallest_delta) ? T(guard_smallest_delta) : delta;
}
/// |γ| <= 10; keeps the sign.
template <class T>
T limited_gamma(T gamma)
{
    return std::fabs(gamma) > T(guard_largest_gamma) ? std::copysign(T(guard_largest_gamma), gamma) : gamma;
}
/// |γ| >= 0.04000533.
template <class T>
T guarded_gamma(T gamma, T coin)
{
    return away_from_zero(gamma, T(guard_smallest_gamma), coin);
}

/// The fair coin of parameter i: +1 or -1.
template <class T>
T coin_of(NoiseKey key, std::size_t i)
{
    float u;
    uniforms(key, i, std::span<float>(&u, 1));
    return u < 0.5f ? T(-1) : T(1);
}

}   // namespace credence
