// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/beta.h"

#include "foundation/elementary.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "simplex/gamma_functions.h"

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace credence {

namespace {

namespace bp = boost::math::policies;
using Quiet  = bp::policy<bp::domain_error<bp::ignore_error>, bp::pole_error<bp::ignore_error>,
                         bp::overflow_error<bp::ignore_error>, bp::underflow_error<bp::ignore_error>,
                         bp::denorm_error<bp::ignore_error>, bp::evaluation_error<bp::ignore_error>>;

void require(const Beta& distribution)
{
    if (!(distribution.a > 0 && distribution.b > 0 && std::isfinite(distribution.a) && std::isfinite(distribution.b)))
        throw Error("Beta distribution: the shapes are " + plain_text(distribution.a) + " and "
                    + plain_text(distribution.b) + ", expected two positive numbers.");
}

/// ln P(X <= x) for x so small that (1 − x)^(b − 1) is 1: I_x = x^a/(a B(a, b)).
double log_cdf_near_zero(const Beta& distribution, double log_x)
{
    return distribution.a * log_x - std::log(distribution.a) - log_beta_function(distribution.a, distribution.b);
}

/// Below this ln x, (1 − x)^(b − 1) and the next term of the series are 1 to double precision.
double negligible_log_x(double b) { return -42 - std::log(std::max(1.0, b)); }

Beta mirrored(const Beta& distribution) { return {distribution.b, distribution.a}; }
UnitPlace mirrored(const UnitPlace& place) { return {place.complement, place.value, -place.logit}; }

enum class Tail { lower, upper };

double tail_from_mode(const Beta& distribution, double u, Tail which)
{
    return std::exp(which == Tail::lower ? large_beta::log_lower_tail(distribution, u)
                                         : large_beta::log_lower_tail(mirrored(distribution), -u));
}
double tail_by_gamma(const Beta& distribution, double t, Tail which)
{
    const auto [lower, upper] = large_beta::gamma_tails(distribution, t);
    return which == Tail::lower ? lower : upper;
}

/// P(X <= σ(t)) or P(X > σ(t)).
double tail_at_logit(const Beta& distribution, double t, Tail which)
{
    if (large_beta::both_large(distribution))
        return tail_from_mode(distribution, t - large_beta::mode(distribution), which);
    if (large_beta::one_large(distribution))
        return tail_by_gamma(distribution, t, which);
    if (t > 0)
        return tail_at_logit(mirrored(distribution), -t, which == Tail::lower ? Tail::upper : Tail::lower);
    const double log_x = -softplus(-t);
    if (log_x < negligible_log_x(distribution.b)) {
        const double log_p = log_cdf_near_zero(distribution, log_x);
        return which == Tail::lower ? std::exp(log_p) : -std::expm1(log_p);
    }
    const double x = std::exp(log_x);
    return which == Tail::lower ? boost::math::ibeta(distribution.a, distribution.b, x, Quiet{})
                                : boost::math::ibetac(distribution.a, distribution.b, x, Quiet{});
}

struct Tails {
    double lower, upper;
};
Tails tails_at_logit(const Beta& distribution, double t)
{
    return {tail_at_logit(distribution, t, Tail::lower), tail_at_logit(distribution, t, Tail::upper)};
}

/// P(X <= x) or P(X > x).
double tail_at(const Beta& distribution, double x, Tail which)
{
    if (x <= 0 || x >= 1)
        return (x <= 0) == (which == Tail::lower) ? 0 : 1;
    if (large_beta::both_large(distribution))
        return tail_from_mode(distribution, large_beta::from_mode(distribution, x), which);
    if (large_beta::one_large(distribution))
        return tail_by_gamma(distribution, std::log(x) - std::log1p(-x), which);
    return which == Tail::lower ? boost::math::ibeta(distribution.a, distribution.b, x, Quiet{})
                                : boost::math::ibetac(distribution.a, distribution.b, x, Quiet{});
}

double log_density_of_logit(const Beta& distribution, double t)
{
    return -distribution.a * softplus(-t) - distribution.b * softplus(t)
           - log_beta_function(distribution.a, distribution.b);
}

/// The logit where the lower tail is p and the upper tail q = 1 − p: Newton steps on the logarithm
/// of the smaller tail, within a bracket. The density of the logit is log-concave, so both log
/// tails are concave and the steps always converge.
double quantile_logit(const Beta& distribution, double p, double q)
{
    const bool lower   = p <= q;
    const double log_p = std::log(p), log_q = std::log(q);
    const double near_zero = (log_p + std::log(distribution.a) + log_beta_function(distribution.a, distribution.b))
                             / distribution.a;   // ln x for tiny x
    if (near_zero < negligible_log_x(distribution.b))
        return near_zero;   // ln(x/(1 − x)) = ln x
    const double near_one = (log_q + std::log(distribution.b) + log_beta_function(distribution.a, distribution.b))
                            / distribution.b;
    if (near_one < negligible_log_x(distribution.a))
        return -near_one;
    double t     = std::log(distribution.a / distribution.b);   // the mode of the logit's density
    double below = negligible_log_x(distribution.b) - 1, above = -negligible_log_x(distribution.a) + 1;
    t = std::clamp(t, below, above);
    for (int step = 0; step < 200; ++step) {
        const double tail                     = tail_at_logit(distribution, t, lower ? Tail::lower : Tail::upper);
        const double goal                     = lower ? log_p : log_q;
        const double miss                     = std::log(tail) - goal;
        ((miss < 0) == lower ? below : above) = t;
        const double slope = std::exp(log_density_of_logit(distribution, t) - std::log(tail)) * (lower ? 1 : -1);
        const double next  = t - miss / slope;
        if (std::fabs(miss) < 1e-8)   // the error after the step is of order miss²
            return next;
        t = next > below && next < above ? next : 0.5 * (below + above);
    }
    return t;
}

UnitPlace place_of_logit(double t) { return {std::exp(-softplus(-t)), std::exp(-softplus(t)), t}; }

UnitPlace quantile_of(const Beta& distribution, double p, double q)
{
    require(distribution);
    if (!(p > 0 && q > 0))
        throw Error("Beta quantile: the share is " + plain_text(p) + ", expected a number between 0 and 1.");
    if (large_beta::both_large(distribution)) {
        const double u = large_beta::quantile(distribution, std::log(p), std::log(q));
        return {1 / (1 + distribution.b / distribution.a * std::exp(-u)),
                1 / (1 + distribution.a / distribution.b * std::exp(u)), large_beta::mode(distribution) + u};
    }
    return place_of_logit(quantile_logit(distribution, p, q));
}

}   // namespace

double log_beta_function(double a, double b)
{
    if (a < b)
        std::swap(a, b);
    // ½ ln 2π + (a − ½) ln(a/(a+b)) + (b − ½) ln(b/(a+b)) − ½ ln(a+b) + remainders, with a the
    // larger shape
    return 0.5 * std::log(2 * std::numbers::pi) - (a - 0.5) * std::log1p(b / a) + (b - 0.5) * std::log(b / (a + b))
           - 0.5 * std::log(a + b) + gamma::stirling_remainder(a) + gamma::stirling_remainder(b)
           - gamma::stirling_remainder(a + b);
}

double log_pdf(const Beta& distribution, double x)
{
    require(distribution);
    if (!(x >= 0 && x <= 1))
        throw Error("Beta density: the probability is " + plain_text(x) + ", expected a number from 0 to 1.");
    if (large_beta::both_large(distribution) && x > 0 && x < 1)
        return large_beta::log_density(distribution, large_beta::from_mode(distribution, x)) - std::log(x)
               - std::log1p(-x);
    const double left  = distribution.a == 1 ? 0 : (distribution.a - 1) * std::log(x),
                 right = distribution.b == 1 ? 0 : (distribution.b - 1) * std::log1p(-x);
    return left + right - log_beta_function(distribution.a, distribution.b);
}

double cdf(const Beta& distribution, double x)
{
    require(distribution);
    return tail_at(distribution, x, Tail::lower);
}

double cdf_complement(const Beta& distribution, double x)
{
    require(distribution);
    return tail_at(distribution, x, Tail::upper);
}

double log_cdf_of_logit(const Beta& distribution, double t)
{
    require(distribution);
    if (std::isinf(t))
        return t > 0 ? 0 : -INFINITY;
    if (large_beta::both_large(distribution))
        return large_beta::log_lower_tail(distribution, t - large_beta::mode(distribution));
    if (const double log_x = -softplus(-t); log_x < negligible_log_x(distribution.b))
        return log_cdf_near_zero(distribution, log_x);
    const double lower = tail_at_logit(distribution, t, Tail::lower);
    if (lower < 1e-290)
        return large_beta::log_tail_below_mode(distribution, t - large_beta::mode(distribution));
    return lower < 0.9 ? std::log(lower) : std::log1p(-tail_at_logit(distribution, t, Tail::upper));
}

double log_cdf_complement_of_logit(const Beta& distribution, double t)
{
    return log_cdf_of_logit(mirrored(distribution), -t);
}

UnitPlace quantile(const Beta& distribution, double p) { return quantile_of(distribution, p, 1 - p); }
UnitPlace upper_quantile(const Beta& distribution, double p)
{
    return mirrored(quantile_of(mirrored(distribution), p, 1 - p));
}

bool lower_quantile_is_below_upper(const Beta& f, const Beta& g, double share)
{
    require(f);
    require(g);
    const auto logit_of_mean = [](const Beta& distribution) { return std::log(distribution.a / distribution.b); };
    const double log_share   = std::log(share);
    double t = 0.5 * (logit_of_mean(f) + logit_of_mean(g)), below = -1e12, above = 1e12;
    for (int step = 0; step < 60; ++step) {
        // f's quantile is left of t if its lower tail at t exceeds the share; g's is right of t if
        // its upper tail does
        const double log_f = std::log(tail_at_logit(f, t, Tail::lower)),
                     log_g = std::log(tail_at_logit(g, t, Tail::upper));
        const double of_f = log_f - log_share, of_g = log_g - log_share;
        if (!(std::fabs(of_f) > 1e-6 && std::fabs(of_g) > 1e-6))
            break;   // too close to decide from the tails
        if ((of_f > 0) == (of_g > 0))
            return of_f > 0;
        (of_f > 0 ? above : below) = t;   // both quantiles are on this side
        const double next_f        = t - of_f / std::exp(log_density_of_logit(f, t) - log_f),
                     next_g        = t + of_g / std::exp(log_density_of_logit(g, t) - log_g);
        const double next          = 0.5 * (next_f + next_g);
        if (!std::isfinite(next))
            break;
        t = next > below && next < above ? next : 0.5 * (below + above);
    }
    return quantile(f, share) < upper_quantile(g, share);
}

double overlap(const Beta& f, const Beta& g)
{
    require(f);
    require(g);
    if (f == g)
        return 1;
    // ln f/g at the logit t: (a − a') ln σ(t) + (b − b') ln σ(−t) + constant; its only turning
    // point is where σ = da/(da + db).
    const double da = f.a - g.a, db = f.b - g.b;
    const double constant = log_beta_function(g.a, g.b) - log_beta_function(f.a, f.b);
    const bool large      = large_beta::both_large(f) && large_beta::both_large(g);
    const auto ratio      = [&](double t) {
        return large ? large_beta::log_density(f, t - large_beta::mode(f))
                           - large_beta::log_density(g, t - large_beta::mode(g))
                          : -da * softplus(-t) - db * softplus(t) + constant;
    };
    constexpr double far = 1e12;
    std::vector<double> borders{-far};
    if (da * db > 0)
        borders.push_back(std::log(da / db));
    borders.push_back(far);
    std::vector<double> crossings;
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
        double low = borders[i], high = borders[i + 1];
        if ((ratio(low) < 0) == (ratio(high) < 0))
            continue;
        const bool rises = ratio(low) < 0;
        for (int step = 0; step < 120 && high - low > 1e-14 * std::max(1.0, std::fabs(low)); ++step) {
            const double middle                         = 0.5 * (low + high);
            ((ratio(middle) < 0) == rises ? low : high) = middle;
        }
        crossings.push_back(0.5 * (low + high));
    }
    const auto tails = [](const Beta& distribution, double t) { return tails_at_logit(distribution, t); };
    if (crossings.empty())
        return 1;
    const Tails f1 = tails(f, crossings.front()), g1 = tails(g, crossings.front());
    const Tails f2 = tails(f, crossings.back()), g2 = tails(g, crossings.back());
    double sum = std::min(f1.lower, g1.lower) + std::min(f2.upper, g2.upper);
    if (crossings.size() == 2)
        sum += std::max(0.0, std::min(f2.lower - f1.lower, g2.lower - g1.lower));
    return std::clamp(sum, 0.0, 1.0);
}

}   // namespace credence

