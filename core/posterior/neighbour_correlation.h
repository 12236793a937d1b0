// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace credence {

/// The recursion (17)–(19) of Posch and Pilz 2021, which depends on ρ only. With r_0² = 0, r_i² =
/// ρ²/(1 - r_{i-1}²), the factor of the correlation matrix has the diagonal t_i = √(1 - r_{i-1}²)
/// and the subdiagonal s_i = ρ/t_i (docs/maths.md, section 1). The sequence converges to a fixed
/// point: it is stored until neither it nor its derivative changes in double (about 35 entries at
/// |ρ| = 0.44, 1,400 at the guard); after that its last entry applies.
///
/// Index 0 is i = 1 in the papers: t[0] = 1, s[0] = ρ.
template <class T>
struct CorrelationPrefix {
    T* t;       ///< [length]
    T* s;       ///< [length]
    T* t_dot;   ///< [length], d t/dρ
    T* s_dot;   ///< [length], d s/dρ
    std::size_t length = 0;
    double d_log_det   = 0;   ///< d ln D_K / dρ = -Σ ṗ_{i-1}/(1 - p_{i-1}), p = r²
};

/// One step of the recursion for p = r² and its derivative.
struct CorrelationStep {
    double p = 0, p_dot = 0;

    CorrelationStep next(double rho) const
    {
        const double inverse = 1 / (1 - p), q = rho * inverse;
        return {rho * q, 2 * q + q * q * p_dot};
    }
    bool operator==(const CorrelationStep&) const = default;

    /// True if the sequence has converged for numbers of type T. In double: not one bit changes. In
    /// float a change below 1e-9 suffices: the remainder of a geometric sequence with ratio q <
    /// 0.98 is then below the last bit.
    template <class T>
    bool is_settled(const CorrelationStep& following) const
    {
        if constexpr (sizeof(T) == sizeof(double))
            return following == *this;
        else
            return std::fabs(following.p - p) <= 1e-9 * p
                   && std::fabs(following.p_dot - p_dot) <= 1e-9 * std::fabs(p_dot);
    }
};

/// Required array size of a prefix for a block of K weights.
std::size_t correlation_prefix_capacity(double rho, std::size_t K);

/// Fills `prefix`, whose arrays have at least correlation_prefix_capacity(rho, K) entries.
template <class T>
void fill_correlation_prefix(double rho, std::size_t K, CorrelationPrefix<T>& prefix)
{
    CorrelationStep step;
    double d_log_det = 0;
    for (std::size_t j = 0;; ++j) {
        const double t = std::sqrt(1 - step.p), inverse = 1 / t;
        const double s = rho * inverse, t_dot = -0.5 * step.p_dot * inverse, s_dot = inverse - s * t_dot * inverse;
        prefix.t[j]     = static_cast<T>(t);
        prefix.s[j]     = static_cast<T>(s);
        prefix.t_dot[j] = static_cast<T>(t_dot);
        prefix.s_dot[j] = static_cast<T>(s_dot);
        d_log_det -= step.p_dot * inverse * inverse;
        const CorrelationStep following = step.next(rho);
        if (j + 1 == K || step.is_settled<T>(following)) {
            prefix.length    = j + 1;
            prefix.d_log_det = d_log_det - static_cast<double>(K - j - 1) * step.p_dot * inverse * inverse;
            return;
        }
        step = following;
    }
}

/// ln D_K, the log determinant of the K × K correlation matrix: Σ ln(1 - r_{i-1}²).
double log_det_correlation(double rho, std::size_t K);

/// r_0², r_1², …, r_{K-1}².
std::vector<double> squared_correlations(double rho, std::size_t K);

}   // namespace credence
