// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/statistics.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace credence {

template <class T>
bool all_finite(std::span<const T> values)
{
    T sum = 0;   // sum of x − x: 0 for finite x, otherwise NaN
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += values[i] - values[i];
    return sum == 0;
}

template bool all_finite(std::span<const float>);
template bool all_finite(std::span<const double>);

namespace {

[[noreturn]] void refuse(const char* each, std::ptrdiff_t at, double found, const char* expected)
{
    throw Error(std::string(each) + " " + std::to_string(at) + " is " + shortest_text(found) + ", expected a "
                + expected + ".");
}

}   // namespace

void require_finite(const char* each, std::span<const double> values)
{
    if (all_finite(values))
        return;
    const auto at = std::find_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
    refuse(each, at - values.begin(), *at, "finite number");
}

void require_no_nan(const char* each, std::span<const double> values)
{
    const auto at = std::find_if(values.begin(), values.end(), [](double value) { return std::isnan(value); });
    if (at != values.end())
        refuse(each, at - values.begin(), *at, "number");
}

double mean_of(std::span<const double> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double quantile_of_sorted(std::span<const double> sorted, double p)
{
    if (sorted.empty())
        throw Error("Quantile: there are no values.");
    if (!(p >= 0 && p <= 1))
        throw Error("Quantile: the share is " + plain_text(p) + ", expected a number from 0 to 1.");
    const double position = static_cast<double>(sorted.size() - 1) * p;
    const auto low        = std::min(static_cast<std::size_t>(position), sorted.size() - 1);
    const auto high       = std::min(low + 1, sorted.size() - 1);
    const double share    = position - static_cast<double>(low);
    if (share == 0 || sorted[low] == sorted[high])   // 0 · ∞ and ∞ − ∞ are NaN
        return sorted[low];
    return sorted[low] + share * (sorted[high] - sorted[low]);
}

double quantile(std::span<const double> values, double p) { return quantiles(values, {&p, 1}).front(); }

std::vector<double> quantiles(std::span<const double> values, std::span<const double> p)
{
    require_no_nan("Quantile: value", values);
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> result;
    for (const double share : p)
        result.push_back(quantile_of_sorted(sorted, share));
    return result;
}

std::vector<double> ecdf(std::span<const double> values, std::span<const double> at)
{
    if (values.empty())
        throw Error("Empirical distribution function: there are no values.");
    require_no_nan("Empirical distribution function: value", values);
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> shares;
    for (const double t : at) {
        const auto below = std::upper_bound(sorted.begin(), sorted.end(), t) - sorted.begin();
        shares.push_back(static_cast<double>(below) / static_cast<double>(sorted.size()));
    }
    return shares;
}

std::vector<std::size_t> evenly_spaced(std::size_t n, std::size_t most)
{
    const std::size_t m = std::min(n, most);
    std::vector<std::size_t> indices;
    indices.reserve(m);
    for (std::size_t i = 0; i < m; ++i)
        indices.push_back(i * n / m);
    return indices;
}

std::optional<MeanAndSd> mean_and_sd(std::span<const double> values)
{
    MeanAndSd out;
    double sum = 0;
    for (const double value : values)
        if (std::isfinite(value)) {
            sum += value;
            ++out.n;
        }
    if (out.n == 0)
        return {};
    out.mean       = sum / static_cast<double>(out.n);
    double squares = 0;
    for (const double value : values)
        if (std::isfinite(value))
            squares += (value - out.mean) * (value - out.mean);
    if (out.n > 1)
        out.sd = std::sqrt(squares / static_cast<double>(out.n - 1));
    return out;
}

}   // namespace credence
