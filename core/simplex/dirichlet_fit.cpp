// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/dirichlet_fit.h"

#include "foundation/elementary.h"
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "simplex/gamma_functions.h"
#include "simplex/laplace_bridge.h"
#include "simplex/logit_gaussian.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace credence {
namespace {

/// ψ(α_k) − ψ(α_0) = ln s_k − gap for all k, Σ s = 1, gap > 0.
Dirichlet solve(const std::vector<double>& log_s, double gap)
{
    const std::size_t K = log_s.size();
    // Start: concentration from Σ m_k (ln x − ψ)(α_k) ~ (K − 1)/(2 α_0) = gap, and α_k >= ½/(−E ln
    // π_k), from ψ(α) ~ −1/α.
    const double total = 0.5 * static_cast<double>(K - 1) / gap;
    std::vector<double> alpha(K), residual(K), weight(K);
    for (std::size_t k = 0; k < K; ++k)
        alpha[k] = std::max(total * std::exp(log_s[k]), 0.5 / (gap - log_s[k]));
    for (int step = 0; step < 500; ++step) {
        const Dirichlet distribution(alpha);
        const auto log_m = distribution.log_mean();
        const double g0  = gamma::log_minus_digamma(distribution.total());
        // H Δ = −r, H = diag ψ'(α) − ψ'(α_0) 11ᵀ: by the Sherman–Morrison formula
        double sum_rw = 0, sum_w = 0;
        for (std::size_t k = 0; k < K; ++k) {
            residual[k] = (log_m[k] - log_s[k]) - (gamma::log_minus_digamma(alpha[k]) - g0 - gap);
            weight[k]   = 1 / gamma::trigamma(alpha[k]);
            sum_w += weight[k];
            sum_rw += residual[k] * weight[k];
        }
        // 1 − ψ'(α_0) Σ 1/ψ'(α_k) is about (K − 1)/(2 α_0) for large α, where x − 1/ψ'(x) is about
        // ½
        const auto short_of = [](double x) {   // x − 1/ψ'(x)
            return x > 1e3 ? 0.5 - 1 / (12 * x) : x - 1 / gamma::trigamma(x);
        };
        double lost = -short_of(distribution.total());
        for (const double a : alpha)
            lost += short_of(a);
        const double denominator = gamma::trigamma(distribution.total()) * lost;   // = 1 − ψ'(α_0) Σ w
        const double shared      = sum_rw * gamma::trigamma(distribution.total()) / denominator;
        double largest           = 0;
        std::vector<double> change(K);
        for (std::size_t k = 0; k < K; ++k) {
            change[k] = -(residual[k] + shared) * weight[k] / alpha[k];
            largest   = std::max(largest, std::fabs(change[k]));
        }
        if (!(largest < 1e300))
            break;
        const double shorter = largest > 1.5 ? 1.5 / largest : 1;
        for (std::size_t k = 0; k < K; ++k)
            alpha[k] *= std::exp(shorter * change[k]);
        const auto [least, most] = std::minmax_element(alpha.begin(), alpha.end());
        if (!(*least > 1e-12 && *most < 1e14))
            break;
        if (largest < 1e-13)
            return Dirichlet(alpha);
        if (step > 60 && largest < 1e-9)   // limited by the precision of the given logarithms
            return Dirichlet(alpha);
    }
    throw Error("Best Dirichlet: no alpha between 1e-12 and 1e14 has these expected logarithms.");
}

}   // namespace

Dirichlet best_dirichlet(const LogitGaussian& logits, const LogitExpectations& of_logits)
{
    const double lse = log_sum_exp(logits.mu());
    std::vector<double> log_s(logits.mu());
    for (double& v : log_s)
        v -= lse;
    return solve(log_s, of_logits.jensen_gap);
}

namespace {

/// A product rule in two coordinates (one if K = 2): node (i, j) has weight first[i] second[j] and
/// log odds l = ln q/p there.
struct NodeGrid {
    std::vector<double> first, second;   ///< weights
    std::vector<double> log_odds;        ///< [first × second]

