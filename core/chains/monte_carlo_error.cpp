// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/monte_carlo_error.h"

#include "chains/lane_sum.h"
#include "chains/rank_normalised.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "simplex/beta.h"

#include <algorithm>
#include <cmath>

namespace credence {

MonteCarloErrors monte_carlo_errors(const ScalarDraws& draws)
{
    draws.check();
    if (const auto refused = why_not_judged("Monte Carlo error", draws))
        return {*refused, *refused, *refused, *refused, *refused};
    OwnedDraws halves   = split_chains(draws);
    auto& x             = halves.values;
    const auto S        = static_cast<double>(x.size());
    const double factor = unit_factor(x);
    for (double& value : x)
        value *= factor;
    MeanAutocovariance work;
    const auto ess    = ess_of_chains(halves.view(), work);
    const double mean = lane_mean(x);
    for (double& value : x)
        value = (value - mean) * (value - mean);
    const double m2 = lane_mean(x), sd = std::sqrt(S / (S - 1) * m2) / factor;
    if (!ess)   // only the middle draws, dropped by splitting, differ
        return {mean / factor, sd, ess, ess, ess};

    const auto ess_of_squares = ess_of_chains(halves.view(), work);
    const double varies       = squares_about(m2, x) / S;   // m_4 − m_2²
    return {mean / factor, sd, ess, sd / std::sqrt(*ess),
            ess_of_squares
                ? DiagnosticValue(std::sqrt(varies / *ess_of_squares) / (2 * std::sqrt(m2)) / factor)
                : DiagnosticValue(Undefined::constant,
                                  "Error of the standard deviation: all draws have the same distance from the mean.")};
}

DiagnosticValue quantile_error(const ScalarDraws& draws, double p)
{
    draws.check();
    if (!(p > 0 && p < 1))
        throw Error("Error of a quantile: the share is " + plain_text(p) + ", expected a number between 0 and 1.");
    if (auto refused = why_not_judged("Error of a quantile", draws))
        return *refused;
    OwnedDraws halves = split_chains(draws);
    const SortedDraws sorted(halves.values);
    const double edge = sorted.not_above_quantile(p);
    for (double& value : halves.values)
        value = value <= edge ? 1 : 0;
    MeanAutocovariance work;
    const auto ess = ess_of_chains(halves.view(), work);
    if (!ess)
        return {Undefined::constant, "Error of a quantile: no draw is above the quantile at " + percent_text(p) + "."};

    const double below = 0.5 * std::erfc(std::sqrt(0.5));   // Φ(−1)
    const Beta place{*ess * p + 1, *ess * (1 - p) + 1};
    const auto S       = static_cast<double>(sorted.size());
    const double first = std::floor(S * quantile(place, below).value),
                 last  = std::ceil(S * upper_quantile(place, below).value);
    const double low   = sorted.at(static_cast<std::size_t>(std::max(first, 1.0)) - 1);
    const double high  = sorted.at(static_cast<std::size_t>(std::min(last, S)) - 1);
    return high / 2 - low / 2;
}

}   // namespace credence
