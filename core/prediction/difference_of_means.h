// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace credence {

/// How far two means differ, and what chance alone explains, by Student's t. With e the standard error and ν the degrees of freedom:
///
///     paired      d_s = a_s − b_s,  e = s_d/√n,  ν = n − 1                                                (Student 1908)
///     unpaired    e² = s_a²/n_a + s_b²/n_b,  ν = e⁴/((s_a²/n_a)²/(n_a − 1) + (s_b²/n_b)²/(n_b − 1))       (Welch 1947)
///     one value   on one side: the other side's spread counts for both, e = s √(1 + 1/n),  ν = n − 1
struct MeanDifference {
    std::size_t n_a = 0, n_b = 0;   ///< finite values; paired: of both the number of pairs
    bool paired = false;
    std::optional<double> mean{};                                   ///< of a − b; empty: one side has no value
    std::optional<double> standard_error{}, degrees_of_freedom{};   ///< empty: no side has two values
    // Empty without a standard error, and where all differences are the same: their spread says nothing.
    std::optional<double> p_value{};   ///< two-sided: P(|T| >= |mean|/e)
    std::optional<double>
        probability_less{};   ///< P(T < −mean/e): posterior probability that a's mean is below b's, under the flat prior of mean and ln σ
    std::optional<double> half_width{};   ///< of the 95 % interval of the difference: t(0.975; ν) e
    std::optional<double>
        detectable{};   ///< the true difference that a test at level 5 % finds with a probability of 80 %, by the noncentral t distribution

    bool operator==(const MeanDifference&) const = default;
};

/// Of values with one replicate each: same data, same seed. Pairs with a value that is not finite are left out.
MeanDifference paired_difference(std::span<const double> a, std::span<const double> b);
/// Of values that have nothing in common.
MeanDifference unpaired_difference(std::span<const double> a, std::span<const double> b);

/// Adjusts p values for their number, so that the probability of any false claim stays below the level (Holm 1979): p_(i) becomes max_{j<=i} min(1, (m − j + 1) p_(j)).
/// Empty ones do not count.
std::vector<std::optional<double>> holm_adjusted(std::span<const std::optional<double>> p_values);

}   // namespace credence
