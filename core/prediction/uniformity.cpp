// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/calibration.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace credence {

namespace {

constexpr int coverage_levels = 19;

/// The smallest k with P(K <= k) > `below`.
long lower_end(long n, double p, double below)
{
    const boost::math::binomial_distribution<double> counts(static_cast<double>(n), p);
    long k = std::max(0L, static_cast<long>(quantile(counts, below)) - 2);
    while (k < n && cdf(counts, static_cast<double>(k)) <= below)
        ++k;
    return k;
}

void require_shares(std::span<const double> u)
{
    for (std::size_t i = 0; i < u.size(); ++i)
        if (!(u[i] >= 0 && u[i] <= 1))
            throw Error("PIT value " + std::to_string(i) + " is " + plain_text(u[i])
                        + ", expected a number from 0 to 1.");
    if (u.empty())
        throw Error("PIT: there are no values.");
}

/// ∫ |G(c) − c| dc over [0, 1] for the step function G with jumps of 1/n at the sorted positions.
double gap_to_uniform(std::span<const double> sorted)
{
    const auto n = static_cast<double>(sorted.size());
    double sum = 0, from = 0;
    for (std::size_t i = 0; i <= sorted.size(); ++i) {
        const double to = i < sorted.size() ? sorted[i] : 1, height = static_cast<double>(i) / n;
        const double before = height - from, after = height - to;   // the gap is linear between two jumps
        sum += before * after >= 0 ? (to - from) * std::fabs(before + after) / 2
                                   : (before * before + after * after) / 2;
        from = to;
    }
    return sum;
}

}   // namespace

std::pair<long, long> binomial_range(long n, double p, double outside)
{
    if (n < 1 || !(p > 0 && p < 1) || !(outside > 0 && outside < 1))
        throw Error("Binomial range: expected rows and shares between 0 and 1, found " + std::to_string(n) + ", "
                    + plain_text(p) + " and " + plain_text(outside) + ".");
    return {lower_end(n, p, outside / 2), n - lower_end(n, 1 - p, outside / 2)};
}

long UniformHistogram::outside() const
{
    return std::ranges::count_if(counts, [this](long count) { return count < low || count > high; });
}

std::size_t uniform_bin(double u, std::size_t n_bins)
{
    return std::min(n_bins - 1, static_cast<std::size_t>(u * static_cast<double>(n_bins)));
}

int histogram_bins(long n) { return n < 100 ? 5 : n < 1000 ? 10 : 20; }

UniformHistogram uniform_histogram(std::span<const double> u, int n_bins, double level)
{
    require_shares(u);
    UniformHistogram out{.counts = std::vector<long>(static_cast<std::size_t>(n_bins), 0),
                         .n      = static_cast<long>(u.size()),
                         .level  = level};
    for (const double value : u)
        ++out.counts[uniform_bin(value, out.counts.size())];
    std::tie(out.low, out.high) = n_bins > 1 ? binomial_range(out.n, 1.0 / n_bins, (1 - level) / n_bins)
                                             : std::pair(out.n, out.n);
    return out;
}

long CoverageCurve::outside() const
{
    long count = 0;
    for (std::size_t i = 0; i < level.size(); ++i)
        count += coverage[i] < lower[i] || coverage[i] > upper[i] ? 1 : 0;
    return count;
}

CoverageCurve coverage_curve(std::span<const double> u, double level)
{
    require_shares(u);
    std::vector<double> needed;   // the level at which each row is at the end of its interval
    for (const double value : u)
        needed.push_back(std::fabs(2 * value - 1));
    std::ranges::sort(needed);
    CoverageCurve out{.n = static_cast<long>(u.size()), .mean_gap = gap_to_uniform(needed)};
    const auto n = static_cast<double>(out.n);
    for (int i = 1; i <= coverage_levels; ++i) {
        const double c   = static_cast<double>(i) / (coverage_levels + 1);
        const auto range = binomial_range(out.n, c, (1 - level) / coverage_levels);
        out.level.push_back(c);
        out.coverage.push_back(static_cast<double>(std::ranges::upper_bound(needed, c) - needed.begin()) / n);
        out.lower.push_back(static_cast<double>(range.first) / n);
        out.upper.push_back(static_cast<double>(range.second) / n);
    }
    return out;
}

}   // namespace credence
