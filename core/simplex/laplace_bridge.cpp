// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/laplace_bridge.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

namespace credence {

namespace {

const double log_largest = std::log(DBL_MAX), log_smallest = std::log(DBL_MIN);

double sum_of(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}   // namespace

const char* name(BridgeVariant variant)
{
    switch (variant) {
    case BridgeVariant::plain: return "plain";
    case BridgeVariant::conditioned: return "conditioned";
    case BridgeVariant::projected: return "projected";
    case BridgeVariant::conditioned_normalised: return "conditioned_normalised";
    case BridgeVariant::projected_normalised: return "projected_normalised";
    }
    return "";
}

CorrectedLogits corrected(const LogitGaussian& logits, BridgeVariant variant)
{
    return corrected(logits.mu(), logits.variance(),
                     variant == BridgeVariant::plain ? std::vector<double>() : logits.row_sums(), variant);
}

CorrectedLogits corrected(std::vector<double> mu, std::vector<double> variance, std::span<const double> r,
                          BridgeVariant variant)
{
    CorrectedLogits out{std::move(mu), std::move(variance), 1};
    const double K = static_cast<double>(out.mu.size());
    for (std::size_t k = 0; k < out.mu.size(); ++k)
        if (!std::isfinite(out.mu[k]))
            throw Error("Laplace bridge: mean of logit " + std::to_string(k) + " is " + number_text(out.mu[k], 6)
                        + ", expected a finite number.");
    std::vector<double> rounding(out.variance.size(),
                                 0);   // rounding error of the differences below: smaller variances count as 0
    if (variant != BridgeVariant::plain) {
        const double total = sum_of(r), mu_sum = sum_of(out.mu);
        if (!is_conditioned(variant))
            for (std::size_t k = 0; k < r.size(); ++k) {
                out.mu[k] -= mu_sum / K;
                rounding[k] = 4e-16 * (out.variance[k] + (2 * std::fabs(r[k]) + total / K) / K);
                out.variance[k] += (total / K - 2 * r[k]) / K;
            }
        else if (total > 1e-15 * K * sum_of(out.variance))
            for (std::size_t k = 0; k < r.size(); ++k) {
                out.mu[k] -= r[k] * (mu_sum / total);
                rounding[k] = 4e-16 * out.variance[k];
                out.variance[k] -= r[k] * (r[k] / total);
            }
    }
    for (std::size_t k = 0; k < out.variance.size(); ++k)
        if (!(out.variance[k] > rounding[k] && std::isfinite(out.variance[k])))
            throw Error("Laplace bridge: variance of logit " + std::to_string(k) + " is "
                        + number_text(out.variance[k], 6)
                        + (variant == BridgeVariant::plain ? "" : " in the plane where the logits sum to 0")
                        + ", expected a number > 0.");
    if (is_normalised(variant)) {
        out.c = sum_of(out.variance) / K / std::sqrt(K / 2);
        for (std::size_t k = 0; k < out.variance.size(); ++k) {
            out.mu[k] /= std::sqrt(out.c);
            out.variance[k] /= out.c;
        }
    }
    return out;
}

LogDirichlet bridge(const CorrectedLogits& logits)
{
    const auto& [mu, variance, c] = logits;
    const double K                = static_cast<double>(mu.size());
    std::vector<double> negative(mu.begin(), mu.end());
    for (double& v : negative)
        v = -v;
    const double log_ratio_sum = log_sum_exp(negative) - 2 * std::log(K);
    LogDirichlet out;
    out.log_alpha.resize(mu.size());
    for (std::size_t k = 0; k < mu.size(); ++k) {
        const double t   = mu[k] + log_ratio_sum;   // ln of e^μ_k/K² Σ e^−μ_l
        out.log_alpha[k] = (t > 700 || mu.size() == 2 ? t : std::log(1 - 2 / K + std::exp(t))) - std::log(variance[k]);
    }
    out.log_total = log_sum_exp(out.log_alpha);
    return out;
}

LogDirichlet bridge(const LogitGaussian& logits, BridgeVariant variant) { return bridge(corrected(logits, variant)); }

std::vector<double> LogDirichlet::mean() const { return softmax(log_alpha); }

std::vector<double> LogDirichlet::variance() const
{
    const std::vector<double> m = mean();
    const auto largest          = static_cast<std::size_t>(std::max_element(m.begin(), m.end()) - m.begin());
    double rest                 = 0;
    for (std::size_t k = 0; k < m.size(); ++k)
        if (k != largest)
            rest += m[k];
    const double one_over = log_total > 0 ? std::exp(-log_total) / (1 + std::exp(-log_total))
                                          : 1 / (1 + std::exp(log_total));   // 1/(α_0 + 1)
    std::vector<double> v(m);
    for (std::size_t k = 0; k < m.size(); ++k)
        v[k] *= (k == largest ? rest : 1 - m[k]) * one_over;
    return v;
}

bool LogDirichlet::overflows() const
{
    return !(log_total < log_largest)
           || std::any_of(log_alpha.begin(), log_alpha.end(), [](double a) { return !(a > log_smallest); });
}

Dirichlet LogDirichlet::dirichlet() const
{
    std::vector<double> alpha(log_alpha);
    for (std::size_t k = 0; k < alpha.size(); ++k) {
        if (!(log_alpha[k] < log_largest && log_alpha[k] > log_smallest))
            throw Error("Laplace bridge: ln alpha of class " + std::to_string(k) + " is " + number_text(log_alpha[k], 6)
                        + ", expected a number between " + number_text(log_smallest, 6) + " and "
                        + number_text(log_largest, 6) + ".");
        alpha[k] = std::exp(log_alpha[k]);
    }
    return Dirichlet(std::move(alpha));
}

LogitGaussian logit_gaussian(const Dirichlet& distribution)
{
    const int K = distribution.n_classes();
    std::vector<double> mu(K), inverse(K), sigma(static_cast<std::size_t>(K) * K);
    for (int k = 0; k < K; ++k) {
        mu[k]      = std::log(distribution.alpha()[k]);
        inverse[k] = 1 / distribution.alpha()[k];
    }
    const double mean = sum_of(mu) / K, sum = sum_of(inverse);
    for (double& m : mu)
        m -= mean;
    for (int k = 0; k < K; ++k)
        for (int l = 0; l < K; ++l)
            sigma[static_cast<std::size_t>(k) * K + l] = k == l ? (1 - 2.0 / K) * inverse[k] + sum / K / K
                                                                : (sum / K - inverse[k] - inverse[l]) / K;
    return LogitGaussian::from_covariance(std::move(mu), std::move(sigma));
}

std::vector<double> probit_mean(const LogitGaussian& logits)
{
    std::vector<double> scaled(logits.mu()), variance = logits.variance();
    for (std::size_t k = 0; k < scaled.size(); ++k)
        scaled[k] /= std::sqrt(1 + std::numbers::pi * variance[k] / 8);
    return softmax(scaled);
}

}   // namespace credence