    double l(std::size_t i, std::size_t j) const { return log_odds[i * second.size() + j]; }
};

double cube(double x) { return std::fabs(x) * x * x; }

/// Correction of |l| at a node to approximate ∫|l|, where l = l + A s + B t over its cell, s, t in
/// [−1, 1]. If the zero of l passes through the cell: the mean of |l| over the cell, minus the
/// error of the trapezoidal rule itself on both sides of such an edge, (A² + B²)/24 ∫∫ 2δ(l + A s +
/// B t) ds dt.
double absolute_of_node(double l, double A, double B)
{
    A                 = std::fabs(A);
    B                 = std::fabs(B);
    const double size = std::fabs(l);
    if (size >= A + B)
        return size;
    if (B > A)
        std::swap(A, B);
    if (B < 1e-5 * A)
        return size < A ? 0.5 * (A + l * l / A) - A / 6 : size;
    const double mean = (cube(l + A + B) - cube(l + A - B) - cube(l - A + B) + cube(l - A - B)) / (24 * A * B);
    const double edge = (std::fabs(l + A + B) - std::fabs(l + A - B) - std::fabs(l - A + B) + std::fabs(l - A - B))
                        / (A * B);
    return mean - (A * A + B * B) / 24 * edge;
}

struct Overlaps {
    double mass = 0, distance = 0, affinity = 0;   ///< Σ w, E |tanh(l/2)|, E 1/cosh(l/2)
};

Overlaps overlaps(const NodeGrid& grid)
{
    const std::size_t n = grid.first.size(), m = grid.second.size();
    std::vector<Overlaps> rows(n);
    parallel_chunks(n, std::max<std::size_t>(1, 8192 / m), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            for (std::size_t j = 0; j < m; ++j) {
                const double l = grid.l(i, j), w = grid.second[j];
                const auto slope = [](double before, double after, int steps) {
                    return steps > 0 ? 0.5 * (after - before) / steps : 0;
                };
                const double a = slope(grid.l(i > 0 ? i - 1 : i, j), grid.l(i + 1 < n ? i + 1 : i, j),
                                       (i > 0) + (i + 1 < n));
                const double b = slope(grid.l(i, j > 0 ? j - 1 : j), grid.l(i, j + 1 < m ? j + 1 : j),
                                       (j > 0) + (j + 1 < m));
                const double e = std::exp(-0.5 * std::fabs(l));
                rows[i].mass += w;
                rows[i].distance += w * std::tanh(0.5 * absolute_of_node(l, a, b));
                rows[i].affinity += w * 2 * e / (1 + e * e);
            }
    });
    Overlaps sum;
    for (std::size_t i = 0; i < n; ++i) {
        sum.mass += grid.first[i] * rows[i].mass;
        sum.distance += grid.first[i] * rows[i].distance;
        sum.affinity += grid.first[i] * rows[i].affinity;
    }
    return sum;
}

/// ln q/p of both densities for y = (ln π_k/π_K): the factor Π π_k of the change of variables
/// cancels.
class LogOdds {
public:
    LogOdds(const LogisticNormal& p, const Dirichlet& q) : p_(p), alpha_(q.alpha()), log_m_(q.log_mean())
    {
        // Dirichlet of y: Σ α_k (ln π_k − ln m_k) + constant
        std::vector<double> zero(log_m_);
        constant_ = q.log_pdf_of_log(zero);
        for (const double v : log_m_)
            constant_ += v;
        const auto& C = p.alr_covariance();
        if (C.size() == 1)
            inverse_ = {1 / C[0], 0, 0};
        else {
            const double det = C[0] * (C[3] - C[1] / C[0] * C[1]);
            inverse_         = {C[3] / det, -C[1] / det, C[0] / det};
        }
        half_log_det_ = -p.log_density_of_alr(p.alr_mean());
    }
    double operator()(const double* log_pi) const
    {
        const std::size_t n = alpha_.size() - 1;
        std::array<double, 2> y{};
        double q = constant_;
        for (std::size_t k = 0; k <= n; ++k)
            q += alpha_[k] * (log_pi[k] - log_m_[k]);
        for (std::size_t k = 0; k < n; ++k)
            y[k] = log_pi[k] - log_pi[n];
        // ln N(y; Aμ, C), written out
        const double a = y[0] - p_.alr_mean()[0];
        if (n == 1)
            return q + 0.5 * (a * a * inverse_[0]) + half_log_det_;
        const double b = y[1] - p_.alr_mean()[1];
        return q + 0.5 * (a * a * inverse_[0] + 2 * a * b * inverse_[1] + b * b * inverse_[2]) + half_log_det_;
    }

private:
    const LogisticNormal& p_;
    std::vector<double> alpha_, log_m_;
    double constant_ = 0, half_log_det_ = 0;   ///< ½ ln det 2πC
    std::array<double, 3> inverse_{};          ///< C^{-1}
};

