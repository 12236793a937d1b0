// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/ternary_grid.h"

#include "foundation/elementary.h"
#include "foundation/error.h"
#include "foundation/function_ref.h"
#include "foundation/parallel.h"

#include <boost/math/quadrature/gauss_kronrod.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace credence {

/// Returns ln ∫ exp(log_f(t)) dt over [from, to], with possibly infinite ends; −∞ if f is 0
/// throughout. Integrals are added in logarithms, so that neither 1e-300 nor e^−1e8 underflows:
/// adaptive Gauss–Kronrod (15, 31) halves the interval with the largest error until the remaining
/// error is 1e-11 of the total. For functions with one peak, of any sharpness, that decay at an
/// infinite end.
double log_integral(function_ref<double(double)> log_f, double from, double to);

namespace {

using Kronrod                    = boost::math::quadrature::gauss_kronrod<double, 31>;
using Gauss                      = boost::math::quadrature::gauss<double, 15>;
constexpr double precision       = 1e-11;   // of the Gauss rule; the Kronrod rule is far better
constexpr double rounding_below  = 1e-8;    // relative to the total; larger errors do not count as rounding
constexpr std::size_t most_parts = 400;

struct Subinterval {
    double from, to;
    double log_value = -INFINITY, log_error = -INFINITY;

    bool operator<(const Subinterval& other) const { return log_error < other.log_error; }
};

Subinterval measured(function_ref<double(double)> log_f, double from, double to)
{
    const auto& nodes   = Kronrod::abscissa();   // 0 first; even indices are nodes of the Gauss rule
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    std::array<std::array<double, 2>, 16> values{};
    double top = -INFINITY;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        values[i] = {log_f(middle - half * nodes[i]), i == 0 ? -INFINITY : log_f(middle + half * nodes[i])};
        top       = std::max({top, values[i][0], values[i][1]});
    }
    Subinterval part{from, to};
    if (std::isinf(top))
        return part;
    double kronrod = 0, gauss = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const double both = std::exp(values[i][0] - top) + std::exp(values[i][1] - top);
        kronrod += Kronrod::weights()[i] * both;
        if (i % 2 == 0)
            gauss += Gauss::weights()[i / 2] * both;
    }
    part.log_value = std::log(kronrod * half) + top;
    part.log_error = std::log(std::fabs(kronrod - gauss) * half) + top;
    return part;
}

double log_sum(const std::vector<Subinterval>& parts, double Subinterval::*number)
{
    double sum = -INFINITY;
    for (const Subinterval& part : parts)
        sum = log_add_exp(sum, part.*number);
    return sum;
}

double log_integral_of_finite(function_ref<double(double)> log_f, double from, double to)
{
    std::vector<Subinterval> parts;   // a heap, the largest error first
    const auto add = [&](const Subinterval& part) {
        parts.push_back(part);
        std::push_heap(parts.begin(), parts.end());
    };
    // Narrow intervals at both ends, so that even a very thin boundary layer is sampled
    double before    = from;
    const auto up_to = [&](double end) {
        if (before < end)
            add(measured(log_f, before, end));
        before = std::max(before, end);
    };
    for (const double share : {1e-8, 1e-6, 1e-4, 1e-2, 0.5})
        up_to(from + share * (to - from));
    for (const double share : {1e-2, 1e-4, 1e-6, 1e-8, 0.0})
        up_to(to - share * (to - from));
    while (parts.size() < most_parts) {
        const double whole = log_sum(parts, &Subinterval::log_value);
        if (std::isinf(whole) || log_sum(parts, &Subinterval::log_error) <= whole + std::log(precision))
            break;
        std::pop_heap(parts.begin(), parts.end());
        const Subinterval worst = parts.back();
        const double middle     = 0.5 * (worst.from + worst.to);
        if (!(worst.from < middle && middle < worst.to))
            break;
        parts.pop_back();
        Subinterval left = measured(log_f, worst.from, middle), right = measured(log_f, middle, worst.to);
        // For a smooth function, half an interval has far less than half the error; a remaining
        // error is rounding, which division cannot reduce
        if (worst.log_error < whole + std::log(rounding_below)
            && log_add_exp(left.log_error, right.log_error) > worst.log_error - std::log(2))
            left.log_error = right.log_error = -INFINITY;
        add(left);
        add(right);
    }
    std::sort(parts.begin(), parts.end(), [](const Subinterval& a, const Subinterval& b) { return a.from < b.from; });
    return log_sum(parts, &Subinterval::log_value);
}

}   // namespace

double log_integral(function_ref<double(double)> log_f, double from, double to)
{
    if (!(from < to))
        return -INFINITY;
    if (std::isinf(from) && std::isinf(to))
        return log_add_exp(log_integral(log_f, from, 0), log_integral(log_f, 0, to));
    // t = end ∓ x/(1 − x), dt = dx/(1 − x)²
    const auto far = [&](double end, double sign) {
        return log_integral_of_finite([&](double x) { return log_f(end + sign * x / (1 - x)) - 2 * std::log1p(-x); }, 0,
                                      1);
    };
    if (std::isinf(from))
        return far(to, -1);
    if (std::isinf(to))
        return far(from, 1);
    return log_integral_of_finite(log_f, from, to);
}

