// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

/// The definitions of Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021 word for word, in O(n²)
/// and without any of the program's own functions.
namespace naive {

using Chain  = std::vector<double>;
using Chains = std::vector<Chain>;

inline double mean(const Chain& x) { return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size()); }
inline double variance(const Chain& x)
{
    double sum = 0;
    for (const double value : x)
        sum += (value - mean(x)) * (value - mean(x));
    return sum / static_cast<double>(x.size() - 1);
}
inline double autocovariance(const Chain& x, std::size_t lag)
{
    double sum = 0, centre = mean(x);
    for (std::size_t i = 0; i + lag < x.size(); ++i)
        sum += (x[i] - centre) * (x[i + lag] - centre);
    return sum / static_cast<double>(x.size());
}

inline Chains split(const Chains& chains)
{
    Chains out;
    for (const auto& x : chains) {
        const auto half = static_cast<std::ptrdiff_t>(x.size() / 2);
        out.emplace_back(x.begin(), x.begin() + half);
        out.emplace_back(x.end() - half, x.end());
    }
    return out;
}
inline Chain all(const Chains& chains)
{
    Chain out;
    for (const auto& x : chains)
        out.insert(out.end(), x.begin(), x.end());
    return out;
}
template <class F>
Chains map(const Chains& chains, const F& f)
{
    Chains out = chains;
    for (auto& x : out)
        for (double& value : x)
            value = f(value);
    return out;
}

/// Φ⁻¹ by bisection of Φ(z) = erfc(−z/√2)/2.
inline double normal_quantile(double p)
{
    double low = -10, high = 10;
    for (int i = 0; i < 100; ++i) {
        const double middle                                          = 0.5 * (low + high);
        (0.5 * std::erfc(-middle / std::sqrt(2.0)) < p ? low : high) = middle;
    }
    return 0.5 * (low + high);
}
/// z of each value among all of the chains: the rank counts those below, and half of those equal.
inline Chains normal_scores(const Chains& chains)
{
    const Chain values = all(chains);
    const auto S       = static_cast<double>(values.size());
    return map(chains, [&](double x) {
        double below = 0, equal = 0;
        for (const double other : values) {
            below += other < x;
            equal += other == x;
        }
        return normal_quantile((below + (equal + 1) / 2 - 0.375) / (S + 0.25));
    });
}
inline double quantile(Chain values, double p)
{
    std::sort(values.begin(), values.end());
    const double position = static_cast<double>(values.size() - 1) * p;
    const auto k          = static_cast<std::size_t>(position);
    return k + 1 < values.size() ? values[k] + (position - static_cast<double>(k)) * (values[k + 1] - values[k])
                                 : values[k];
}

inline double r_hat(const Chains& halves)
{
    const auto n = static_cast<double>(halves[0].size());
    Chain means, variances;
    for (const auto& x : halves) {
        means.push_back(mean(x));
        variances.push_back(variance(x));
    }
    const double W = mean(variances), B = n * variance(means);
    return std::sqrt(((n - 1) / n * W + B / n) / W);
}
inline double ess(const Chains& halves)
{
    const std::size_t n = halves[0].size();
    Chain means, variances;
    for (const auto& x : halves) {
        means.push_back(mean(x));
        variances.push_back(variance(x));
    }
    const double W        = mean(variances);
    const double var_plus = W * static_cast<double>(n - 1) / static_cast<double>(n)
                            + (means.size() > 1 ? variance(means) : 0);
    Chain rho(2 * n + 2, 0.0);
    rho[0] = 1;
    for (std::size_t t = 1; t < n; ++t) {
        double gamma = 0;
        for (const auto& x : halves)
            gamma += autocovariance(x, t) / static_cast<double>(halves.size());
        rho[t] = 1 - (W - gamma) / var_plus;
    }
    Chain pairs;
    for (std::size_t k = 0; (k == 0 || 2 * k + 5 < n) && rho[2 * k] + rho[2 * k + 1] > 0; ++k)
        pairs.push_back(rho[2 * k] + rho[2 * k + 1]);
    for (std::size_t k = 1; k < pairs.size(); ++k)
        pairs[k] = std::min(pairs[k], pairs[k - 1]);
    const double even = rho[2 * pairs.size()], next = even + rho[2 * pairs.size() + 1];
    const double tau = -1 + 2 * std::accumulate(pairs.begin(), pairs.end(), 0.0) + (even > 0 || next >= 0 ? even : 0);
    const auto S     = static_cast<double>(n * halves.size());
    return S / std::max(tau, 1 / std::log10(S));
}

inline Chains folded(const Chains& halves)
{
    const double median = quantile(all(halves), 0.5);
    return map(halves, [&](double x) { return std::fabs(x - median); });
}
inline Chains not_above_quantile(const Chains& halves, double p)
{
    const double edge = quantile(all(halves), p);
    return map(halves, [&](double x) { return x <= edge ? 1.0 : 0.0; });
}

}   // namespace naive
