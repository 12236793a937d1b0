// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/quantiles.h"

#include "foundation/error.h"
#include "foundation/finite.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace credence {

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

}   // namespace credence
