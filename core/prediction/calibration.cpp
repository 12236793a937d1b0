// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/calibration.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/statistics.h"
#include "prediction/credible.h"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <tuple>

namespace credence {

std::vector<ReliabilityBin> reliability_bins(std::span<const double> confidence, std::span<const char> correct,
                                             int n_bins)
{
    if (confidence.size() != correct.size())
        throw Error("Reliability bins: " + std::to_string(confidence.size()) + " confidences for "
                    + std::to_string(correct.size()) + " predictions.");
    if (n_bins < 1)
        throw Error("Reliability bins: " + std::to_string(n_bins) + " bins, expected at least 1.");
    require_finite("Reliability bins: confidence", confidence);
    std::vector<ReliabilityBin> bins(n_bins);
    for (int b = 0; b < n_bins; ++b) {
        bins[b].lower = static_cast<double>(b) / n_bins;
        bins[b].upper = static_cast<double>(b + 1) / n_bins;
    }
    for (std::size_t i = 0; i < confidence.size(); ++i) {
        auto& bin = bins[reliability_bin(bins, confidence[i])];
        ++bin.count;
        bin.correct += correct[i] ? 1 : 0;
        bin.confidence_sum += confidence[i];
    }
    return bins;
}

std::size_t reliability_bin(std::span<const ReliabilityBin> bins, double confidence)
{
    // Compared with the bounds themselves, since n·c may be rounded across one.
    const auto bin = std::lower_bound(bins.begin(), bins.end() - 1, confidence,
                                      [](const ReliabilityBin& b, double c) { return b.upper + equal_shares < c; });
    return static_cast<std::size_t>(bin - bins.begin());
}

double expected_calibration_error(std::span<const ReliabilityBin> bins)
{
    double gap = 0;
    long n     = 0;
    for (const auto& bin : bins) {
        gap += std::fabs(static_cast<double>(bin.correct)
                         - bin.confidence_sum);   // n_b |accuracy_b − mean confidence_b|
        n += bin.count;
    }
    if (n == 0)
        throw Error("Calibration error: there are no predictions.");
    return gap / static_cast<double>(n);
}

namespace {

std::vector<std::size_t> calibration_order(std::span<const double> values)   // rising
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    return order;
}

/// Calls `use(first, end)` for each run of equal values in `order`.
void for_each_tie(std::span<const double> values, const std::vector<std::size_t>& order,
                  const std::function<void(std::size_t first, std::size_t end)>& use)
{
    for (std::size_t i = 0, end = 0; i < order.size(); i = end) {
        while (end < order.size() && values[order[end]] == values[order[i]])
            ++end;
        use(i, end);
    }
}

}   // namespace

double adaptive_calibration_error(std::span<const double> confidence, std::span<const char> correct, int n_bins)
{
    if (confidence.size() != correct.size() || confidence.empty() || n_bins < 1)
        throw Error("Adaptive calibration error: " + std::to_string(confidence.size()) + " confidences for "
                    + std::to_string(correct.size()) + " predictions in " + std::to_string(n_bins)
                    + " bins, expected as many and at least one.");
    require_finite("Adaptive calibration error: confidence", confidence);
    const auto order = calibration_order(confidence);
    std::vector<double> right(order.size());   // each row its share of the right ones among equal confidences
    for_each_tie(confidence, order, [&](std::size_t first, std::size_t end) {
        double sum = 0;
        for (std::size_t i = first; i < end; ++i)
            sum += correct[order[i]] ? 1 : 0;
        std::fill(right.begin() + static_cast<std::ptrdiff_t>(first), right.begin() + static_cast<std::ptrdiff_t>(end),
                  sum / static_cast<double>(end - first));
    });
    const std::size_t n = order.size(), bins = static_cast<std::size_t>(n_bins);
    double total = 0;
    for (std::size_t b = 0; b < bins; ++b) {
        double gap = 0;
        for (std::size_t i = b * n / bins; i < (b + 1) * n / bins; ++i)
            gap += right[i] - confidence[order[i]];
        total += std::fabs(gap);
    }
    return total / static_cast<double>(n);
}