namespace credence::large_beta {
namespace {

namespace bp = boost::math::policies;
using Quiet  = bp::policy<bp::domain_error<bp::ignore_error>, bp::pole_error<bp::ignore_error>,
                         bp::overflow_error<bp::ignore_error>, bp::underflow_error<bp::ignore_error>,
                         bp::denorm_error<bp::ignore_error>, bp::evaluation_error<bp::ignore_error>>;

Beta mirrored(const Beta& shapes) { return {shapes.b, shapes.a}; }

/// The density of −u, the distance below the mode.
class BelowMode {
public:
    explicit BelowMode(const Beta& shapes)
        : a_(shapes.a), b_(shapes.b), x0_(1 / (1 + b_ / a_)), y0_(1 / (1 + a_ / b_)), w_(std::max(a_ * y0_, b_ * x0_))
    {}

    double w() const { return w_; }

    /// g(−r), r >= 0. The terms linear in r, a y0 r and −b x0 r, are both w r and cancel.
    double excess(double r) const
    {
        if (r > 1) {
            const double log_rest = std::log(y0_ + x0_ * std::exp(-r));
            return a_ * (r < 700 ? std::log1p(y0_ * std::expm1(r)) : r + log_rest)
                   + b_ * (r < 2 ? std::log1p(x0_ * std::expm1(-r)) : log_rest);
        }
        const double rise = gamma::expm1_minus(r), fall = gamma::expm1_minus(-r);   // e^±r − 1 ∓ r
        return w_ * (rise + fall) + a_ * gamma::log1p_minus(y0_ * (rise + r))
               + b_ * gamma::log1p_minus(x0_ * (fall - r));
    }
    /// dg/dr
    double slope(double r) const { return -w_ * std::expm1(-r) / (y0_ + x0_ * std::exp(-r)); }

