// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace credence {

/// True if every value is finite. Reads all values, without a branch.
template <class T>
bool all_finite(std::span<const T> values);

/// Throws if any value is not finite: sorts, ranks and means of such values are undefined.
/// @param each    what one value is, e.g. "AUROC: positive score"
/// @throws Error  "AUROC: positive score 3 is nan, expected a finite number."
void require_finite(const char* each, std::span<const double> values);
/// The same for values that are only ranked: infinities can be ordered, NaN cannot.
void require_no_nan(const char* each, std::span<const double> values);

extern template bool all_finite(std::span<const float>);
extern template bool all_finite(std::span<const double>);

/// Arithmetic mean, summed in the given order: NaN if there are no values.
double mean_of(std::span<const double> values);

/// Quantile of type 7 (Hyndman and Fan 1996): position (n − 1) p in the order statistics, linear
/// between neighbours.
/// @param sorted  ascending [n], n >= 1
/// @param p       in [0, 1]
double quantile_of_sorted(std::span<const double> sorted, double p);

/// The same for values in any order. @throws Error if there are no values or p is not in [0, 1]
double quantile(std::span<const double> values, double p);
inline double median(std::span<const double> values) { return quantile(values, 0.5); }
std::vector<double> quantiles(std::span<const double> values, std::span<const double> p);

/// Empirical distribution function: share of values <= t for each t of `at`.
std::vector<double> ecdf(std::span<const double> values, std::span<const double> at);

/// Indices of at most `most` of n rows, draws or steps, evenly spaced and including the first:
/// i·n/m for i = 0 … m − 1, m = min(n, most).
std::vector<std::size_t> evenly_spaced(std::size_t n, std::size_t most);

/// One number over several runs that differ only in their seed.
struct MeanAndSd {
    double mean = 0;
    std::optional<double> sd{};   ///< divisor n − 1; empty for one run
    std::size_t n = 0;            ///< runs
};

/// Returns mean and standard deviation of the finite `values`: a diverged run has no score. Empty:
/// none is finite.
std::optional<MeanAndSd> mean_and_sd(std::span<const double> values);

}   // namespace credence