/// Nodes of p: the Gaussian's principal axes. At least 290 per axis, at most about 1100 for wide
/// distributions, whose ln q/p varies slowly on their own scale.
NodeGrid nodes_of(const LogisticNormal& p, const LogOdds& odds)
{
    const LogitAxes axes(p.logits());
    std::vector<AxisNodes> nodes;
    for (const auto& axis : axes.axes)
        nodes.push_back(
            axis_nodes(axis, std::clamp(8 / std::max(1.0, axis.range), std::min(1.0, 30 / axis.range), 8.0)));
    const bool two = nodes.size() == 2;
    NodeGrid grid{nodes.front().weight, two ? nodes.back().weight : std::vector<double>{1}, {}};
    const std::size_t n = grid.first.size(), m = grid.second.size(), K = p.logits().mu().size();
    grid.log_odds.resize(n * m);
    parallel_chunks(n, std::max<std::size_t>(1, 4096 / m), [&](std::size_t begin, std::size_t end) {
        std::array<double, 3> z{};
        for (std::size_t i = begin; i < end; ++i)
            for (std::size_t j = 0; j < m; ++j) {
                for (std::size_t k = 0; k < K; ++k)
                    z[k] = p.logits().mu()[k] + nodes.front().position[i] * axes.axes.front().direction[k]
                           + (two ? nodes.back().position[j] * axes.axes.back().direction[k] : 0);
                const double lse = log_sum_exp(std::span<const double>(z.data(), K));
                for (std::size_t k = 0; k < K; ++k)
                    z[k] -= lse;
                grid.log_odds[i * m + j] = odds(z.data());
            }
    });
    return grid;
}

struct StickNodes {
    std::vector<double> logit, weight;
};
/// The trapezoidal rule for t = ln(x/(1 − x)), x ~ Beta(a, b), with t = mode + s sinh(w): equal
/// steps where the probability is, growing ones in the exponential tails, which for small shapes
/// have a width of a million.
StickNodes stick_nodes(const Beta& distribution)
{
    const double mode  = std::log(distribution.a) - std::log(distribution.b),
                 log_B = log_beta_function(distribution.a, distribution.b);
    const double s     = std::min(1.0, std::sqrt((distribution.a + distribution.b) / distribution.a / distribution.b));
    const auto log_density = [&](double t) {
        return -distribution.a * softplus(-t) - distribution.b * softplus(t) - log_B;
    };
    const double step = 0.05, peak = log_density(mode);
    StickNodes nodes;
    for (const int side : {-1, 1}) {
        for (int i = side < 0 ? 1 : 0;; ++i) {
            const double w = side * i * step, t = mode + s * std::sinh(w),
                         log_w = log_density(t) + std::log(s * std::cosh(w) * step);
            if (side < 0) {
                nodes.logit.insert(nodes.logit.begin(), t);
                nodes.weight.insert(nodes.weight.begin(), std::exp(log_w));
            } else {
                nodes.logit.push_back(t);
                nodes.weight.push_back(std::exp(log_w));
            }
            if (log_density(t) < peak - 45 || i > 4000)
                break;
        }
    }
    return nodes;
}

/// Nodes of q: π_1, and π_2/(1 − π_1), independent Beta variables.
NodeGrid nodes_of(const Dirichlet& q, const LogOdds& odds)
{
    const bool two          = q.n_classes() == 3;
    const StickNodes first  = stick_nodes(q.marginal(0));
    const StickNodes second = two ? stick_nodes({q.alpha()[1], q.alpha()[2]}) : StickNodes{{0}, {1}};
    NodeGrid grid{first.weight, second.weight, {}};
    const std::size_t n = grid.first.size(), m = grid.second.size();
    grid.log_odds.resize(n * m);
    parallel_chunks(n, std::max<std::size_t>(1, 4096 / m), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const double taken = -softplus(-first.logit[i]), left = -softplus(first.logit[i]);
            for (std::size_t j = 0; j < m; ++j) {
                const std::array<double, 3> log_pi{taken, two ? left - softplus(-second.logit[j]) : left,
                                                   left - softplus(second.logit[j])};
                grid.log_odds[i * m + j] = odds(log_pi.data());
            }
        }
    });
    return grid;
}

}   // namespace

SimplexDivergences compare(const LogisticNormal& p, const Dirichlet& q, const LogitExpectations& of_p)
{
    SimplexDivergences out;
    out.kl = kl_divergence(p, q, of_p);
    if (p.n_classes() <= 3) {
        const LogOdds odds(p, q);
        const Overlaps under_p = overlaps(nodes_of(p, odds)), under_q = overlaps(nodes_of(q, odds));
        out.mass_p          = under_p.mass;
        out.mass_q          = under_q.mass;
        out.total_variation = std::clamp(0.5 * (under_p.distance + under_q.distance), 0.0, 1.0);
        out.hellinger       = std::sqrt(std::clamp(1 - 0.5 * (under_p.affinity + under_q.affinity), 0.0, 1.0));
    }
    return out;
}

}   // namespace credence
