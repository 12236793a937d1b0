// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/large_beta.h"

#include "foundation/elementary.h"
#include "simplex/gamma_functions.h"

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

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
