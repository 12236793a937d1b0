// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace credence {

/// The smallest range [low, high] of counts such that K ~ Binomial(n, p) is below it with probability
/// <= outside/2, and above it with probability <= outside/2.
/// @param p  in (0, 1); @param outside  in (0, 1)
std::pair<long, long> binomial_range(long n, double p, double outside);

/// Counts of n numbers in equal bins of [0, 1], with the range that contains all of them if the numbers
/// are independent and uniform. The range is simultaneous: by the Bonferroni inequality some bin is
/// outside it with probability <= 1 − level.
struct UniformHistogram {
    std::vector<long> counts{};
    long n = 0, low = 0, high = 0;
    double level = 0.95;

    long outside() const;   ///< number of bins outside the range
};
/// Bin b is [b/B, (b + 1)/B), the last one closed.
std::size_t uniform_bin(double u, std::size_t n_bins);
/// @throws Error if a number is not in [0, 1]
UniformHistogram uniform_histogram(std::span<const double> u, int n_bins, double level = 0.95);
/// B = 5, 10 or 20: at least 10 expected numbers in a bin if n >= 50.
int histogram_bins(long n);

/// Share of rows inside their central prediction interval at each level, from their PIT values: row i is
/// inside at level c if |2 u_i − 1| <= c. The range is simultaneous over the levels, as above.
struct CoverageCurve {
    std::vector<double> level{};            ///< 5 %, 10 %, …, 95 %
    std::vector<double> coverage{};         ///< at each level
    std::vector<double> lower{}, upper{};   ///< range of the coverage of calibrated predictions
    long n          = 0;
    double mean_gap = 0;   ///< ∫ |coverage(c) − c| dc over [0, 1], exactly: 0 to ½

    long outside() const;   ///< number of levels at which the coverage is outside the range
};
CoverageCurve coverage_curve(std::span<const double> u, double level = 0.95);

}   // namespace credence