namespace {

/// One cell, or part of one: π_1 in [a, b], π_2 in [c, d].
struct Cell {
    double a, b, c, d;

    /// Given s = π_2/(1 − π_1): the interval of π_1, empty if low >= high.
    std::array<double, 2> interval(double s) const
    {
        return {std::max(a, 1 - d / s), c > 0 ? std::min(b, 1 - c / s) : b};
    }
    /// Points in (0, 1) at which the form of the interval changes, with 0 and 1 at the ends.
    std::vector<double> turns() const
    {
        std::vector<double> s{0, 1};
        for (const double top : {c, d})
            for (const double left : {a, b})
                if (const double at = top / (1 - left); left < 1 && at > 1e-12 && at < 1 - 1e-12)
                    s.push_back(at);
        std::sort(s.begin(), s.end());
        return s;
    }
};

double logit(double x) { return std::log(x) - std::log1p(-x); }

/// ln (e^a − e^b), a >= b.
double log_sub_exp(double a, double b)
{
    const double d = a - b;
    return !(d > 0) ? -INFINITY : a + (d < std::numbers::ln2 ? std::log(-std::expm1(-d)) : std::log1p(-std::exp(-d)));
}

double log_normal_cdf(double z)
{
    if (z > -30)
        return std::log(0.5 * std::erfc(-z / std::numbers::sqrt2));
    // Φ(z) = φ(z)/|z| (1 − 1/z² + 1·3/z⁴ − 1·3·5/z⁶ …): Abramowitz and Stegun 1964, (26.2.12)
    const double w      = 1 / (z * z);
    const double series = -w * (1 - 3 * w * (1 - 5 * w * (1 - 7 * w * (1 - 9 * w))));
    return -0.5 * z * z - std::log(-z) - 0.5 * std::log(2 * std::numbers::pi) + std::log1p(series);
}

/// t = ln(π_2/π_3) is Gaussian, and so is y = ln(π_1/π_3) given t; logit π_1 = y − softplus(t).
class GaussianFan {
public:
    explicit GaussianFan(const LogisticNormal& distribution)
        : m_y_(distribution.alr_mean()[0]), m_t_(distribution.alr_mean()[1]),
          sd_t_(std::sqrt(distribution.alr_covariance()[3])),
          slope_(distribution.alr_covariance()[1] / distribution.alr_covariance()[3]),
          sd_y_(std::sqrt(distribution.alr_covariance()[0] - distribution.alr_covariance()[1] * slope_))
    {}
    double log_density(double t) const
    {
        const double u = (t - m_t_) / sd_t_;
        return -0.5 * u * u - std::log(sd_t_ * std::sqrt(2 * std::numbers::pi));
    }
    /// ln P(logit π_1 <= l | t) and ln P(logit π_1 > l | t).
    double log_below(double l, double t) const { return log_normal_cdf(standard(l, t)); }
    double log_above(double l, double t) const { return log_normal_cdf(-standard(l, t)); }
    double middle() const { return m_t_; }   ///< median of t
    double middle_of_first(double t) const
    {
        return m_y_ + slope_ * (t - m_t_) - softplus(t);
    }   ///< of logit π_1 given t

private:
    double standard(double l, double t) const { return (l - middle_of_first(t)) / sd_y_; }

