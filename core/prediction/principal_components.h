// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace credence {

/// The first principal components of n rows with d numbers: the eigenvectors of
///
///     Σ = 1/(n − 1) Σ_i (x_i − x̄)(x_i − x̄)ᵀ
///
/// with the largest eigenvalues. The entry of each component with the largest absolute value is positive, the first
/// one on ties, so that the picture does not flip. Components without variance are 0.
/// Source: Pearson 1901; docs/maths.md, section 8
struct PrincipalComponents {
    std::vector<double> centre{};      ///< x̄ [d]
    std::vector<double> axes{};        ///< orthonormal [k × d]
    std::vector<double> variances{};   ///< along each axis, falling [k]
    double total_variance = 0;         ///< trace of Σ

    std::size_t k() const { return variances.size(); }
    std::size_t d() const { return centre.size(); }
    /// Share of the variance along axis i; 0 if there is none.
    double share(std::size_t i) const { return total_variance > 0 ? variances[i] / total_variance : 0; }
    /// Coordinates of other rows [n × k].
    std::vector<double> coordinates(std::span<const double> rows) const;
};

/// Single-threaded: the same bits for any number of threads. Above 300 numbers per row the eigenvectors come from
/// Lanczos iterations, with residuals below 1e-7 of the largest eigenvalue.
/// @param rows  [n × d], n >= 2
/// @return      empty if `stop` was requested
/// @throws Error for fewer than two rows, and numbers that are not finite
std::optional<PrincipalComponents> principal_components(std::span<const double> rows, std::size_t d, std::size_t k,
                                                        const std::stop_token& stop = {});

/// A row of a set and its distance from a given point.
struct NearRow {
    std::size_t row = 0;
    double distance = 0;

    bool operator==(const NearRow&) const = default;
};
/// The `most` rows with the smallest Euclidean distances from `point`, nearest first; equally near ones by index.
/// @param rows  [n × d]
std::vector<NearRow> nearest_rows(std::span<const double> rows, std::span<const double> point, std::size_t most);

}   // namespace credence
