// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The Beta distribution of one class probability under a Dirichlet. Shapes a, b from 1e-6 to
/// 1e300; for the method and precision with large shapes, see large_beta.h.
namespace credence {

struct Beta {
    double a = 1, b = 1;
    bool operator==(const Beta&) const = default;
};

/// ln B(a, b) = lnΓ(a) + lnΓ(b) − lnΓ(a + b), without cancellation for large shapes.
double log_beta_function(double a, double b);
/// ln of the density at x in (0, 1).
/// @throws Error for x outside [0, 1] or shapes that are not positive
double log_pdf(const Beta& law, double x);
/// I_x(a, b) = P(X <= x), and P(X > x): both, so that neither tail loses precision.
double cdf(const Beta& law, double x);
double cdf_complement(const Beta& law, double x);

/// ln P(X <= σ(t)) and ln P(X > σ(t)), finite for every finite t, even if the tail underflows.
double log_cdf_of_logit(const Beta& law, double t);
double log_cdf_complement_of_logit(const Beta& law, double t);

/// A point in (0, 1), measured from both ends: for small shapes, x can be below 1e-300 or 1 − x
/// below 1e-17.
struct UnitPlace {
    double value      = 0;   ///< x; 0 if it underflows
    double complement = 1;   ///< 1 − x, to full relative precision
    double logit      = 0;   ///< ln(x/(1 − x)), finite even where x or 1 − x underflows

    bool operator<(const UnitPlace& other) const { return logit < other.logit; }
};
/// x with P(X <= x) = p. @param p in (0, 1); @throws Error otherwise
UnitPlace quantile(const Beta& law, double p);
/// x with P(X > x) = p.
UnitPlace upper_quantile(const Beta& law, double p);

/// Returns quantile(f, share) < upper_quantile(g, share) at a tenth of the cost:
/// any point between the two quantiles decides the order, and Newton steps usually find such a
/// point quickly.
bool lower_quantile_is_below_upper(const Beta& f, const Beta& g, double share);

/// Overlap coefficient ∫ min(f, g) dx = 1 − total variation, in [0, 1]: between the (at most two)
/// points where the densities cross, one density is the smaller throughout, so the coefficient
/// follows exactly from differences of distribution functions.
double overlap(const Beta& f, const Beta& g);

}   // namespace credence
