// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/difference_of_means.h"

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/tools/roots.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace credence {
namespace {

constexpr double level = 0.05, power = 0.8;

struct Group {
    std::size_t n = 0;
    double mean = 0, variance = 0;   ///< divisor n − 1; 0 for one value

    double size() const { return static_cast<double>(n); }
};

Group group_of(std::span<const double> values)
{
    Group out;
    for (const double value : values)
        if (std::isfinite(value)) {
            ++out.n;
            out.mean += value;
        }
    out.mean /= out.n > 0 ? out.size() : 1;
    if (out.n < 2)
        return out;
    for (const double value : values)
        if (std::isfinite(value))
            out.variance += (value - out.mean) * (value - out.mean) / (out.size() - 1);
    return out;
}

double critical_value(double nu) { return boost::math::quantile(boost::math::students_t(nu), 1 - level / 2); }

/// The noncentrality at which |T| exceeds its critical value with a probability of `power`.
double detectable_noncentrality(double nu)
{
    const double critical = critical_value(nu);
    const auto missed     = [&](double delta) {
        if (delta == 0)
            return 1 - level - (1 - power);
        const boost::math::non_central_t distribution(nu, delta);
        return boost::math::cdf(distribution, critical) - boost::math::cdf(distribution, -critical) - (1 - power);
    };
    std::uintmax_t steps   = 60;
    const auto [low, high] = boost::math::tools::toms748_solve(missed, 0.0, 2 * critical + 5,
                                                               boost::math::tools::eps_tolerance<double>(40), steps);
    return (low + high) / 2;
}

void judge(MeanDifference& out, double e, double nu)
{
    out.standard_error        = e;
    out.degrees_of_freedom    = nu;
    constexpr double rounding = 1e-12;
    if (!(e > rounding * std::fabs(*out.mean)))   // all equal up to rounding
        return;
    const boost::math::students_t distribution(nu);
    const double t       = *out.mean / e;
    out.probability_less = boost::math::cdf(distribution, -t);
    out.p_value          = std::min(1.0, 2 * boost::math::cdf(distribution, -std::fabs(t)));
    out.half_width       = critical_value(nu) * e;
}

}   // namespace

std::optional<double> MeanDifference::detectable() const
{
    if (!half_width)
        return {};
    return detectable_noncentrality(*degrees_of_freedom) * *standard_error;
}

MeanDifference paired_difference(std::span<const double> a, std::span<const double> b)
{
    std::vector<double> differences;
    for (std::size_t s = 0; s < std::min(a.size(), b.size()); ++s)
        differences.push_back(a[s] - b[s]);
    const Group d = group_of(differences);
    MeanDifference out{.n_a = d.n, .n_b = d.n, .paired = true};
    if (d.n > 0)
        out.mean = d.mean;
    if (d.n > 1)
        judge(out, std::sqrt(d.variance / d.size()), d.size() - 1);
    return out;
}

MeanDifference unpaired_difference(std::span<const double> a, std::span<const double> b)
{
    const Group of_a = group_of(a), of_b = group_of(b);
    MeanDifference out{.n_a = of_a.n, .n_b = of_b.n};
    if (of_a.n == 0 || of_b.n == 0)
        return out;
    out.mean = of_a.mean - of_b.mean;
    if (of_a.n == 1 || of_b.n == 1) {
        const Group& more = of_a.n > 1 ? of_a : of_b;
        if (more.n > 1)
            judge(out, std::sqrt(more.variance * (1 + 1 / more.size())), more.size() - 1);
        return out;
    }
    const double va = of_a.variance / of_a.size(), vb = of_b.variance / of_b.size();
    const double nu = va + vb > 0 ? (va + vb) * (va + vb) / (va * va / (of_a.size() - 1) + vb * vb / (of_b.size() - 1))
                                  : of_a.size() + of_b.size() - 2;
    judge(out, std::sqrt(va + vb), nu);
    return out;
}

std::vector<std::optional<double>> holm_adjusted(std::span<const std::optional<double>> p_values)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < p_values.size(); ++i)
        if (p_values[i])
            order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return *p_values[i]; });
    std::vector<std::optional<double>> adjusted(p_values.size());
    double largest = 0;
    for (std::size_t j = 0; j < order.size(); ++j) {
        largest = std::max(largest, std::min(1.0, static_cast<double>(order.size() - j) * *p_values[order[j]]));
        adjusted[order[j]] = largest;
    }
    return adjusted;
}

}   // namespace credence
