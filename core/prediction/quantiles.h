// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace credence {

/// Quantile of type 7 (Hyndman and Fan 1996): position (n − 1) p in the order statistics, linear
/// between neighbours.
/// @param sorted  ascending [n], n >= 1
/// @param p       in [0, 1]
double quantile_of_sorted(std::span<const double> sorted, double p);

/// The same for values in any order. @throws Error if there are no values or p is not in [0, 1]
double quantile(std::span<const double> values, double p);
std::vector<double> quantiles(std::span<const double> values, std::span<const double> p);

/// Empirical distribution function: share of values <= t for each t of `at`.
std::vector<double> ecdf(std::span<const double> values, std::span<const double> at);

}   // namespace credence
