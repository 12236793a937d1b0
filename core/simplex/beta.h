// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The Beta distribution of one class probability under a Dirichlet. Shapes a, b from 1e-6 to 1e300; how large ones are computed, and how exactly: large_beta.h.
namespace credence {

struct Beta {
    double a = 1, b = 1;
    bool operator==(const Beta&) const = default;
};

/// ln B(a, b) = lnΓ(a) + lnΓ(b) − lnΓ(a + b), without cancellation for large shapes.
double log_beta_function(double a, double b);
/// ln of the density at x in (0, 1). @throws Error for x outside [0, 1] or shapes that are not positive
double log_pdf(const Beta& law, double x);
/// I_x(a, b) = P(X <= x), and P(X > x): both, so that neither tail is lost.
double cdf(const Beta& law, double x);
double cdf_complement(const Beta& law, double x);

/// ln P(X <= σ(t)) and ln P(X > σ(t)), finite for every finite t: where the tail itself underflows, too.
double log_cdf_of_logit(const Beta& law, double t);
double log_cdf_complement_of_logit(const Beta& law, double t);

/// A place in (0, 1) by either end: with a small shape x lies below 1e-300 and with another 1 − x below 1e-17.
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

/// Is the lower quantile of `f` at `share` below the upper one of `g`? The answer of `quantile(f, share) < upper_quantile(g, share)`, at a tenth of the price:
/// a place between the two quantiles tells which is the lower one, and Newton's steps from the tails at one place mostly name such a place.
bool lower_quantile_is_below_upper(const Beta& f, const Beta& g, double share);

/// Overlap coefficient ∫ min(f, g) dx = 1 − total variation, in [0, 1]: between the at most two places where the densities cross, one of them is the
/// smaller throughout, so that differences of distribution functions give it exactly.
double overlap(const Beta& f, const Beta& g);

}   // namespace credence
