// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/neighbour_correlation.h"
#include "posterior/scaled_means.h"

#include <algorithm>

/// The loops of ScaledMeans over the weights of a tile. Not for use outside scaled_means.cpp.
namespace credence::scaled_means_loops {

/// The means to the left and right of a tile. `after` of a block's last weight is that weight's own
/// mean.
template <class T>
struct Neighbours {
    T mean_before, noise_before, mean_after;
};

/// e (and ė = ∂e/∂ρ) of the weights j0 .. j0 + n - 1 of a block.
/// @param m  [n] means, @param x  [n] noise, from weight j0 on
template <bool with_derivative, class T>
void neighbour_noise(const CorrelationPrefix<T>& prefix, std::size_t j0, std::size_t n, const T* m, const T* x,
                     const Neighbours<T>& neighbours, T* e, [[maybe_unused]] T* e_dot)
{
    const auto edge = [&](std::size_t k, T m_before, T x_before, T m_after) {
        const std::size_t j = j0 + k, own = std::min(j, prefix.length - 1), before = std::min(j - 1, prefix.length - 1);
        e[k] = sign(m_after) * prefix.t[own] * x[k];
        if (j > 0)
            e[k] += sign(m_before) * prefix.s[before] * x_before;
        if constexpr (with_derivative) {
            e_dot[k] = sign(m_after) * prefix.t_dot[own] * x[k];
            if (j > 0)
                e_dot[k] += sign(m_before) * prefix.s_dot[before] * x_before;
        }
    };
    edge(0, neighbours.mean_before, neighbours.noise_before, n == 1 ? neighbours.mean_after : m[1]);
    if (n == 1)
        return;
    // Interior: weights within the stored prefix, then those beyond it, where the coefficients are
    // constant.
    const std::size_t stored = std::clamp<std::size_t>(prefix.length > j0 ? prefix.length - j0 : 0, 1, n - 1);
    const T *t = prefix.t + j0, *s = prefix.s + j0, *t_dot = prefix.t_dot + j0, *s_dot = prefix.s_dot + j0;
#pragma omp simd
    for (std::size_t k = 1; k < stored; ++k) {
        const T left = sign(m[k - 1]) * x[k - 1], right = sign(m[k + 1]) * x[k];
        e[k] = left * s[k - 1] + right * t[k];
        if constexpr (with_derivative)
            e_dot[k] = left * s_dot[k - 1] + right * t_dot[k];
    }
    const std::size_t end = prefix.length - 1;
    const T t_end = prefix.t[end], s_end = prefix.s[end], t_dot_end = prefix.t_dot[end], s_dot_end = prefix.s_dot[end];
#pragma omp simd
    for (std::size_t k = stored; k < n - 1; ++k) {
        const T left = sign(m[k - 1]) * x[k - 1], right = sign(m[k + 1]) * x[k];
        e[k] = left * s_end + right * t_end;
        if constexpr (with_derivative)
            e_dot[k] = left * s_dot_end + right * t_dot_end;
    }
    edge(n - 1, m[n - 2], x[n - 2], neighbours.mean_after);
}

/// -1/m_i + (τ²/ζ²) m_i + (m_i - μ_i)/ζ² added to the data term; sums for δ and γ.
/// @param gradient  out
template <bool correlated, class T, class Sums, class MeanAt>
void closed_pullback(std::size_t n, const T* m, const T* g, const T* e, const T* e_dot, T tau, T precision, T weight,
                     Limit<T> limit, std::size_t begin, MeanAt mean_at, T* gradient, Sums& sums)
{
    const T spread = tau * tau * precision;
    T delta = 0, gamma = 0, square = 0;
#pragma omp simd reduction(+ : delta, gamma, square)
    for (std::size_t k = 0; k < n; ++k) {
        const T complexity = limit(spread * m[k] + (m[k] - mean_at(begin + k)) * precision - 1 / m[k]);
        gradient[k]        = g[k] * (1 + tau * e[k]) + weight * complexity;
        const T gm         = g[k] * m[k];
        delta += gm * e[k];
        if constexpr (correlated)
            gamma += gm * e_dot[k];
        square += m[k] * m[k];
    }
    sums = {static_cast<double>(delta), static_cast<double>(gamma), static_cast<double>(square), 0};
}

template <bool correlated, class T, class Sums>
void sampled_pullback(std::size_t n, const T* m, const T* g, const T* e, const T* e_dot, T tau, const T* pull, T weight,
                      Limit<T> limit, T* gradient, Sums& sums)
{
    T delta = 0, gamma = 0, complexity_delta = 0, complexity_gamma = 0;
#pragma omp simd reduction(+ : delta, gamma, complexity_delta, complexity_gamma)
    for (std::size_t k = 0; k < n; ++k) {
        const T factor     = 1 + tau * e[k];
        const T complexity = limit(pull[k] * factor - 1 / m[k]);
        gradient[k]        = g[k] * factor + weight * complexity;
        const T gm = g[k] * m[k], hm = pull[k] * m[k];
        delta += gm * e[k];
        complexity_delta += hm * e[k];
        if constexpr (correlated) {
            gamma += gm * e_dot[k];
            complexity_gamma += hm * e_dot[k];
        }
    }
    sums = {static_cast<double>(delta), static_cast<double>(gamma), static_cast<double>(complexity_delta),
            static_cast<double>(complexity_gamma)};
}

template <bool correlated, class T, class Sums>
void plain_pullback(std::size_t n, const T* m, const T* g, const T* e, const T* e_dot, T tau, T* gradient, Sums& sums)
{
    T delta = 0, gamma = 0;
#pragma omp simd reduction(+ : delta, gamma)
    for (std::size_t k = 0; k < n; ++k) {
        gradient[k] = g[k] * (1 + tau * e[k]);
        const T gm  = g[k] * m[k];
        delta += gm * e[k];
        if constexpr (correlated)
            gamma += gm * e_dot[k];
    }
    sums = {static_cast<double>(delta), static_cast<double>(gamma), 0, 0};
}

}   // namespace credence::scaled_means_loops
