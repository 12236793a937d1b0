// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/beta.h"

/// Beta distributions with shapes up to 1e300, for which the continued fraction of I_x(a, b) takes
/// milliseconds or more.
///
/// Both shapes large: the density of the logit t, from its mode u = t − ln(a/b), is e^(−g(u))/N
/// with
///
///     g(u) = a ln(x0 + y0 e^−u) + b ln(y0 + x0 e^u) >= 0,   x0 = a/(a + b),  y0 = b/(a + b)
///     N    = √(2π/w) exp(ρ(a) + ρ(b) − ρ(a + b)),           w = ab/(a + b)
///
/// with ρ(x) ≈ 1/(12x), Stirling's remainder: a normal density of variance 1/w, with its skewness
/// of order 1/√w in g. A tail is a Gauss quadrature (30 nodes) of e^−g over the range where it is
/// more than e^−40 of its largest value; g is computed without cancellation for any w. Relative
/// error of a tail e^−g below 1e-12 (1 + g), in addition to the effect of one rounding of t itself:
/// √w t 2^−53 standard deviations, about 1e-16 √w, so quantiles use u and not t.
///
/// One large: −(b + (a − 1)/2) ln(1 − X) has a Gamma(a) distribution up to a relative error a³/(24
/// b²); 5e-14 at a = 1e4, b = 1e12.
namespace credence::large_beta {

inline constexpr double both_from       = 1e4;    ///< both shapes from here on: by quadrature
inline constexpr double larger_one_from = 1e12;   ///< the smaller one below `both_from`: by the Gamma distribution

inline bool both_large(const Beta& shapes) { return shapes.a >= both_from && shapes.b >= both_from; }
inline bool one_large(const Beta& shapes)
{
    return !both_large(shapes) && (shapes.a >= larger_one_from || shapes.b >= larger_one_from);
}

/// Returns ln(a/b), the mode of the logit's density.
double mode(const Beta& shapes);
/// Returns the logit of x, from the mode.
double from_mode(const Beta& shapes, double x);

/// Returns ln of the density of the logit at u from its mode, for shapes of any size.
double log_density(const Beta& shapes, double u);

/// Returns ln P(T <= u) at u <= 0 from the mode: for shapes >= both_from, or where the tail is
/// below 1e-290.
double log_tail_below_mode(const Beta& shapes, double u);
/// Returns ln P(T <= u), for both_large.
double log_lower_tail(const Beta& shapes, double u);

/// Returns the logit from the mode where ln P(T <= u) is log_p and ln P(T > u) is log_q, for
/// both_large.
double quantile(const Beta& shapes, double log_p, double log_q);

/// P(X <= σ(t)) and P(X > σ(t)), for one_large.
struct Tails {
    double lower, upper;
};
Tails gamma_tails(const Beta& shapes, double t);

}   // namespace credence::large_beta
