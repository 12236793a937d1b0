// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace credence {

/// The difference of two means with its uncertainty, by Student's t. With e the standard error and
/// ν the degrees of freedom:
///
///     paired      d_s = a_s − b_s,  e = s_d/√n,  ν = n − 1   (Student 1908)
///     unpaired    e² = s_a²/n_a + s_b²/n_b,  ν = e⁴/((s_a²/n_a)²/(n_a − 1) + (s_b²/n_b)²/(n_b − 1))   (Welch 1947)
///     one value   on one side: the other side's spread is used for both, e = s √(1 + 1/n),  ν = n − 1
struct MeanDifference {
    std::size_t n_a = 0, n_b = 0;   ///< finite values; paired: the number of pairs for both
    bool paired = false;
    std::optional<double> mean{};                                   ///< of a − b; empty: one side has no value
    std::optional<double> standard_error{}, degrees_of_freedom{};   ///< empty: no side has two values
    // Empty without a standard error, and if all differences are equal.
    std::optional<double> p_value{};   ///< two-sided: P(|T| >= |mean|/e)
    /// P(T < −mean/e): posterior probability that a's mean is below b's, under a flat prior on mean
    /// and ln σ
    std::optional<double> probability_less{};
    std::optional<double> half_width{};   ///< half-width of the 95 % interval of the difference: t(0.975; ν) e
    /// The true difference detected with 80 % power by a test at level 5 %, from the noncentral t
    /// distribution: solved at each call. Empty: no half_width
    std::optional<double> detectable() const;

    bool operator==(const MeanDifference&) const = default;
};

/// For paired values: same data, same seed. Pairs with a value that is not finite are omitted.
MeanDifference paired_difference(std::span<const double> a, std::span<const double> b);
/// For independent values.
MeanDifference unpaired_difference(std::span<const double> a, std::span<const double> b);

/// Adjusts p values for their number, so that the probability of any false claim stays below the
/// level (Holm 1979): p_(i) becomes max_{j<=i} min(1, (m − j + 1) p_(j)). Empty values are ignored.
std::vector<std::optional<double>> holm_adjusted(std::span<const std::optional<double>> p_values);

}   // namespace credence