    /// ln N
    double log_norm() const
    {
        return 0.5 * std::log(2 * std::numbers::pi / w_) + gamma::stirling_remainder(a_) + gamma::stirling_remainder(b_)
               - gamma::stirling_remainder(a_ + b_);
    }

private:
    double a_, b_, x0_, y0_, w_;
};

}   // namespace

double mode(const Beta& shapes) { return std::log(shapes.a) - std::log(shapes.b); }
double from_mode(const Beta& shapes, double x) { return std::log(x / (1 - x) / (shapes.a / shapes.b)); }

double log_density(const Beta& shapes, double u)
{
    const BelowMode density(u <= 0 ? shapes : mirrored(shapes));
    return -density.excess(std::fabs(u)) - density.log_norm();
}

double log_tail_below_mode(const Beta& shapes, double u)
{
    const BelowMode density(shapes);
    const double r = -u, nearest = density.excess(r), slope = density.slope(r);
    if (!(nearest < 1e10))   // the density decays at a constant rate to within the precision of g
        return -nearest - std::log(slope) - density.log_norm();
    double length = 80
                    / (slope
                       + std::sqrt(slope * slope
                                   + 80 * density.w()));   // g rises by 40 there if the remainder is a parabola
    while (density.excess(r + length) - nearest < 38)
        length *= 1.25;
    const double integral = boost::math::quadrature::gauss<double, 30>::integrate(
        [&](double s) { return std::exp(nearest - density.excess(r + length * s)); }, 0.0, 1.0);
    return std::log(integral * length) - nearest - density.log_norm();
}

double log_lower_tail(const Beta& shapes, double u)
{
    return u <= 0 ? log_tail_below_mode(shapes, u) : std::log1p(-std::exp(log_tail_below_mode(mirrored(shapes), -u)));
}

double quantile(const Beta& shapes, double log_p, double log_q)
{
    if (log_p > log_q)
        return -quantile(mirrored(shapes), log_q, log_p);
    // Newton steps on ln P(T <= u), which is concave: starting left of the solution they overshoot
    // at most once and then approach it monotonically.
    double u = std::min(0.0,
                        boost::math::erfc_inv(2 * std::exp(log_p), Quiet{}) * -std::sqrt(2 / BelowMode(shapes).w()));
    for (int step = 0; step < 50; ++step) {
        const double log_tail = log_lower_tail(shapes, u), miss = log_tail - log_p;
        u -= miss / std::exp(log_density(shapes, u) - log_tail);
        if (std::fabs(miss) < 1e-8)   // the error after the step is of order miss²
            break;
    }
    return u;
}

Tails gamma_tails(const Beta& shapes, double t)
{
    if (shapes.a > shapes.b) {
        const Tails other = gamma_tails(mirrored(shapes), -t);
        return {other.upper, other.lower};
    }
    const double z = (shapes.b + 0.5 * (shapes.a - 1)) * softplus(t);   // softplus(t) = −ln(1 − x)
    return {boost::math::gamma_p(shapes.a, z, Quiet{}), boost::math::gamma_q(shapes.a, z, Quiet{})};
}

}   // namespace credence::large_beta