    double m_y_, m_t_, sd_t_, slope_, sd_y_;
};

/// σ(t) = π_2/(1 − π_1) ~ Beta(α_2, α_3) and π_1 ~ Beta(α_1, α_2 + α_3) are independent.
class DirichletFan {
public:
    explicit DirichletFan(const Dirichlet& distribution)
        : of_s_{distribution.alpha()[1], distribution.alpha()[2]}, of_first_(distribution.marginal(0)),
          log_B_(log_beta_function(of_s_.a, of_s_.b))
    {}
    double log_density(double t) const { return -of_s_.a * softplus(-t) - of_s_.b * softplus(t) - log_B_; }
    double log_below(double l, double) const { return log_cdf_of_logit(of_first_, l); }
    double log_above(double l, double) const { return log_cdf_complement_of_logit(of_first_, l); }
    double middle() const { return std::log(of_s_.a / of_s_.b); }
    double middle_of_first(double) const { return std::log(of_first_.a / of_first_.b); }

private:
    Beta of_s_, of_first_;
    double log_B_;
};

/// ln P(low < logit π_1 <= high | t), from the small tails, without cancellation.
template <class Fan>
double log_between(const Fan& fan, double low, double high, double t)
{
    const double middle = fan.middle_of_first(t);
    if (high <= middle)
        return log_sub_exp(fan.log_below(high, t), fan.log_below(low, t));
    if (low >= middle)
        return log_sub_exp(fan.log_above(low, t), fan.log_above(high, t));
    return std::log1p(-std::exp(fan.log_below(low, t)) - std::exp(fan.log_above(high, t)));
}

template <class Fan>
double log_cell_probability(const Fan& fan, const Cell& cell)
{
    const auto log_f = [&](double t) {
        const auto [low, high] = cell.interval(sigmoid(t));
        return low < high ? fan.log_density(t) + log_between(fan, logit(low), logit(high), t) : -INFINITY;
    };
    const auto turns = cell.turns();
    double sum       = -INFINITY;
    for (std::size_t i = 0; i + 1 < turns.size(); ++i) {
        const auto within = cell.interval(0.5 * (turns[i] + turns[i + 1]));
        if (!(within[0] < within[1]))
            continue;
        const double from = logit(turns[i]), to = logit(turns[i + 1]), middle = std::clamp(fan.middle(), from, to);
        sum = log_add_exp(sum, log_add_exp(log_integral(log_f, from, middle), log_integral(log_f, middle, to)));
    }
    return sum;
}

GaussianFan fan_of(const LogisticNormal& distribution) { return GaussianFan(distribution); }
DirichletFan fan_of(const Dirichlet& distribution) { return DirichletFan(distribution); }

template <class Distribution>
std::vector<double> log_probabilities_of(const Distribution& distribution, int B)
{
    if (distribution.n_classes() != 3 || B < 1)
        throw Error("Cells of the triangle: a distribution over " + std::to_string(distribution.n_classes())
                    + " classes and " + std::to_string(B)
                    + " cells per side found, expected 3 classes and at least one cell.");
    std::vector<Cell> cells;
    for (int i = 0; i < B; ++i)
        for (int j = 0; i + j < B; ++j)
            cells.push_back({static_cast<double>(i) / B, static_cast<double>(i + 1) / B, static_cast<double>(j) / B,
                             static_cast<double>(j + 1) / B});
    const auto fan = fan_of(distribution);
    std::vector<double> log_p(cells.size());
    parallel_for(cells.size(), [&](std::size_t b) { log_p[b] = log_cell_probability(fan, cells[b]); });
    return log_p;
}

std::vector<double> exponentials(std::vector<double> logs)
{
    for (double& v : logs)
        v = std::exp(v);
    return logs;
}

void require_same_cells(std::span<const double> p, std::span<const double> q)
{
    if (p.size() != q.size())
        throw Error("KL of cells: " + std::to_string(p.size()) + " and " + std::to_string(q.size())
                    + " cells found, expected the same number.");
}

}   // namespace

int n_square_cells(int B) { return B * (B + 1) / 2; }

std::vector<double> log_cell_probabilities(const LogisticNormal& distribution, int B)
{
    return log_probabilities_of(distribution, B);
}
std::vector<double> log_cell_probabilities(const Dirichlet& distribution, int B)
{
    return log_probabilities_of(distribution, B);
}
std::vector<double> cell_probabilities(const LogisticNormal& distribution, int B)
{
    return exponentials(log_probabilities_of(distribution, B));
}
std::vector<double> cell_probabilities(const Dirichlet& distribution, int B)
{
    return exponentials(log_probabilities_of(distribution, B));
}

std::vector<long> cell_counts(std::span<const double> probabilities, int B)
{
    std::vector<long> counts(static_cast<std::size_t>(n_square_cells(B)), 0);
    for (std::size_t s = 0; s + 2 < probabilities.size(); s += 3) {
        const int i = std::clamp(static_cast<int>(probabilities[s] * B), 0, B - 1);
        const int j = std::clamp(static_cast<int>(probabilities[s + 1] * B), 0, B - 1 - i);
        ++counts[static_cast<std::size_t>(i * B - i * (i - 1) / 2 + j)];
    }
    return counts;
}

std::vector<double> histogram_probabilities(std::span<const long> counts)
{
    const double total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), 0L))
                         + 0.5 * static_cast<double>(counts.size());
    std::vector<double> q;
    for (const long n : counts)
        q.push_back((static_cast<double>(n) + 0.5) / total);
    return q;
}

double kl_of_cells(std::span<const double> p, std::span<const double> q)
{
    require_same_cells(p, q);
    double sum = 0;
    for (std::size_t b = 0; b < p.size(); ++b)
        if (p[b] > 0)
            sum += p[b] * std::log(p[b] / q[b]);
    return sum;
}

double kl_of_log_cells(std::span<const double> log_p, std::span<const double> log_q)
{
    require_same_cells(log_p, log_q);
    double sum = 0;
    for (std::size_t b = 0; b < log_p.size(); ++b)
        if (const double p = std::exp(log_p[b]); p > 0)
            sum += p * (log_p[b] - log_q[b]);
    return sum;
}

}   // namespace credence