double classwise_calibration_error(std::span<const double> p, std::span<const int> labels, int n_bins)
{
    const std::size_t n = labels.size(), K = n > 0 ? p.size() / n : 0;
    if (n == 0 || p.size() != n * K)
        throw Error("Classwise calibration error: " + std::to_string(p.size()) + " probabilities for "
                    + std::to_string(n) + " labels, expected as many for each label.");
    std::vector<double> of_class(n);
    std::vector<char> is_class(n);
    double sum = 0;
    for (std::size_t k = 0; k < K; ++k) {
        for (std::size_t i = 0; i < n; ++i) {
            of_class[i] = p[i * K + k];
            is_class[i] = labels[i] == static_cast<int>(k) ? 1 : 0;
        }
        sum += expected_calibration_error(reliability_bins(of_class, is_class, n_bins));
    }
    return sum / static_cast<double>(K);
}

std::vector<double> selective_risk(std::span<const double> uncertainty, std::span<const double> loss)
{
    if (uncertainty.size() != loss.size())
        throw Error("Selective risk: " + std::to_string(uncertainty.size()) + " uncertainties for "
                    + std::to_string(loss.size()) + " predictions.");
    require_no_nan("Selective risk: uncertainty", uncertainty);
    const auto order = calibration_order(uncertainty);
    std::vector<double> risk;
    double below = 0;   // loss of the levels that are included completely
    for_each_tie(uncertainty, order, [&](std::size_t first, std::size_t end) {
        double at_level = 0;
        for (std::size_t i = first; i < end; ++i)
            at_level += loss[order[i]];
        for (std::size_t kept = first + 1; kept <= end; ++kept) {
            const double share = static_cast<double>(kept - first) / static_cast<double>(end - first);
            risk.push_back((below + share * at_level) / static_cast<double>(kept));
        }
        below += at_level;
    });
    return risk;
}

double area_under_risk(std::span<const double> risk) { return mean_of(risk); }

std::vector<RejectionPoint> rejection_curve(std::span<const double> uncertainty, std::span<const char> correct)
{
    if (uncertainty.size() != correct.size())
        throw Error("Rejection curve: " + std::to_string(uncertainty.size()) + " uncertainties for "
                    + std::to_string(correct.size()) + " predictions.");
    require_no_nan("Rejection curve: uncertainty", uncertainty);
    std::vector<double> wrong;
    for (const char right : correct)
        wrong.push_back(right ? 0 : 1);
    const auto risk = selective_risk(uncertainty, wrong);
    const auto n    = static_cast<double>(risk.size());
    std::vector<RejectionPoint> points;
    for (std::size_t kept = risk.size(); kept > 0; --kept)
        points.push_back({1 - static_cast<double>(kept) / n, risk[kept - 1]});
    return points;
}

namespace {

constexpr int coverage_levels = 19;
constexpr double level_of_all = 0.95;   // of a simultaneous range

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

UniformHistogram uniform_histogram(std::span<const double> u, int n_bins)
{
    require_shares(u);
    UniformHistogram out{.counts = std::vector<long>(static_cast<std::size_t>(n_bins), 0),
                         .n      = static_cast<long>(u.size())};
    for (const double value : u)
        ++out.counts[uniform_bin(value, out.counts.size())];
    std::tie(out.low, out.high) = n_bins > 1 ? binomial_range(out.n, 1.0 / n_bins, (1 - level_of_all) / n_bins)
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

CoverageCurve coverage_curve(std::span<const double> u)
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
        const auto range = binomial_range(out.n, c, (1 - level_of_all) / coverage_levels);
        out.level.push_back(c);
        out.coverage.push_back(static_cast<double>(std::ranges::upper_bound(needed, c) - needed.begin()) / n);
        out.lower.push_back(static_cast<double>(range.first) / n);
        out.upper.push_back(static_cast<double>(range.second) / n);
    }
    return out;
}

}   // namespace credence
