// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/best_dirichlet.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "simplex/gamma_functions.h"
#include "simplex/laplace_bridge.h"

#include <algorithm>
#include <cmath>
#include <numeric>
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
        const Dirichlet law(alpha);
        const auto log_m = law.log_mean();
        const double g0  = gamma::log_minus_digamma(law.total());
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
        double lost = -short_of(law.total());
        for (const double a : alpha)
            lost += short_of(a);
        const double denominator = gamma::trigamma(law.total()) * lost;   // = 1 − ψ'(α_0) Σ w
        const double shared      = sum_rw * gamma::trigamma(law.total()) / denominator;
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
        if (step > 60 && largest < 1e-9)   // limit of the precision of the given logarithms
            return Dirichlet(alpha);
    }
    throw Error("Best Dirichlet: no alpha between 1e-12 and 1e14 has these expected logarithms.");
}

}   // namespace

Dirichlet dirichlet_of_moments(std::span<const double> mean, std::span<const double> variance)
{
    if (mean.size() != variance.size())
        throw Error("Dirichlet of moments: " + std::to_string(mean.size()) + " means and "
                    + std::to_string(variance.size()) + " variances found, expected the same number.");
    double spread = 0, sum = 0;
    const double mass  = std::accumulate(mean.begin(), mean.end(), 0.0);
    const auto largest = std::max_element(mean.begin(), mean.end()) - mean.begin();
    double rest        = 0;
    for (std::size_t k = 0; k < mean.size(); ++k)
        if (static_cast<std::ptrdiff_t>(k) != largest)
            rest += mean[k] / mass;
    for (std::size_t k = 0; k < mean.size(); ++k) {
        const double m = mean[k] / mass;
        spread += m * (static_cast<std::ptrdiff_t>(k) == largest ? rest : 1 - m);
        sum += variance[k];
    }
    const double total = spread / sum - 1;
    if (!(sum > 0 && total > 0))
        throw Error("Dirichlet of moments: the variances add up to " + number_text(sum, 6)
                    + ", expected a number between 0 and " + number_text(spread, 6) + ", the maximum for this mean.");
    std::vector<double> alpha(mean.begin(), mean.end());
    for (double& a : alpha)
        a *= total / mass;
    return Dirichlet(std::move(alpha));
}

Dirichlet dirichlet_of_expected_log(std::span<const double> expected_log)
{
    if (expected_log.size() < 2)
        throw Error("Best Dirichlet: " + std::to_string(expected_log.size()) + " classes found, expected at least 2.");
    for (std::size_t k = 0; k < expected_log.size(); ++k)
        if (!(expected_log[k] < 0) || !std::isfinite(expected_log[k]))
            throw Error("Best Dirichlet: the expected logarithm of class " + std::to_string(k) + " is "
                        + plain_text(expected_log[k]) + ", expected a negative number.");
    const double gap = -log_sum_exp(expected_log);
    if (!(gap > 0))
        throw Error("Best Dirichlet: the exponentials of the expected logarithms add up to "
                    + number_text(std::exp(-gap), 6) + ", expected less than 1.");
    std::vector<double> log_s(expected_log.begin(), expected_log.end());
    for (double& v : log_s)
        v += gap;
    return solve(log_s, gap);
}

Dirichlet best_dirichlet(const LogitGaussian& logits, const LogitExpectations& of_logits)
{
    const double lse = log_sum_exp(logits.mu());
    std::vector<double> log_s(logits.mu());
    for (double& v : log_s)
        v -= lse;
    return solve(log_s, of_logits.jensen_gap);
}

Dirichlet best_dirichlet(const LogitGaussian& logits) { return best_dirichlet(logits, expectations(logits)); }

}   // namespace credence
