// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/dirichlet.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "simplex/gamma_functions.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

namespace credence {

namespace {

/// Σ v − 1 with compensated summation of the rounding errors (Neumaier 1974).
double excess_over_one(std::span<const double> values)
{
    double sum = -1, lost = 0;
    for (const double v : values) {
        const double next = sum + v;
        lost += std::fabs(sum) >= std::fabs(v) ? (sum - next) + v : (v - next) + sum;
        sum = next;
    }
    return sum + lost;
}

void require_size(const char* what, std::size_t found, int expected)
{
    if (static_cast<int>(found) != expected)
        throw Error(std::string("Dirichlet ") + what + ": " + std::to_string(found)
                    + " values found, expected one per class for " + std::to_string(expected) + " classes.");
}

}   // namespace

Dirichlet::Dirichlet(std::vector<double> alpha) : alpha_(std::move(alpha))
{
    if (alpha_.size() < 2)
        throw Error("Dirichlet: " + std::to_string(alpha_.size()) + (alpha_.size() == 1 ? " class" : " classes")
                    + " found, expected at least 2.");
    for (std::size_t k = 0; k < alpha_.size(); ++k)
        if (!(alpha_[k] > 0 && std::isfinite(alpha_[k])))
            throw Error("Dirichlet: alpha of class " + std::to_string(k) + " is " + plain_text(alpha_[k])
                        + ", expected a positive number.");
    largest_ = static_cast<int>(std::max_element(alpha_.begin(), alpha_.end()) - alpha_.begin());
    for (int k = 0; k < n_classes(); ++k)
        if (k != largest_)
            rest_of_largest_ += alpha_[k];
    total_ = rest_of_largest_ + alpha_[largest_];
    if (!std::isfinite(total_))
        throw Error("Dirichlet: the sum of alpha overflows, expected a finite number.");
}

double Dirichlet::rest(int k) const { return k == largest_ ? rest_of_largest_ : total_ - alpha_[k]; }

std::vector<double> Dirichlet::mean() const
{
    std::vector<double> m(alpha_);
    for (double& v : m)
        v /= total_;
    return m;
}

std::vector<double> Dirichlet::log_mean() const
{
    std::vector<double> m(alpha_.size());
    for (int k = 0; k < n_classes(); ++k)
        m[k] = k == largest_ ? -std::log1p(rest_of_largest_ / alpha_[k]) : std::log(alpha_[k] / total_);
    return m;
}

std::vector<double> Dirichlet::variance() const
{
    std::vector<double> v(alpha_.size());
    for (int k = 0; k < n_classes(); ++k)
        v[k] = alpha_[k] / total_ * (rest(k) / total_) / (total_ + 1);
    return v;
}

std::vector<double> Dirichlet::covariance_row(int k) const
{
    std::vector<double> row(alpha_.size());
    for (int l = 0; l < n_classes(); ++l)
        row[l] = (l == k ? rest(k) / total_ : -alpha_[l] / total_) * (alpha_[k] / total_) / (total_ + 1);
    return row;
}

std::vector<double> Dirichlet::covariance() const
{
    std::vector<double> rows;
    rows.reserve(alpha_.size() * alpha_.size());
    for (int k = 0; k < n_classes(); ++k) {
        const auto row = covariance_row(k);
        rows.insert(rows.end(), row.begin(), row.end());
    }
    return rows;
}

std::vector<double> Dirichlet::mode() const
{
    if (!std::all_of(alpha_.begin(), alpha_.end(), [](double a) { return a > 1; }))
        return {};
    std::vector<double> m(alpha_);
    double sum = 0;
    for (double& v : m)
        sum += v -= 1;
    for (double& v : m)
        v /= sum;
    return m;
}

std::vector<double> Dirichlet::expected_log() const
{
    std::vector<double> e(alpha_.size());
    for (int k = 0; k < n_classes(); ++k)
        e[k] = -gamma::digamma_difference(alpha_[k], rest(k));
    return e;
}

double Dirichlet::log_beta() const
{
    // The large parts of Stirling's formula: Σ (α_k − ½) ln α_k − (α_0 − ½) ln α_0 = Σ (α_k − ½)
    // ln(α_k/α_0) − ½ (K − 1) ln α_0
    const auto log_m = log_mean();
    double sum = 0.5 * (n_classes() - 1) * std::log(2 * std::numbers::pi / total_) - gamma::stirling_remainder(total_);
    for (int k = 0; k < n_classes(); ++k)
        sum += (alpha_[k] - 0.5) * log_m[k] + gamma::stirling_remainder(alpha_[k]);
    return sum;
}

double Dirichlet::log_pdf(std::span<const double> probabilities) const
{
    require_size("density", probabilities.size(), n_classes());
    // −α_0 KL(m ‖ π) − Σ ln π_k + ½ Σ ln m_k − remainders, m = α/α_0: near the mean, where α_k ln
    // π_k are huge, the first part is small.
    const auto log_m  = log_mean();
    double divergence = -excess_over_one(probabilities);
    double sum        = 0.5 * (n_classes() - 1) * std::log(total_ / (2 * std::numbers::pi))
                 + gamma::stirling_remainder(total_);
    for (int k = 0; k < n_classes(); ++k) {
        const double p = probabilities[k], m = alpha_[k] / total_;
        if (!(p >= 0))
            throw Error("Dirichlet density: the probability of class " + std::to_string(k) + " is " + plain_text(p)
                        + ", expected a number from 0 to 1.");
        if (p == 0) {
            if (alpha_[k] != 1)
                return alpha_[k] < 1 ? INFINITY : -INFINITY;
            // (α − 1) ln π = 0: the terms −m ln π and −ln π below cancel
            divergence += m * log_m[k] - m;
            sum += 0.5 * log_m[k] - gamma::stirling_remainder(1);
            continue;
        }
        const double x = (m - p) / p;
        divergence += x < 1e3 ? p * gamma::relative_excess(x) : m * (log_m[k] - std::log(p)) - m + p;
        sum += 0.5 * log_m[k] - std::log(p) - gamma::stirling_remainder(alpha_[k]);
    }
    return sum - total_ * divergence;
}

double Dirichlet::log_pdf_of_log(std::span<const double> log_probabilities) const
{
    require_size("density", log_probabilities.size(), n_classes());
    const auto log_m = log_mean();
    double sum       = 0.5 * (n_classes() - 1) * std::log(total_ / (2 * std::numbers::pi))
                 + gamma::stirling_remainder(total_);
    for (int k = 0; k < n_classes(); ++k)
        sum += alpha_[k] * (log_probabilities[k] - log_m[k]) - log_probabilities[k] + 0.5 * log_m[k]
               - gamma::stirling_remainder(alpha_[k]);
    return sum;
}

double Dirichlet::entropy() const
{
    // ln B + (α_0 − K) ψ(α_0) − Σ (α_k − 1) ψ(α_k) with lnΓ and ψ split into large parts and
    // remainders; the large parts give ½ Σ ln α_k + (½ − K) ln α_0.
    const int K = n_classes();
    double sum  = 0.5 * (K - 1) * std::log(2 * std::numbers::pi) + (0.5 - K) * std::log(total_)
                 - gamma::stirling_remainder(total_) - (total_ - K) * gamma::log_minus_digamma(total_);
    for (const double a : alpha_)
        sum += 0.5 * std::log(a) + gamma::stirling_remainder(a) + (a - 1) * gamma::log_minus_digamma(a);
    return sum;
}

double Dirichlet::entropy_of_mean() const
{
    const auto log_m = log_mean();
    double sum       = 0;
    for (int k = 0; k < n_classes(); ++k)
        sum -= alpha_[k] / total_ * log_m[k];
    return sum;
}

double Dirichlet::expected_categorical_entropy() const
{
    double sum = 0;   // ψ(α_0 + 1) − Σ m_k ψ(α_k + 1) = Σ m_k (ψ(α_0 + 1) − ψ(α_k + 1))
    for (int k = 0; k < n_classes(); ++k)
        sum += alpha_[k] / total_ * gamma::digamma_difference(alpha_[k] + 1, rest(k));
    return sum;
}

double Dirichlet::mutual_information() const
{
    // Σ m_k q(α_k) − q(α_0), q(x) = ψ(x + 1) − ln x = 1/x − (ln x − ψ(x)); 0 <= x q(x) <= 1
    const auto x_times_q = [](double x) {
        return x < 1e-3 ? x * (gamma::digamma(x + 1) - std::log(x)) : 1 - x * gamma::log_minus_digamma(x);
    };
    double sum = -x_times_q(total_);
    for (const double a : alpha_)
        sum += x_times_q(a);
    return sum / total_;
}

Dirichlet Dirichlet::grouped(std::span<const int> group) const
{
    require_size("groups", group.size(), n_classes());
    const int n_groups = *std::max_element(group.begin(), group.end()) + 1;
    if (*std::min_element(group.begin(), group.end()) < 0 || n_groups > n_classes())
        throw Error("Dirichlet groups: groups are numbered 0, 1, 2, … without gaps.");
    std::vector<double> sums(n_groups, 0);
    for (int k = 0; k < n_classes(); ++k)
        sums[group[k]] += alpha_[k];
    for (int g = 0; g < n_groups; ++g)
        if (sums[g] == 0)
            throw Error("Dirichlet groups: group " + std::to_string(g)
                        + " has no class, expected groups numbered without gaps.");
    return Dirichlet(std::move(sums));
}

Dirichlet Dirichlet::among(std::span<const int> classes) const
{
    std::vector<char> taken(alpha_.size(), 0);
    std::vector<double> a;
    for (const int k : classes) {
        if (k < 0 || k >= n_classes() || taken[k])
            throw Error("Dirichlet among classes: class " + std::to_string(k)
                        + " found, expected different classes from 0 to " + std::to_string(n_classes() - 1) + ".");
        taken[k] = 1;
        a.push_back(alpha_[k]);
    }
    return Dirichlet(std::move(a));
}

std::vector<double> Dirichlet::sample(NoiseKey key, int n) const
{
    const int K = n_classes(), sticks = K - 1;
    std::vector<double> after(K, 0);   // Σ of the remaining α
    for (int k = K - 2; k >= 0; --k)
        after[k] = after[k + 1] + alpha_[k + 1];
    std::vector<double> out(static_cast<std::size_t>(n) * K);
    parallel_chunks(static_cast<std::size_t>(n), 64, [&](std::size_t begin, std::size_t end) {
        std::vector<double> u(sticks);
        for (std::size_t i = begin; i < end; ++i) {
            uniforms(key, i * sticks, std::span<double>(u));
            double left = 1;
            for (int k = 0; k < sticks; ++k) {
                const UnitPlace share = quantile({alpha_[k], after[k]}, u[k]);
                out[i * K + k]        = left * share.value;
                left *= share.complement;
            }
            out[i * K + K - 1] = left;
        }
    });
    return out;
}

double kl_divergence(const Dirichlet& alpha, const Dirichlet& beta)
{
    if (alpha.n_classes() != beta.n_classes())
        throw Error("KL of Dirichlets: " + std::to_string(alpha.n_classes()) + " and "
                    + std::to_string(beta.n_classes()) + " classes found, expected the same number.");
    // Σ D(α_k, β_k) − D(α_0, β_0), D(a, b) = lnΓ(b) − lnΓ(a) − (b − a) ψ(a). The parts b ln(b/a) −
    // (b − a) of all D sum to β_0 times the KL of the mean of β from that of α; the remainder of D
    // is small:
    const auto remainder = [](double a, double b) {
        return -0.5 * std::log1p((b - a) / a) + (b - a) * gamma::log_minus_digamma(a) + gamma::stirling_remainder(b)
               - gamma::stirling_remainder(a);
    };
    const auto log_m = alpha.log_mean(), log_n = beta.log_mean();
    double of_means = 0, sum = -remainder(alpha.total(), beta.total());
    for (int k = 0; k < alpha.n_classes(); ++k) {
        const double a = alpha.alpha()[k], b = beta.alpha()[k], m = a / alpha.total(), n = b / beta.total();
        const double x = (n - m) / m;
        of_means += x < 1e3 ? m * gamma::relative_excess(x) : n * (log_n[k] - log_m[k]) - n + m;
        sum += remainder(a, b);
    }
    return std::max(0.0, beta.total() * of_means + sum);
}

double proposition1_threshold(double rest)
{
    return 2 * rest * (rest + 1) / (std::sqrt((9 * rest + 1) * (rest + 1)) + rest + 1);
}

std::vector<char> proposition1_holds(const Dirichlet& distribution)
{
    std::vector<char> holds(distribution.alpha().size());
    for (int k = 0; k < distribution.n_classes(); ++k)
        holds[k] = distribution.alpha()[k] > proposition1_threshold(distribution.rest(k));
    return holds;
}

}   // namespace credence
