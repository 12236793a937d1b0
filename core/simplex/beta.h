// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The Beta distribution of one class probability under a Dirichlet. Shapes a, b from 1e-6 to
/// 1e300; for the method and precision with large shapes, see
/// large_beta below.

namespace credence {

struct Beta {
    double a = 1, b = 1;
    bool operator==(const Beta&) const = default;
};

/// ln B(a, b) = lnΓ(a) + lnΓ(b) − lnΓ(a + b), without cancellation for large shapes.
double log_beta_function(double a, double b);
/// ln of the density at x in (0, 1).
/// @throws Error for x outside [0, 1] or shapes that are not positive
double log_pdf(const Beta& distribution, double x);
/// I_x(a, b) = P(X <= x), and P(X > x): both, so that neither tail loses precision.
double cdf(const Beta& distribution, double x);
double cdf_complement(const Beta& distribution, double x);

/// ln P(X <= σ(t)) and ln P(X > σ(t)), finite for every finite t, even if the tail underflows.
double log_cdf_of_logit(const Beta& distribution, double t);
double log_cdf_complement_of_logit(const Beta& distribution, double t);

/// A point in (0, 1), measured from both ends: for small shapes, x can be below 1e-300 or 1 − x
/// below 1e-17.
struct UnitPlace {
    double value      = 0;   ///< x; 0 if it underflows
    double complement = 1;   ///< 1 − x, to full relative precision
    double logit      = 0;   ///< ln(x/(1 − x)), finite even where x or 1 − x underflows

    bool operator<(const UnitPlace& other) const { return logit < other.logit; }
};
/// x with P(X <= x) = p. @param p in (0, 1); @throws Error otherwise
UnitPlace quantile(const Beta& distribution, double p);
/// x with P(X > x) = p.
UnitPlace upper_quantile(const Beta& distribution, double p);

/// Returns quantile(f, share) < upper_quantile(g, share) at a tenth of the cost:
/// any point between the two quantiles decides the order, and Newton steps usually find such a
/// point quickly.
bool lower_quantile_is_below_upper(const Beta& f, const Beta& g, double share);

/// Overlap coefficient ∫ min(f, g) dx = 1 − total variation, in [0, 1]: between the (at most two)
/// points where the densities cross, one density is the smaller throughout, so the coefficient
/// follows exactly from differences of distribution functions.
double overlap(const Beta& f, const Beta& g);

}   // namespace credence

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
